import ChatCore
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// The years 0001 to 9999 in every form in which a time comes, and rows with others.
struct TimeRangeTests {
    /// Times of the years 0 and 10,000, in every form.
    private static let beyond = [
        #""0000-06-01T00:00:00Z""#, #""9999-12-31T23:59:60Z""#, #""9999-12-31T23:00:00-02:00""#,
        #""0001-01-01T01:00:00+02:00""#, #""10000-01-01T00:00:00Z""#, "-62135596800001", "253402300800000",
        "-62135596800000.5", "253402300800000.0", "1e30", "-1e30", "9223372036854775807", "-9223372036854775808",
    ]
    private static let call = [
        #"{"_seconds":-62135596801}"#, #"{"_seconds":253402300800,"_nanoseconds":0}"#,
        #"{"_seconds":999999999999}"#, #"{"seconds":-999999999999}"#,
    ]

    @Test func noRouteTakesATimeThatCannotBeWritten() async throws {
        try await withServer { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            let bodies = [
                ("POST", "/v1/conversations/team/messages", #"{"text":"x","timestamp":T}"#),
                ("POST", "/v1/conversations", #"{"members":[{"userId":"ada"}],"createdAt":T}"#),
                ("POST", "/v1/conversations", #"{"members":[{"userId":"ada","joinedAt":T}]}"#),
                ("POST", "/v1/conversations", #"{"members":[{"userId":"ada","leftAt":T}]}"#),
                ("PUT", "/v1/conversations/team/members/ben", #"{"joinedAt":T}"#),
                ("PUT", "/v1/conversations/team/members/ben", #"{"leftAt":T}"#),
                ("POST", "/v1/ask", #"{"question":"q","from":T}"#), ("POST", "/v1/ask", #"{"question":"q","to":T}"#),
                ("POST", "/v1/ask", #"{"question":"q","asOf":T}"#), ("POST", "/v1/search", #"{"query":"q","asOf":T}"#),
                ("POST", "/v1/timeline", #"{"subject":"q","asOf":T}"#),
                ("POST", "/v1/search", #"{"query":"q","from":T}"#), ("POST", "/v1/search", #"{"query":"q","to":T}"#),
                ("POST", "/v1/conversations/team/summary", #"{"since":T}"#),
                ("POST", "/v1/conversations/team/priorities", #"{"since":T}"#),
                ("PATCH", "/v1/conversations/team/action-items/i", #"{"deadline":T}"#),
                ("PATCH", "/v1/conversations/team/deadlines/i", #"{"when":T}"#),
                ("POST", "/ragSearch", #"{"data":{"query":"q","from":T}}"#),
                ("POST", "/ragQuery", #"{"data":{"question":"q","to":T}}"#),
                (
                    "POST", "/embedNewMessage",
                    #"{"data":{"conversationId":"team","messageId":"m","senderId":"ada","text":"x","timestamp":T}}"#
                ),
            ]
            for (method, path, body) in bodies {
                for time in Self.beyond + (path == "/embedNewMessage" ? Self.call : []) {
                    let reply = try await server.send(method, path, body.replacing("T", with: time))
                    #expect(reply.status == 400, "\(path) \(time) \(reply.text)")
                }
            }
            #expect(try await server.store.teamMessages().isEmpty)
        }
    }

    /// A row as no route would write it; each list is shown, with times that clients can read.
    @Test(arguments: CallableTimestamps.allCases) func oneBadRowBreaksNoList(form: CallableTimestamps) async throws {
        for moment in [Int64.min, -62_135_596_800_000_001, 253_402_300_800_000_000, .max] {
            let bad = Timestamp(microseconds: moment)
            var message = Sample.message
            message.timestamp = bad
            message.editedAt = bad
            let wire = String(decoding: try messageDocument(message, links: nil), as: UTF8.self)
            let year = moment < 0 ? "0001-01-01T00:00:00.000Z" : "9999-12-31T23:59:59.999Z"
            #expect(wire.contains(#""timestamp":"\#(year)""#))
            #expect(wire.contains(#""editedAt":"\#(year)""#))

            let hit = Hit(message: message, conversation: Sample.hit.conversation, rank: 1, relevance: 0.5)
            var parts = ServerParts()
            parts.settings.callableTimestamps = form
            parts.searching = StubSearching(.success([hit, Sample.hit]))
            // The replies are compared with the description of the API, which says what a time is.
            try await withServer(parts) { server in
                let call = try await server.send("POST", "/ragSearch", #"{"data":{"query":"q"}}"#)
                let plain = try await server.send("POST", "/v1/search", #"{"query":"q"}"#)
                #expect(statuses(call, plain) == [200, 200])
                try await server.store.record(
                    Turn(id: "t1", askerID: "ada", question: "q", answer: "a", sourceKeys: [], askedAt: bad))
                try await server.store.create(AssistantThread(id: "h1", ownerID: "ada", createdAt: bad))
                let turns = try await server.send("GET", "/v1/turns")
                let threads = try await server.send("GET", "/v1/threads")
                let export = try await server.send("GET", "/v1/threads/h1/export")
                #expect(statuses(turns, threads, export) == [200, 200, 200])
                #expect(turns.text.contains(year))
                #expect(threads.text.contains(year))
            }
        }
    }
}
