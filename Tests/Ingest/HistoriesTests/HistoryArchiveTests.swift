import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

@Suite struct HistoryArchiveTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private func zip(_ files: [(String, String)], to path: String) throws -> URL {
        let bytes = HandmadeZip(members: files.map { HandmadeZip.Member($0.0, $0.1) }).bytes()
        return try bench.write(Data(bytes), to: path)
    }

    private static let chat = "31/12/2022, 10:00 - Ada: one\n31/12/2022, 10:01 - Ben: two"

    @Test func readsAWorkspaceOfSlackFromAZipWithAFolderAroundIt() async throws {
        let file = try zip(
            [
                ("yard/channels.json", #"[{"id": "C1", "name": "pier", "members": ["U1"]}]"#),
                ("yard/pier/2016-01-15.json", #"[{"user": "U1", "text": "hello", "ts": "1452837318.000002"}]"#),
                ("yard/pier/2016-01-16.json", #"[{"user": "U1", "text": "again", "ts": "1452923718.000002"}]"#),
                ("yard/users.json", #"[{"id": "U1", "name": "ada"}]"#), ("other.txt", "x"),
            ], to: "yard.zip")

        let result = try await bench.run(file)

        #expect(result.rejects.isEmpty)
        #expect(result.report.insertedMessages == 2)
        #expect(
            try await bench.lines(in: "slack-C1", asker: "slack-U1") == [
                "2016-01-15T05:55:18 ada: hello", "2016-01-16T05:55:18 ada: again",
            ])
    }

    @Test func readsAChatOfWhatsAppFromAZipThatNamesIt() async throws {
        let file = try zip([("photo.jpg", "x"), ("_chat.txt", Self.chat)], to: "WhatsApp Chat - Yard.zip")

        let result = try await bench.run(file)

        #expect(result.report.insertedMessages == 2)
        #expect(result.report.skipped == [.otherFile: 1])
        #expect(try await bench.messages(of: file, as: "Ada").map(\.text) == ["one", "two"])
    }

    private static let lines = Array(
        (#"{"id": "c", "name": "Pier", "participants": [{"id": "ada"}]}"# + "\n"
            + (0..<9_000).map { number in
                #"{"id": "m\#(number)", "conversationId": "c", "senderId": "ada", "text": "x\#(number)", "#
                    + #""timestamp": "2025-01-01T10:00:00Z"}"#
            }.joined(separator: "\n")).utf8)

    @Test func readsJSONLinesInGzip() async throws {
        let file = try bench.write(Data(HandmadeGzip.bytes(Self.lines)), to: "talk.jsonl.gz")

        let first = try await bench.run(file)
        let again = try await bench.run(file)

        #expect(first.rejects.isEmpty)
        #expect(first.report.insertedMessages == 9_000)
        #expect(again.report.unchangedMessages == 9_000)
        #expect(again.report.insertedMessages == 0)
    }

    @Test func nothingIsTakenOfAnArchiveThatIsDamagedAtItsEnd() async throws {
        let gzip = try bench.write(Data(HandmadeGzip.bytes(Self.lines, checksum: 1)), to: "talk.jsonl.gz")
        var bad = HandmadeZip.Member("b/talk.jsonl", #"{"id": "d"}"#)
        bad.checksum = 1
        let lines = HandmadeZip.Member("a/talk.jsonl", String(decoding: Self.lines, as: UTF8.self))
        let zip = try bench.write(Data(HandmadeZip(members: [lines, bad]).bytes()), to: "talk.zip")

        await #expect(
            throws: ImportFileError.damagedArchive(path: gzip.path, reason: "entry 1 is damaged or cut off")
        ) { _ = try await bench.run(gzip) }
        await #expect(
            throws: ImportFileError.damagedArchive(path: zip.path, reason: "entry 2 is damaged or cut off")
        ) { _ = try await bench.run(zip) }

        #expect(try await bench.store.latestChange().count == 0)
    }

    @Test func readsSeveralHistoriesOfOneArchive() async throws {
        let telegram =
            #"{"name": "Buoys", "type": "private_group", "id": 7, "messages": [{"id": 1, "type": "message", "#
            + #""date_unixtime": "1706781601", "from": "Ada", "from_id": "user3", "text": "hello"}]}"#
        let mattermost = """
            {"type": "version", "version": 1}
            {"type": "channel", "channel": {"team": "t", "name": "c", "type": "O"}}
            {"type": "post", "post": {"team": "t", "channel": "c", "user": "ada", "message": "hi", "create_at": 1}}
            """
        let file = try zip(
            [
                ("a/result.json", telegram), ("b/import.jsonl", mattermost), ("c/Crew.txt", Self.chat),
                ("c/notes.txt", "just notes"),
            ], to: "all.zip")

        let result = try await bench.run(file)

        #expect(result.report.newConversations == 3)
        #expect(result.report.insertedMessages == 4)
        #expect(result.report.skipped == [.otherFile: 1])
    }

    @Test func aPathThatLeadsOutOfTheArchiveIsPassedOverAndNamed() async throws {
        let file = try zip([("../../Crew.txt", Self.chat), ("Crew.txt", Self.chat)], to: "evil.zip")

        let result = try await bench.run(file)

        #expect(result.report.insertedMessages == 2)
        #expect(
            result.rejects.map(\.line) == [
                "\(file.path): entry 1: its path leads out of the archive, or contains forbidden characters"
            ])
    }

    @Test func aDamagedArchiveIsAnErrorThatNamesIt() async throws {
        var bytes = HandmadeZip(members: [.init("Crew.txt", Self.chat)]).bytes()
        bytes[45] ^= 1
        let wrong = try bench.write(Data(bytes), to: "wrong.zip")
        let half = try bench.write(Data(bytes.prefix(60)), to: "half.zip")
        let empty = try zip([("photo.jpg", "x")], to: "empty.zip")

        await #expect(throws: ImportFileError.damagedArchive(path: wrong.path, reason: "entry 1 is damaged or cut off"))
        {
            _ = try await bench.run(wrong)
        }
        await #expect(
            throws: ImportFileError.damagedArchive(
                path: half.path, reason: "neither zip nor tar, or cut off at its end")
        ) { _ = try await bench.run(half) }
        await #expect(throws: ImportFileError.noHistory(path: empty.path)) { _ = try await bench.run(empty) }
        #expect(try await bench.store.latestChange().count == 0)
    }
}
