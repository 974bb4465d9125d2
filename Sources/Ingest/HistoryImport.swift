public import ChatCore
public import Foundation

/// What an import did.
public struct ImportReport: Hashable, Sendable, Codable {
    /// Conversations that were not there before.
    public var newConversations = 0
    /// Messages that were not there before.
    public var insertedMessages = 0
    /// Messages that were there with other content and were renewed.
    public var updatedMessages = 0
    /// Messages that were there already.
    public var unchangedMessages = 0
    /// Messages that are deleted in the history, or were deleted here and stay so.
    public var deletedMessages = 0
    /// Lines that could not be taken.
    public var rejectedLines = 0

    /// Makes an empty report.
    public init() {}
}

/// A line that could not be taken.
public struct RejectedLine: Hashable, Sendable, Codable {
    /// The file's path as it was given.
    public let file: String
    /// The line's number, from 1.
    public let line: Int
    /// Why, without any of the line's text.
    public let reason: String
}

/// How far an import is.
public struct ImportProgress: Hashable, Sendable, Codable {
    /// Lines read.
    public let lineCount: Int
    /// Bytes of lines read.
    public let byteCount: Int
    /// Bytes of all files.
    public let totalByteCount: Int
}

/// Takes in histories in JSON lines; taking one in again changes nothing.
///
/// Lines are stored a thousand at a time, each batch in one transaction: what was reported as stored survives a crash,
/// and a repetition goes on from there.
public struct HistoryImport {
    private static let batchLineCount = 1_000

    private let store: any ConversationRepository & MessageRepository
    private let source: String
    private let now: @Sendable () -> Timestamp

    /// Joins what an import needs.
    ///
    /// - Parameters:
    ///   - store: Takes the messages.
    ///   - source: Where the senders' ids come from; see ``Identity``.
    ///   - now: The present time.
    public init(
        store: any ConversationRepository & MessageRepository, source: String, now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.source = source
        self.now = now
    }

    /// Imports files in their order; conversations must come before their messages.
    ///
    /// - Parameters:
    ///   - files: JSON lines.
    ///   - progress: Called after each batch, when it is stored.
    ///   - rejected: Called for each line that cannot be taken; the others are.
    /// - Returns: The counts.
    /// - Throws: ``ImportFileError`` for a file that cannot be read, ``RepositoryError`` when the store fails.
    public func run(
        _ files: [URL], progress: @Sendable (ImportProgress) async throws -> Void,
        rejected: @Sendable (RejectedLine) async throws -> Void
    ) async throws -> ImportReport {
        var report = ImportReport()
        var count = (lines: 0, bytes: 0)
        let total = try files.reduce(0) { try $0 + Self.byteCount(of: $1) }
        for file in files {
            var reader = try Self.open(file)
            var number = 0
            var batch = Batch()
            while let line = try reader.next() {
                number += 1
                count.lines += 1
                count.bytes += batch.add(line, number: number)
                if batch.lineCount == Self.batchLineCount {
                    try await store(&batch, of: file, into: &report, rejected: rejected)
                    try await progress(
                        ImportProgress(lineCount: count.lines, byteCount: count.bytes, totalByteCount: total))
                }
            }
            try await store(&batch, of: file, into: &report, rejected: rejected)
            try await progress(ImportProgress(lineCount: count.lines, byteCount: count.bytes, totalByteCount: total))
        }
        return report
    }

    /// Stores a batch and empties it.
    private func store(
        _ batch: inout Batch, of file: URL, into report: inout ImportReport,
        rejected: (RejectedLine) async throws -> Void
    ) async throws {
        report.newConversations += try await storeConversations(of: &batch)
        try Task.checkCancellation()
        let messages = batch.messages
        let outcomes =
            messages.isEmpty
            ? [] : try await store.accept(messages.map(\.value), source: source, mode: .importing, at: now())
        for (message, outcome) in zip(messages, outcomes) {
            if let deletedAt = message.deletedAt, outcome.isThere {
                try await store.delete(message.value.key, at: deletedAt)
                report.deletedMessages += 1
            } else {
                batch.count(outcome, line: message.line, in: &report)
            }
        }
        report.rejectedLines += batch.rejects.count
        for reject in batch.rejects.sorted(by: { $0.line < $1.line }) {
            try await rejected(RejectedLine(file: file.path, line: reject.line, reason: reject.reason))
        }
        batch = Batch()
    }

    /// Stores the batch's conversations at once, or one by one when something is wrong with one of them.
    private func storeConversations(of batch: inout Batch) async throws -> Int {
        let lines = batch.conversations
        guard !lines.isEmpty else { return 0 }
        if Set(lines.map(\.value.conversation.id)).count == lines.count {
            do {
                return try await store.store(lines.map(\.value), source: source, mode: .importing, at: now())
            } catch RepositoryError.invalid, RepositoryError.conflict {
                // Nothing was stored; which line is at fault shows below.
            }
        }
        var count = 0
        for line in lines {
            do {
                count += try await store.store([line.value], source: source, mode: .importing, at: now())
            } catch RepositoryError.invalid(let field, let reason) {
                batch.reject(line.line, "field \"\(field)\": \(reason)")
            } catch RepositoryError.conflict(let reason) {
                batch.reject(line.line, reason)
            }
        }
        return count
    }

    private static func open(_ file: URL) throws -> LineReader {
        do {
            return try LineReader(FileSource(file))
        } catch {
            throw ImportFileError.unreadable(path: file.path)
        }
    }

    private static func byteCount(of file: URL) throws -> Int {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else {
            throw ImportFileError.missing(path: file.path)
        }
        guard !isFolder.boolValue else { throw ImportFileError.folder(path: file.path) }
        return (try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int) ?? 0
    }
}

/// Why a file cannot be imported.
public enum ImportFileError: Error, Equatable, Sendable {
    /// There is no such file.
    case missing(path: String)
    /// It is a folder.
    case folder(path: String)
    /// It cannot be read.
    case unreadable(path: String)
}
