import Crypto
import Foundation

/// Records in a file beside the model's files which of them were correct, by size, times and inode.
///
/// A stamp that is damaged or cannot be written only costs a new check.
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

    /// Writes the checked files, unless the stamp already lists them.
    func save() {
        guard checked != known else { return }
        let text = checked.sorted().map { $0 + "\n" }.joined()
        try? Data(text.utf8).write(to: folder.appending(path: Self.name), options: .atomic)
    }

    private static func line(_ file: ModelFile, _ identity: FileIdentity) -> String {
        "\(file.sha256) \(identity.byteCount) \(identity.inode) \(identity.modified) \(identity.changed) \(file.name)"
    }
}

/// Compares a file with its pinned size and digest.
enum FileDigest {
    private static let chunkByteCount = 1 << 20

    /// Reads a whole file, unless its size is already wrong.
    static func check(_ url: URL, is file: ModelFile) throws(ModelFilesError) {
        guard let identity = FileIdentity(url: url) else { throw .missing(file: file.name) }
        guard identity.byteCount == file.byteCount else {
            throw .wrongSize(file: file.name, expected: file.byteCount, got: identity.byteCount)
        }
        guard let digest = sha256(of: url) else { throw .missing(file: file.name) }
        guard digest == file.sha256 else { throw .wrongDigest(file: file.name) }
    }

    /// Returns the digest in lower-case hexadecimal digits, nil when the file cannot be read to its end.
    private static func sha256(of url: URL) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        var hash = SHA256()
        do {
            while let chunk = try handle.read(upToCount: chunkByteCount), !chunk.isEmpty { hash.update(data: chunk) }
        } catch { return nil }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The properties that change when a regular file is written or replaced.
struct FileIdentity: Equatable {
    let byteCount: Int
    let inode: UInt64
    /// Nanoseconds since 1970; of the bytes.
    let modified: Int64
    /// Nanoseconds since 1970; of bytes, name and permissions; no program can set it.
    let changed: Int64

    /// Looks at a file, through symbolic links; nil when it is no regular file.
    init?(url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        byteCount = Int(status.st_size)
        inode = UInt64(status.st_ino)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    /// Returns the clock that the system writes into files; it advances in steps of some milliseconds.
    static func currentFileTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return nanoseconds(time)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
