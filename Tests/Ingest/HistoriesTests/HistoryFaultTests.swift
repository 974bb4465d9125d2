import ChatCore
import Foundation
import Histories
import TestSupport
import Testing

/// Numbers and bytes that no application writes: each loses at most the item that it is in.
@Suite struct HistoryFaultTests {
    private let bench: HistoryBench

    init() throws {
        bench = try HistoryBench()
    }

    private static let extremes = [
        "9223372036854775807", "-9223372036854775808", "1e300", "253402300800000", "-62135596800001",
    ]

    @Test(arguments: extremes + ["10000000000000"]) func noTimeOfSlackEndsAnImport(value: String) async throws {
        try bench.write(#"[{"id": "U1", "name": "ada"}]"#, to: "e/users.json")
        try bench.write(
            #"[{"id": "C1", "name": "pier", "created": \#(value), "members": ["U1"]}]"#, to: "e/channels.json")
        try bench.write(
            #"[{"user": "U1", "text": "kept", "ts": "1452837318.000002"}, {"user": "U1", "text": "x", "ts": "\#(value)"}, "#
                + #"{"user": "U1", "text": "x", "ts": "999999999999.000000"}]"#, to: "e/pier/2016-01-15.json")

        let result = try await bench.run(bench.folder.appending(path: "e"))

        #expect(result.report.insertedMessages == 1)
        #expect(result.report.rejectedItems >= 2)
        let roster = try await bench.roster(of: "slack-C1", asker: "slack-U1")
        #expect(roster.conversation.createdAt == Timestamp(iso8601: "2016-01-15T05:55:18.000002Z"))
    }

    @Test(arguments: extremes) func noTimeOfOtherFormatsEndsAnImport(value: String) async throws {
        let files = [
            try bench.write(
                #"{"name": "a", "type": "private_group", "id": 1, "messages": [{"id": 1, "type": "message", "#
                    + #""date_unixtime": \#(value), "from_id": "user1", "text": "x"}, {"id": 2, "type": "message", "#
                    + #""date_unixtime": "1700000000", "from_id": "user1", "text": "kept"}]}"#, to: "telegram.json"),
            try bench.write(
                #"{"room_name": "a", "messages": [{"type": "m.room.message", "event_id": "$1", "sender": "@a:x", "#
                    + #""origin_server_ts": \#(value), "content": {"msgtype": "m.text", "body": "x"}}, "#
                    + #"{"type": "m.room.message", "event_id": "$2", "sender": "@a:x", "#
                    + #""origin_server_ts": 1700000000000, "content": {"msgtype": "m.text", "body": "kept"}}]}"#,
                to: "element.json"),
            try bench.write(
                #"""
                {"type": "version", "version": 1}
                {"type": "channel", "channel": {"team": "t", "name": "c"}}
                {"type": "user", "user": {"username": "a", "teams": [{"name": "t", "channels": [{"name": "c"}]}]}}
                {"type": "post", "post": {"team": "t", "channel": "c", "user": "a", "message": "x", "create_at": \#(value)}}
                {"type": "post", "post": {"team": "t", "channel": "c", "user": "a", "message": "kept", "create_at": 1700000000000, "edit_at": \#(value)}}
                """#, to: "mattermost.jsonl"),
            try bench.write(
                #"""
                {"id": "own", "participants": [{"id": "a"}]}
                {"id": "1", "conversationId": "own", "senderId": "a", "text": "x", "timestamp": \#(value)}
                {"id": "2", "conversationId": "own", "senderId": "a", "text": "kept", "timestamp": 1700000000000}
                """#, to: "own.jsonl"),
        ]

        for file in files {
            let result = try await bench.run(file)
            #expect(result.report.insertedMessages == 1, "\(file.lastPathComponent)")
            #expect(result.report.rejectedItems == 1, "\(file.lastPathComponent)")
        }
        let own = try await bench.messages(in: "own", asker: "a")
        #expect(own.map(\.timestamp) == [Timestamp(milliseconds: 1_700_000_000_000)])
        #expect(try await bench.roster(of: "own", asker: "a").conversation.createdAt == own.first?.timestamp)
    }

    @Test func yearsBeforeTheFirstAreNoTimes() async throws {
        let file = try bench.write(
            #"""
            {"id": "own", "participants": [{"id": "a"}]}
            {"id": "1", "conversationId": "own", "senderId": "a", "text": "x", "timestamp": "0000-12-31T00:00:00Z"}
            {"id": "2", "conversationId": "own", "senderId": "a", "text": "x", "timestamp": "0001-01-01T00:00:00+01:00"}
            """#, to: "own.jsonl")

        #expect(try await bench.run(file).report.rejectedItems == 2)
    }

    @Test func aBrokenMessageInADayOfSlackLosesItselfOnly() async throws {
        try bench.write(
            #"[{"id": "U1", "name": "ada"}, {"id": "U2" "name": 5}, {"id": "U3", "name": "cyd"}]"#, to: "e/users.json")
        try bench.write(#"[{"id": "C1", "name": "pier", "members": ["U1"]}]"#, to: "e/channels.json")
        var day = Data(#"[{"user": "U1", "text": "one", "ts": "1452837318.1"}, {"user": "U1", "text": ""#.utf8)
        day += [0xFF, 0xFE]
        day += Data(
            #"", "ts": "1452837319.1"}, {"user": U1}, 5, , {"user": "U3", "text": "two", "ts": "1452837320.1"}]"#.utf8)
        try bench.write(day, to: "e/pier/2016-01-15.json")

        let result = try await bench.run(bench.folder.appending(path: "e"))

        #expect(try await bench.messages(in: "slack-C1", asker: "slack-U1").map(\.text) == ["one", "two"])
        #expect(
            result.rejects.map { $0.reason.prefix(14) } == [
                "not valid JSON", "not valid UTF-", "not valid JSON", "not a JSON obj", "not valid JSON",
            ])
        #expect(try await bench.store.identities().map(\.externalID) == ["slack-U1", "slack-U3"])
    }

    @Test func sizesThatArchivesMakeUpAreNotBelieved() async throws {
        let lines =
            #"{"id": "own", "participants": [{"id": "a"}]}"# + "\n"
            + #"{"id": "1", "conversationId": "own", "senderId": "a", "text": "x", "timestamp": 1700000000000}"#
        var entries = Zip64.entry("a.jsonl", Array(lines.utf8), saidByteCount: UInt64(Int64.max))
        entries.append(contentsOf: Zip64.entry("b.txt", [0x78], saidByteCount: UInt64(Int64.max)))
        entries.append(contentsOf: Zip64.entry("c.txt", [0x78], saidByteCount: .max))
        let file = try bench.write(Data(Zip64.bytes(entries)), to: "own.zip")

        // libarchive may refuse it; the process must not end.
        do {
            _ = try await bench.run(file)
            _ = try await bench.preview(file)
        } catch is ImportFileError {}
    }
}

/// A zip whose sizes have 64 bits and lie.
private enum Zip64 {
    struct Entry {
        var name: [UInt8]
        var data: [UInt8]
        var saidByteCount: UInt64
    }

    static func entry(_ name: String, _ data: [UInt8], saidByteCount: UInt64) -> [Entry] {
        [Entry(name: Array(name.utf8), data: data, saidByteCount: saidByteCount)]
    }

    static func bytes(_ entries: [Entry]) -> [UInt8] {
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = UInt64(file.count)
            let extra = numbers([(1, 2), (16, 2), (entry.saidByteCount, 8), (UInt64(entry.data.count), 8)])
            let checksum = UInt64(HandmadeZip.checksum(of: entry.data))
            let common =
                numbers([(45, 2), (0, 2), (0, 2), (0, 4), (checksum, 4), (0xFFFF_FFFF, 4), (0xFFFF_FFFF, 4)])
                + numbers([(UInt64(entry.name.count), 2), (UInt64(extra.count), 2)])
            file += numbers([(0x0403_4B50, 4)]) + common + entry.name + extra + entry.data
            directory += numbers([(0x0201_4B50, 4), (3 << 8 | 45, 2)]) + common
            directory += numbers([(0, 2), (0, 2), (0, 2), (0o100644 << 16, 4), (offset, 4)]) + entry.name + extra
        }
        let end = numbers([
            (0x0605_4B50, 4), (0, 4), (UInt64(entries.count), 2), (UInt64(entries.count), 2),
            (UInt64(directory.count), 4), (UInt64(file.count), 4), (0, 2),
        ])
        return file + directory + end
    }

    private static func numbers(_ fields: [(value: UInt64, byteCount: Int)]) -> [UInt8] {
        fields.flatMap { field in
            (0..<field.byteCount).map { UInt8(truncatingIfNeeded: field.value >> (8 * UInt64($0))) }
        }
    }
}
