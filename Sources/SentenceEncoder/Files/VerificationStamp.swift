import Foundation

/// Remembers in a file beside the model's files which of them were found right, by size, times and inode.
///
/// A stamp that cannot be written, or that is damaged, costs a new check and nothing else.
struct VerificationStamp {
    private static let name = ".verified"

    private let folder: URL
    private let known: Set<String>
    private var checked: Set<String> = []
    /// A file that was written since then could still change without getting another time, so it is not remembered.
    private let start = FileIdentity.currentFileTime()

    /// Reads the stamp of a folder.
    init(folder: URL) {
        self.folder = folder
        let text = try? String(contentsOf: folder.appending(path: Self.name), encoding: .utf8)
        known = Set((text ?? "").split(separator: "\n").map(String.init))
    }

    /// Checks one file, by its digest when the stamp does not know it as it is now.
    mutating func check(_ file: ModelFile) throws(ModelFilesError) {
        let url = folder.appending(path: file.name)
        guard let identity = FileIdentity(url: url) else { throw .missing(file: file.name) }
        let line = Self.line(file, identity)
        if !known.contains(line) {
            try FileDigest.check(url, is: file)
            guard FileIdentity(url: url) == identity else { throw .wrongDigest(file: file.name) }
            if identity.changed >= start { return }
        }
        checked.insert(line)
    }

    /// Writes what was checked, unless the stamp says it already.
    func save() {
        guard checked != known else { return }
        let text = checked.sorted().map { $0 + "\n" }.joined()
        try? Data(text.utf8).write(to: folder.appending(path: Self.name), options: .atomic)
    }

    private static func line(_ file: ModelFile, _ identity: FileIdentity) -> String {
        "\(file.sha256) \(identity.byteCount) \(identity.inode) \(identity.modified) \(identity.changed) \(file.name)"
    }
}
