import Foundation

/// A file of a history.
struct HistoryEntry: Hashable {
    /// Its path within folder or archive, parts joined by "/"; nil for a single file.
    var path: String?
    /// Its bytes, when known.
    var byteCount: Int?

    /// The last part of the path.
    var name: String { path?.split(separator: "/").last.map(String.init) ?? "" }
}

/// Goes through the files of a history in their order and reads them.
protocol HistoryWalk: AnyObject, ByteSource {
    /// Goes to the next file; nil after the last.
    func next() throws -> HistoryEntry?
}

/// The location of a history: a file, a folder, or an archive.
struct HistoryLocation {
    /// The kind of location.
    enum Form {
        case file
        case folder
        case archive
    }

    let url: URL
    let form: Form

    /// Examines the location.
    ///
    /// - Throws: ``ImportFileError``.
    init(_ url: URL) throws(ImportFileError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw .missing(path: url.path)
        }
        self.url = url
        let type = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.type]
        guard isFolder.boolValue || type as? FileAttributeType == .typeRegular else {
            throw .notAFile(path: url.path)
        }
        if isFolder.boolValue {
            form = .folder
        } else {
            form = Self.isArchive(try Self.beginning(of: url)) ? .archive : .file
        }
    }

    /// Begins to enumerate its files.
    func walk() throws -> any HistoryWalk {
        switch form {
        case .file: SingleFileWalk(url)
        case .folder: try FolderWalk(url)
        case .archive: try ArchiveWalk(url)
        }
    }

    /// Opens one of its files; nil for an unknown path.
    func open(_ entry: HistoryEntry) throws -> (any ByteSource)? {
        guard form == .archive else {
            return try FileSource(entry.path.map { url.appending(path: $0) } ?? url)
        }
        let walk = try walk()
        while let found = try walk.next() {
            if found.path == entry.path { return walk }
        }
        return nil
    }

    private static func beginning(of file: URL) throws(ImportFileError) -> [UInt8] {
        do {
            let source = try FileSource(file)
            return try source.read() ?? []
        } catch {
            throw .unreadable(path: file.path)
        }
    }

    /// Whether bytes begin a zip, a gzip or a tar.
    private static func isArchive(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
            || bytes.starts(with: [0x1F, 0x8B]) || bytes.dropFirst(257).starts(with: Array("ustar".utf8))
    }
}

/// The walk through one file.
final class SingleFileWalk: HistoryWalk {
    private let file: URL
    private var source: FileSource?
    private var isDone = false

    init(_ file: URL) {
        self.file = file
    }

    func next() throws -> HistoryEntry? {
        source = nil
        guard !isDone else { return nil }
        isDone = true
        source = try FileSource(file)
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        return HistoryEntry(path: nil, byteCount: size)
    }

    func read() throws -> [UInt8]? { try source?.read() }
}

/// The walk through a folder and the folders in it, by path; links are not followed, hidden files not seen.
final class FolderWalk: HistoryWalk {
    /// The most files that are looked at.
    private static let entryLimit = 500_000

    private let folder: URL
    private var paths: [String]
    private var position = 0
    private var source: FileSource?

    init(_ folder: URL) throws {
        self.folder = folder
        paths = []
        var unreadable: URL?
        let files = FileManager.default.enumerator(
            at: folder, includingPropertiesForKeys: [.isRegularFileKey], options: [.skipsHiddenFiles]
        ) { file, _ in
            unreadable = file
            return false
        }
        let base = folder.resolvingSymlinksInPath().path
        while let file = files?.nextObject() as? URL {
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            guard paths.count < Self.entryLimit else { throw ImportFileError.tooManyFiles(path: folder.path) }
            let path = file.path
            let start = path.hasPrefix(base) ? base : folder.path
            paths.append(String(path.dropFirst(start.count).drop { $0 == "/" }))
        }
        if let unreadable { throw ImportFileError.unreadable(path: unreadable.path) }
        paths.sort()
    }

    func next() throws -> HistoryEntry? {
        source = nil
        guard position < paths.count else { return nil }
        let path = paths[position]
        position += 1
        let file = folder.appending(path: path)
        source = try FileSource(file)
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        return HistoryEntry(path: path, byteCount: size)
    }

    func read() throws -> [UInt8]? { try source?.read() }
}
