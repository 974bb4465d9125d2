/// What a search of a data folder for erased content found.
public struct ErasureProof: Hashable, Sendable, Codable {
    /// A file that still holds some of it.
    public struct Remains: Hashable, Sendable, Codable {
        /// The file's path within the data folder.
        public var file: String
        /// How many of the texts and vectors it holds.
        public var count: Int

        public init(file: String, count: Int) {
            self.file = file
            self.count = count
        }
    }

    /// Texts and vectors that were looked for, equal ones once.
    public var searchedCount = 0
    /// Texts and vectors that were not: too short, or the same stands in what remains.
    public var indistinctCount = 0
    /// Files that were read to their end.
    public var fileCount = 0
    /// Their bytes.
    public var byteCount = 0
    /// Where something was found; empty when all is well.
    public var remains: [Remains] = []

    /// Makes the proof of nothing.
    public init() {}
}
