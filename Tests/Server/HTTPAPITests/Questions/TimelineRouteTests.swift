import Assistant
import ChatCore
import NexusModel
import Retrieval
import ServerTestSupport
import Testing

/// `POST /v1/timeline`, and `asOf` of the routes that find messages.
struct TimelineRouteTests {
    /// Makes a hit of the conversation `team`, sent some hours after 2025-10-20 10:30 UTC.
    private static func hit(_ id: MessageID, _ text: String, rank: Int, hours: Int) -> Hit {
        var message = Message(
            key: MessageKey(conversationID: "team", messageID: id), senderID: "ben", senderName: "Ben", text: text,
            timestamp: Sample.now + .seconds((hours - 72) * 3_600))
        message.url = "https://chat.example/\(id.rawValue)"
        return Hit(message: message, conversation: Sample.hit.conversation, rank: rank, relevance: 0.75)
    }

    private static let hits = [
        hit("m1", "Hello. The launch is on 12 November.", rank: 1, hours: 0),
        hit("m2", "The launch is moved to 20 November.", rank: 2, hours: 24),
    ]

    @Test func theValidStatementComesFirst() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success(Self.hits))

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/timeline", #"{"subject":"launch","conversationIds":["team"]}"#)
        }

        #expect(reply.status == 200)
        #expect(
            reply.text
                == #"{"entries":[{"conversationId":"team","conversationName":"Team","end":35,"#
                + #""excerpt":"The launch is moved to 20 November.","messageId":"m2","#
                + #""replaces":[{"conversationId":"team","messageId":"m1"}],"senderId":"ben","senderName":"Ben","start":0,"#
                + #""states":[{"kind":"date","text":"20 November","value":"2025-11-20"}],"#
                + #""timestamp":"2025-10-21T10:30:00.000Z","url":"https://chat.example/m2"},"#
                + #"{"conversationId":"team","conversationName":"Team","end":36,"#
                + #""excerpt":"The launch is on 12 November.","messageId":"m1","#
                + #""replacedBy":{"conversationId":"team","messageId":"m2"},"senderId":"ben","senderName":"Ben","start":7,"#
                + #""states":[{"isReplaced":true,"kind":"date","text":"12 November","value":"2025-11-12"}],"#
                + #""timestamp":"2025-10-20T10:30:00.000Z","url":"https://chat.example/m1"}],"#
                + #""noAnswerReason":"none"}"#)
        let search = try #require(parts.searching.requests.first)
        #expect(search.scope == SearchScope(asker: "ada", conversations: .only(["team"])))
    }

    @Test func aDayEndsInTheZoneOfTheRequest() async throws {
        var parts = ServerParts()
        parts.searching = StubSearching(.success([]))
        let fields = #","asOf":"2025-10-21","timeZone":"Europe/Berlin""#

        let replies = try await withServer(parts) { server in
            [
                try await server.send("POST", "/v1/timeline", #"{"subject":"launch"\#(fields)}"#),
                try await server.send("POST", "/v1/search", #"{"query":"launch"\#(fields)}"#),
                try await server.send(
                    "POST", "/v1/search", #"{"query":"launch","to":"2025-10-20T00:00:00Z"\#(fields)}"#),
            ]
        }

        #expect(replies.map(\.status) == [200, 200, 200])
        #expect(replies[0].text == #"{"asOf":"2025-10-21","entries":[],"noAnswerReason":"nothing_in_scope"}"#)
        #expect(
            parts.searching.requests.map { $0.filter.to?.iso8601 } == [
                "2025-10-21T22:00:00.000Z", "2025-10-21T22:00:00.000Z", "2025-10-20T00:00:00.000Z",
            ])
    }

    @Test func aQuestionTakesItToo() async throws {
        var parts = ServerParts()
        let answering = StubAnswering(Sample.events)
        parts.answering = answering

        let reply = try await withServer(parts) {
            try await $0.send("POST", "/v1/ask", #"{"question":"When?","asOf":"2025-10-21T08:00:00Z"}"#)
        }

        #expect(reply.status == 200)
        let request = try #require(answering.requests.first)
        #expect(request.asOf != nil)
        #expect(request.filter.to?.iso8601 == "2025-10-21T08:00:00.001Z")
    }

    @Test(arguments: [
        #"{"subject":""}"#, #"{"subject":"x","asOf":"1 October"}"#, #"{"subject":"x","asOf":"2025-02-30"}"#,
        #"{"subject":"x","asOf":["2025-10-01"]}"#, #"{"subject":"x","topK":5}"#, #"{"query":"x"}"#,
        #"{"subject":"x","asOf":"2025-10-01","from":"2025-10-05T00:00:00Z"}"#,
    ])
    func aWrongRequestIsRefused(body: String) async throws {
        let reply = try await withServer { try await $0.send("POST", "/v1/timeline", body) }

        #expect(reply.status == 400, "\(reply.text)")
    }
}
