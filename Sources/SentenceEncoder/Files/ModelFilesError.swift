/// Why the sentence model's files cannot be used, or could not be put into place.
public enum ModelFilesError: Error, Equatable, Sendable {
    /// The file is not there, is not a regular file, or cannot be read.
    case missing(file: String)
    /// The file is partial, or another one.
    case wrongSize(file: String, expected: Int, got: Int)
    /// The file has the right size and other bytes.
    case wrongDigest(file: String)
    /// The file could not be written into its folder: no space, no permission, no folder.
    case unwritable(file: String)
}
