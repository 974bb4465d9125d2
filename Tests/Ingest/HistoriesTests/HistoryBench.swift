import ChatCore
import Foundation
import Histories
import Synchronization
import TestSupport
import Testing

/// A place for files of a history, and a store that takes them in.
final class HistoryBench {
    let store = InMemoryStore()
    let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID().uuidString)")
    private let clock = ManualNow()

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file; folders on its path are made.
    @discardableResult
    func write(_ text: String, to path: String) throws -> URL { try write(Data(text.utf8), to: path) }

    @discardableResult
    func write(_ data: Data, to path: String) throws -> URL {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file
    }

    /// What an import did and refused.
    struct Result {
        var report: ImportReport
        var rejects: [RejectedItem]

        /// Number and reason of what was refused.
        var refusals: [String] { rejects.map { "\($0.place.number.map(String.init) ?? "-"): \($0.reason)" } }
    }

    func run(_ files: URL..., options: HistoryOptions = HistoryOptions()) async throws -> Result {
        let rejects = Mutex<[RejectedItem]>([])
        let report = try await HistoryImport(store: store, options: options, now: clock.now)
            .run(files, progress: { _ in }, rejected: { item in rejects.withLock { $0.append(item) } })
        return Result(report: report, rejects: rejects.withLock { $0 })
    }

    func preview(_ files: URL..., options: HistoryOptions = HistoryOptions()) async throws -> HistorySummary {
        try await HistoryPreview(options: options, now: clock.now()).run(files, progress: { _ in }, rejected: { _ in })
    }

    /// What an import would do, compared with the store.
    func comparison(_ files: URL..., options: HistoryOptions = HistoryOptions()) async throws -> HistorySummary {
        try await HistoryPreview(options: options, store: store, now: clock.now()).run(
            files, progress: { _ in }, rejected: { _ in })
    }

    /// The id of a person of a conversation whose export has names only.
    func person(_ name: String, in id: ConversationID) async throws -> UserID {
        let members = try await store.roster(of: id).members
        return try #require(members.first { $0.displayName == name }?.userID)
    }

    /// The id of the one conversation that a history holds.
    func chat(_ file: URL, options: HistoryOptions = HistoryOptions()) async throws -> ConversationID {
        let conversations = try await preview(file, options: options).conversations
        return try #require(conversations.count == 1 ? conversations.first?.id : nil)
    }

    /// A conversation's messages, oldest first, as one of its people sees them.
    func messages(in id: ConversationID, asker: UserID) async throws -> [Message] {
        try await store.page(of: id, asker: asker, before: nil, limit: 1_000, at: clock.now()).reversed()
    }

    /// The messages of the one chat that a file holds, as a person of it sees them, whom its export has by name only.
    func messages(
        of file: URL, as name: String, options: HistoryOptions = HistoryOptions()
    ) async throws -> [Message] {
        let id = try await chat(file, options: options)
        return try await messages(in: id, asker: person(name, in: id))
    }

    func roster(of file: URL, as name: String) async throws -> ConversationRoster {
        let id = try await chat(file)
        return try await roster(of: id, asker: person(name, in: id))
    }

    func lines(of file: URL, as name: String) async throws -> [String] {
        let id = try await chat(file)
        return try await lines(in: id, asker: person(name, in: id))
    }

    func roster(of id: ConversationID, asker: UserID) async throws -> ConversationRoster {
        try await store.roster(of: id, asker: asker, at: clock.now())
    }

    /// A conversation's messages as `time sender: text`, with minutes and seconds only where they count.
    func lines(in id: ConversationID, asker: UserID) async throws -> [String] {
        try await messages(in: id, asker: asker).map { message in
            "\(message.timestamp.iso8601.prefix(19)) \(message.senderName): \(message.text)"
        }
    }
}
