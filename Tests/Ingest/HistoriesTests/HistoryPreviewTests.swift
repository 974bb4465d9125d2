import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct HistoryPreviewTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    @Test func tellsWhatAnImportWouldBring() async throws {
        let chat = try bench.write(
            """
            31/12/2022, 10:00 - Ada: one
            no date
            01/01/2023, 10:01 - Ben: two
            01/01/2023, 10:02 - Ben: <Media omitted>
            01/01/2023, 10:03 - Ben: This message was deleted
            """, to: "Crew.txt")
        let lines = try bench.write(
            #"{"id": "c", "name": "Talk", "visibility": "everyone", "participants": [{"id": "ada"}, {"id": "cyd"}]}"#
                + "\n5\n"
                + #"{"id": "m", "conversationId": "d", "senderId": "ada", "text": "x", "timestamp": "2025-01-01T10:00:00Z"}"#,
            to: "own.jsonl")

        let summary = try await bench.preview(chat, lines)

        #expect(summary.files.map(\.format) == [.whatsApp, .jsonLines])
        #expect(summary.files.map(\.path) == [chat.path, lines.path])
        #expect(summary.messageCount == 3)
        #expect(summary.peopleCount == 4)
        #expect(summary.skipped == [.mediaLeftOut: 1])
        #expect(summary.rejectedItems == 1)
        let texts = ["Ada: one\nno date", "Ben: two", "ada: x"]
        #expect(summary.tokenCount == texts.reduce(0) { $0 + TokenEstimate.count($1) })
        #expect(summary.conversations.map(\.id) == ["c", "d", "whatsapp-Crew-4a417bec86467f4a"])
        #expect(summary.conversations.map(\.name) == ["Talk", nil, "Crew"])
        #expect(summary.conversations.map(\.visibility) == [.everyone, nil, .members])
        #expect(summary.conversations.map(\.kind) == [.group, nil, .direct])
        #expect(summary.conversations.map(\.messageCount) == [0, 1, 2])
        #expect(summary.conversations.map(\.deletedCount) == [0, 0, 1])
        #expect(summary.conversations.map(\.peopleCount) == [2, 1, 2])
        #expect(summary.conversations[2].first == Timestamp(iso8601: "2022-12-31T10:00:00Z"))
        #expect(summary.conversations[2].last == Timestamp(iso8601: "2023-01-01T10:03:00Z"))
    }

    @Test(arguments: [
        (#"{"type": "version", "version": 1}"#, HistoryFormat.mattermost),
        (#"{"guild": {"id": "0"}, "channel": {"id": "1"}, "messages": []}"#, .discord),
        (#"{"messages": [], "channel": {"id": "1"}}"#, .discord),
        (#"{"room_name": "a", "messages": []}"#, .element),
        ("\u{FEFF}  {\"name\": \"a\", \"type\": \"personal_chat\", \"id\": 1, \"messages\": []}", .telegram),
        (#"{"about": "a", "chats": {"list": []}}"#, .telegram),
        (#"{"id": "c", "name": "\"guild\": 1", "participants": []}"#, .jsonLines),
        (#"{"id": "m", "conversationId": "c", "extra": {"guild": 1}}"#, .jsonLines),
        ("[31/12/2022, 11:40:26] Ada: x", .whatsApp),
        ("\u{200E}31.12.22, 11:40 - Ada: x", .whatsApp),
    ])
    func tellsTheFormatByLooking(text: String, format: HistoryFormat) async throws {
        let summary = try await bench.preview(
            try bench.write(text, to: "some.file"), options: HistoryOptions(dateOrder: .dmy))

        #expect(summary.files.map(\.format) == [format])
    }

    @Test(arguments: ["", "hello", "{}", #"{"a": 1}"#, "\u{1F4A9}"])
    func whatIsNoHistoryIsRefused(text: String) async throws {
        let file = try bench.write(text, to: "some.file")

        await #expect(throws: ImportFileError.unknownFormat(path: file.path)) {
            _ = try await bench.preview(file)
        }
    }

    @Test func theFormatThatIsSaidCounts() async throws {
        let file = try bench.write("hello", to: "some.file")

        let summary = try await bench.preview(file, options: HistoryOptions(format: .jsonLines))

        #expect(summary.files.map(\.format) == [.jsonLines])
        #expect(summary.rejectedItems == 1)
        await #expect(throws: ImportFileError.partOfSlack(path: file.path)) {
            _ = try await bench.preview(file, options: HistoryOptions(format: .slack))
        }
    }
}
