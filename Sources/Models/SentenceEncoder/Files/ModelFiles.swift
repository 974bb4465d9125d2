package import Foundation

/// One pinned file of a model.
package struct ModelFile: Equatable, Sendable {
    /// The name inside the model's folder.
    package let name: String
    /// The size in bytes.
    package let byteCount: Int
    /// The SHA-256 digest, 64 lower-case hexadecimal digits.
    package let sha256: String

    /// Pins a file.
    package init(name: String, byteCount: Int, sha256: String) {
        self.name = name
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}

/// The pinned files of a sentence model, and the cache folder for them.
///
/// A file is accepted only if its SHA-256 is the pinned one; a wrong or partial file is refused. A stamp beside the
/// files records the check, so that a second check costs only a few calls of `stat`.
package struct ModelFiles: Equatable, Sendable {
    /// The name of the folder in the cache's root.
    package let folderName: String
    /// The files, small ones first, so that a folder with the weights is complete.
    package let files: [ModelFile]

    /// Names a set of files.
    package init(folderName: String, files: [ModelFile]) {
        self.folderName = folderName
        self.files = files
    }

    /// The files of all-MiniLM-L6-v2, 91 MB.
    package static let standard = ModelFiles(
        folderName: "all-MiniLM-L6-v2",
        files: [
            ModelFile(
                name: "config.json", byteCount: 612,
                sha256: "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
            ModelFile(
                name: "vocab.txt", byteCount: 231_508,
                sha256: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
            ModelFile(
                name: "model.safetensors", byteCount: 90_868_376,
                sha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        ])

    /// The name of multilingual-e5-small's only file; see ``QuantizedModelFile``.
    static let multilingualFile = "e5-small-q4.bin"

    /// The file of multilingual-e5-small, 72 MB.
    package static let multilingual = ModelFiles(
        folderName: "multilingual-e5-small",
        files: [
            ModelFile(
                name: multilingualFile, byteCount: 71_622_400,
                sha256: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f")
        ])

    /// The folder of models that a package installs for all users of a machine.
    package static let installedRoot = URL(filePath: "/usr/share/nexus/models", directoryHint: .isDirectory)

    /// Returns the folder for models: `NEXUS_MODEL_DIR`, else `~/.cache/nexus/models`.
    ///
    /// If the latter lacks this model and a package installed it, the package's folder is returned.
    ///
    /// - Parameters:
    ///   - environment: The process's environment; an empty variable counts as unset.
    ///   - installed: The folder of a package.
    /// - Returns: A folder that may not exist.
    package func defaultRoot(environment: [String: String], installed: URL = Self.installedRoot) -> URL {
        if let folder = environment["NEXUS_MODEL_DIR"], !folder.isEmpty {
            return URL(filePath: folder, directoryHint: .isDirectory)
        }
        let home = environment["HOME"].flatMap { $0.isEmpty ? nil : URL(filePath: $0, directoryHint: .isDirectory) }
        let own = (home ?? FileManager.default.homeDirectoryForCurrentUser)
            .appending(path: ".cache/nexus/models", directoryHint: .isDirectory)
        let isThere = { (root: URL) in FileManager.default.fileExists(atPath: modelFolder(in: root).path) }
        return !isThere(own) && isThere(installed) ? installed : own
    }

    /// Returns this model's folder in a cache folder.
    package func modelFolder(in root: URL) -> URL {
        root.appending(path: folderName, directoryHint: .isDirectory)
    }

    /// Checks every file, by its stamp if that is still valid, otherwise by its digest.
    ///
    /// - Parameter folder: The model's folder.
    /// - Throws: ``ModelFilesError`` of the first file that is missing or wrong.
    package func verify(folder: URL) throws(ModelFilesError) {
        var stamp = VerificationStamp(folder: folder)
        for file in files { try stamp.check(file) }
        stamp.save()
    }

    /// Whether one file is in its folder and is the pinned one.
    package func isInPlace(_ file: ModelFile, folder: URL) -> Bool {
        var stamp = VerificationStamp(folder: folder)
        return (try? stamp.check(file)) != nil
    }
}

/// Why the sentence model's files cannot be used, or could not be put into place.
package enum ModelFilesError: Error, Equatable, Sendable {
    /// The file is not there, is not a regular file, or cannot be read.
    case missing(file: String)
    /// The file is partial, or another one.
    case wrongSize(file: String, expected: Int, got: Int)
    /// The file has the right size and other bytes.
    case wrongDigest(file: String)
    /// The file could not be written into its folder: no space, no permission, no folder.
    case unwritable(file: String)
}
