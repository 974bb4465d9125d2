import Archive
import Foundation

/// The walk through a zip or tar.
final class ArchiveWalk: HistoryWalk {
    private let path: String
    private let source: ArchiveSource

    init(_ file: URL) throws {
        path = file.path
        do throws(ArchiveError) {
            source = try ArchiveSource(file)
        } catch {
            throw ImportFileError.damagedArchive(path: path, reason: error.reason)
        }
    }

    func next() throws -> HistoryEntry? {
        do throws(ArchiveError) {
            return try source.next().map { HistoryEntry(path: $0.path, byteCount: $0.byteCount) }
        } catch {
            throw ImportFileError.damagedArchive(path: path, reason: error.reason)
        }
    }

    func read() throws -> [UInt8]? {
        do {
            return try source.read()
        } catch let error as ArchiveError {
            throw ImportFileError.damagedArchive(path: path, reason: error.reason)
        }
    }

    /// The files skipped so far, with the reasons.
    var rejections: [HistoryItem] {
        var items = source.skipped.map { entry in
            HistoryItem(
                content: .rejected(reason: entry.reason.text), place: HistoryPlace(number: entry.number, unit: .entry))
        }
        let moreCount = source.skippedCount - source.skipped.count
        if moreCount > 0 {
            items.append(
                HistoryItem(
                    content: .rejected(reason: "\(moreCount) more entries are skipped"),
                    place: HistoryPlace(unit: .entry)))
        }
        return items
    }
}

extension ArchiveError {
    /// A description of the error, for operators.
    fileprivate var reason: String {
        switch self {
        case .unreadable: "cannot be read"
        case .notAnArchive: "neither zip nor tar, or cut off at its end"
        case .damaged(let entry): "entry \(entry) is damaged or cut off"
        case .tooManyEntries(let limit): "more than \(limit) entries"
        case .headerTooLong(let entry, _): "entry \(entry) has too long a header"
        case .entryTooLarge(let entry, let limit): "entry \(entry) is larger than \(limit) bytes"
        case .archiveTooLarge(let limit): "larger than \(limit) bytes unpacked"
        case .ratioTooHigh(let entry, let limit): "entry \(entry) unpacks to more than \(limit) times its size"
        }
    }
}

extension SkippedEntry.Reason {
    /// A description of the reason, for operators.
    fileprivate var text: String {
        switch self {
        case .unsafePath: "its path leads out of the archive, or contains forbidden characters"
        case .longPath: "its path is too long"
        case .unreadablePath: "its path is empty or not readable"
        case .duplicatePath: "an earlier entry has the same path"
        case .link: "a link"
        case .specialFile: "not a regular file"
        case .sparse: "a file with holes"
        case .encrypted: "encrypted"
        case .compression: "unknown compression"
        }
    }
}
