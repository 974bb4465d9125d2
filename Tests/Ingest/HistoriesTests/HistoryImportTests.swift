import ChatCore
import Foundation
import Histories
import Synchronization
import TestSupport
import Testing

@Suite struct HistoryImportTests {
    private let store = InMemoryStore()
    private let clock = ManualNow()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "import-\(UUID().uuidString)")

    private func run(_ lines: [String], name: String = "history.jsonl") async throws -> (
        report: ImportReport, rejects: [RejectedItem]
    ) {
        try await run(Data(lines.joined(separator: "\n").utf8), name: name)
    }

    private func run(_ data: Data, name: String = "history.jsonl") async throws -> (
        report: ImportReport, rejects: [RejectedItem]
    ) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try data.write(to: file)
        let rejects = Mutex<[RejectedItem]>([])
        let report = try await HistoryImport(store: store, options: HistoryOptions(source: "test"), now: clock.now)
            .run([file], progress: { _ in }, rejected: { line in rejects.withLock { $0.append(line) } })
        return (report, rejects.withLock { $0 })
    }

    private static let conversation = #"{"id": "c", "name": "Talk", "participants": [{"id": "ada", "name": "Ada"}]}"#

    private static func message(_ id: String, text: String = "hello") -> String {
        #"{"id": "\#(id)", "conversationId": "c", "senderId": "ada", "senderName": "Ada", "text": "\#(text)", "#
            + #""timestamp": "2025-01-01T10:00:00Z"}"#
    }

    @Test func readsConversationsAndMessagesFromOneFile() async throws {
        let (report, rejects) = try await run([Self.conversation, Self.message("m1"), "", Self.message("m2")])

        #expect(rejects.isEmpty)
        #expect(report.newConversations == 1)
        #expect(report.insertedMessages == 2)
        let scope = SearchScope(asker: "ada", conversations: .all)
        let key = MessageKey(conversationID: "c", messageID: "m1")
        let stored = try #require(try await store.messages([key], in: scope, at: clock.now())[key])
        #expect(stored.text == "hello")
        #expect(stored.senderName == "Ada")
        #expect(stored.timestamp == Timestamp(iso8601: "2025-01-01T10:00:00Z"))
    }

    @Test func aRepetitionChangesNothing() async throws {
        let lines = [Self.conversation, Self.message("m1"), Self.message("m2")]
        _ = try await run(lines)
        let before = try await store.latestChange()

        let (report, _) = try await run(lines)

        #expect(report.insertedMessages == 0)
        #expect(report.unchangedMessages == 2)
        #expect(report.newConversations == 0)
        #expect(try await store.latestChange() == before)
    }

    @Test func otherContentUnderTheSameIdRenewsTheMessage() async throws {
        _ = try await run([Self.conversation, Self.message("m1")])

        let (report, _) = try await run([Self.message("m1", text: "other")])

        #expect(report.updatedMessages == 1)
    }

    @Test(arguments: [
        ("{", "not valid JSON"),
        ("[1]", "not a JSON object"),
        (#"{"name": "x"}"#, "missing field \"id\""),
        (#"{"id": 5}"#, "field \"id\" has the wrong type"),
        (#"{"id": "q", "conversationId": "c", "question": "why?"}"#, "a question, not a conversation or a message"),
        (
            #"{"id": "m", "conversationId": "c", "senderId": "ada", "timestamp": "2025-01-01T10:00:00Z"}"#,
            "missing field \"text\""
        ),
        (
            #"{"id": "m", "conversationId": "c", "senderId": "ada", "text": null, "timestamp": "2025-01-01T10:00:00Z"}"#,
            "field \"text\" is null"
        ),
        (
            #"{"id": "m", "conversationId": "c", "senderId": "ada", "text": "x", "timestamp": "soon"}"#,
            "field \"timestamp\": not a time such as 2025-10-23T10:30:00Z"
        ),
        (
            #"{"id": "m", "conversationId": "no", "senderId": "ada", "text": "x", "timestamp": "2025-01-01T10:00:00Z"}"#,
            "unknown conversation"
        ),
        (
            #"{"id": "", "conversationId": "c", "senderId": "ada", "text": "x", "timestamp": "2025-01-01T10:00:00Z"}"#,
            "field \"id\": an id has 1 to 256 bytes and no control characters"
        ),
    ])
    func aLineThatCannotBeTakenIsNamedWithItsReason(line: String, reason: String) async throws {
        let (report, rejects) = try await run([Self.conversation, Self.message("m1"), line, Self.message("m2")])

        #expect(rejects.map(\.place.number) == [3])
        #expect(rejects.map(\.reason) == [reason])
        #expect(report.rejectedItems == 1)
        #expect(report.insertedMessages == 2)
    }

    @Test func bytesThatAreNoUTF8AreRefused() async throws {
        var data = Data((Self.conversation + "\n" + Self.message("m1")).utf8)
        data.replaceSubrange(data.firstRange(of: Data("hello".utf8)) ?? 0..<0, with: [0xFF, 0xFE])

        let (report, rejects) = try await run(data)

        #expect(rejects.map(\.reason) == ["not valid UTF-8"])
        #expect(report.insertedMessages == 0)
    }

    @Test func namesAndReactionsOverTheLimitAreCut() async throws {
        let people = (0..<3_000).map { #""u\#($0)""# }.joined(separator: ",")
        let name = "a" + String(repeating: "\u{301}", count: 2_000)
        let line = Self.message("m1").replacing("}", with: #","reactions":[{"emoji":"x","userIds":[\#(people)]}]}"#)
            .replacing(#""senderName": "Ada""#, with: #""senderName": "\#(name)""#)

        let (report, rejects) = try await run([Self.conversation, line])
        let (again, _) = try await run([Self.conversation, line])

        #expect(rejects.isEmpty)
        #expect(report.insertedMessages == 1)
        #expect(again.insertedMessages == 0)
        #expect(again.unchangedMessages == 1)
        let key = MessageKey(conversationID: "c", messageID: "m1")
        let message = try #require(try await store.stored([key])[key])
        #expect(message.reactions.first?.userIDs.count == Message.reactorLimit)
        #expect(message.senderName.utf8.count <= TextLimit.name.bytes)
    }

    @Test func aTextOverTheLimitIsRefusedAndALineOverItToo() async throws {
        let long = Self.message("m1", text: String(repeating: "x", count: Message.textByteLimit + 1))
        let endless = Self.message("m2", text: String(repeating: "x", count: 5 << 20))

        let (report, rejects) = try await run([Self.conversation, long, endless, Self.message("m3")])

        #expect(rejects.map(\.place.number) == [2, 3])
        #expect(rejects.first?.reason.hasPrefix("field \"text\"") == true)
        #expect(rejects.last?.reason == "longer than 4194304 bytes")
        #expect(report.insertedMessages == 1)
    }

    @Test func linesMayEndAsOnWindowsAndTheLastNotAtAll() async throws {
        let (report, rejects) = try await run(
            Data((Self.conversation + "\r\n" + Self.message("m1") + "\r\n" + Self.message("m2")).utf8))

        #expect(rejects.isEmpty)
        #expect(report.insertedMessages == 2)
    }

    @Test func aDeletedLineLeavesNoText() async throws {
        let deleted =
            #"{"id": "m1", "conversationId": "c", "senderId": "ada", "text": "", "#
            + #""timestamp": "2025-01-01T10:00:00Z", "deletedAt": "2025-01-01T11:00:00Z"}"#
        _ = try await run([Self.conversation, Self.message("m1")])

        let (_, rejects) = try await run([deleted])

        #expect(rejects.isEmpty)
        let scope = SearchScope(asker: "ada", conversations: .all)
        let key = MessageKey(conversationID: "c", messageID: "m1")
        #expect(try await store.messages([key], in: scope, at: clock.now()).isEmpty)
        #expect(try await run([Self.message("m1")]).report.deletedMessages == 1)
    }

    @Test func manyLinesCrossBatchesAndChunks() async throws {
        let lines = [Self.conversation] + (0..<2_500).map { Self.message("m\($0)", text: "text \($0) \u{1F6A2}") }

        let (report, rejects) = try await run(lines)

        #expect(rejects.isEmpty)
        #expect(report.insertedMessages == 2_500)
    }

    @Test func aFileThatIsNotThereIsAnError() async throws {
        let history = HistoryImport(store: store, options: HistoryOptions(source: "test"), now: clock.now)

        await #expect(throws: ImportFileError.missing(path: "/nowhere/x.jsonl")) {
            _ = try await history.run(
                [URL(filePath: "/nowhere/x.jsonl")], progress: { _ in }, rejected: { _ in })
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        await #expect(throws: ImportFileError.noHistory(path: folder.path)) {
            _ = try await history.run([folder], progress: { _ in }, rejected: { _ in })
        }
    }
}
