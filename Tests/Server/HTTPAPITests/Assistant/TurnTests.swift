import Assistant
import ChatCore
import Foundation
import HTTPAPI
import Prompting
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Past questions as they are shown again.
struct TurnTests {
    private static let ben = [(name: "X-Nexus-User", value: "ben")]
    private static let answer = "Thursday [2], then Friday [1, 2]."

    /// A server whose answers come from a model that says `reply`, about two messages of the conversation `team`.
    private func withTeam<Value: Sendable>(
        _ reply: String = answer, links: MessageLinkTemplate? = nil, _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        var parts = ServerParts()
        parts.settings.messageLinks = links
        let hits = [("m1", "The launch is on Friday."), ("m2", "It was on Thursday.")].enumerated().map { place, said in
            Hit(
                message: Message(
                    key: .of("team", MessageID(rawValue: said.0)), senderID: "ben", senderName: "Ben", text: said.1,
                    timestamp: Sample.now),
                conversation: PermittedConversation(
                    id: "team", number: ConversationNumber(rawValue: 1), displayName: "Team", timeZone: nil,
                    isMember: true), rank: place + 1, relevance: 0.75)
        }
        let searching = StubSearching(.success(hits))
        parts.real = (
            searching,
            AnswerService(
                searching: searching,
                session: ModelSession(
                    model: FakeLanguageModel(replies: [.text(reply)]), prompts: try PromptLibrary(overrides: nil),
                    now: { Sample.now }, logger: parts.logger),
                turns: parts.store)
        )
        return try await withServer(parts) { server in
            _ = try await server.send(
                "POST", "/v1/conversations",
                #"{"id":"team","name":"Team","members":[{"userId":"ada"},{"userId":"ben","name":"Ben"}]}"#)
            for (id, text, url) in [
                ("m1", "The launch is on Friday.", #","url":"https://chat.example.com/m1""#),
                ("m2", "It was on Thursday.", ""),
            ] {
                let reply = try await server.send(
                    "POST", "/v1/conversations/team/messages",
                    #"{"id":"\#(id)","senderId":"ben","text":"\#(text)","timestamp":1761215400000\#(url)}"#)
                #expect(reply.status == 201, "\(reply.text)")
            }
            return try await body(server)
        }
    }

    private func json(_ reply: Reply) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any], "\(reply.text)")
    }

    private func sources(_ turn: [String: Any]) throws -> [[String: Any]] {
        try #require(turn["sources"] as? [[String: Any]])
    }

    @Test func aTurnShowsWhatTheAnswerShowed() async throws {
        let (answer, turn, listed) = try await withTeam { server in
            let answer = try await server.send("POST", "/v1/ask", #"{"question":"When is the launch?"}"#)
            let path = "/v1/turns/\(answer.field("turnId") ?? "")"
            return (answer, try await server.send("GET", path), try await server.send("GET", "/v1/turns"))
        }

        #expect(statuses(answer, turn, listed) == [200, 200, 200])
        let (said, kept) = (try json(answer), try json(turn))
        #expect(said["answer"] as? String == "Thursday [1], then Friday [2, 1].")
        for field in ["answer", "citations", "sentences", "notices", "noAnswerReason"] {
            #expect((kept[field] as? NSObject) == (said[field] as? NSObject), "\(field)")
            #expect(kept[field] != nil, "\(field)")
        }
        #expect((kept["retrieval"] as? [String: String]) == ["mode": "dense_only"])
        let found = try sources(kept)
        #expect(found.map { $0["messageId"] as? String } == ["m1", "m2"])
        #expect(found.map { $0["number"] as? Int } == [2, 1])
        #expect(found.map { $0["excerpt"] as? String } == ["The launch is on Friday.", "It was on Thursday."])
        #expect(found.map { $0["conversationName"] as? String } == ["Team", "Team"])
        #expect(found.map { $0["senderName"] as? String } == ["Ben", "Ben"])
        #expect(found.map { $0["relevanceScore"] as? Double } == [0.75, 0.75])
        #expect(found.map { $0["url"] as? String } == ["https://chat.example.com/m1", nil])
        #expect(
            (try json(listed)["turns"] as? [[String: Any]])?.first?["answer"] as? String == said["answer"] as? String)
    }

    @Test func excerptsAreThoseOfTheMessagesNowForWhomMaySeeThem() async throws {
        let (edited, left) = try await withTeam("Thursday [2].") { server in
            let id =
                try await server.send("POST", "/v1/ask", #"{"question":"When?"}"#, headers: Self.ben)
                .field("turnId") ?? ""
            _ = try await server.send(
                "PATCH", "/v1/conversations/team/messages/m1", #"{"text":"No launch."}"#, headers: Self.ben)
            let edited = try await server.send("GET", "/v1/turns/\(id)", headers: Self.ben)
            _ = try await server.send("DELETE", "/v1/conversations/team/members/ben")
            return (edited, try await server.send("GET", "/v1/turns/\(id)", headers: Self.ben))
        }

        #expect(edited.text.contains("No launch.") && !edited.text.contains("The launch is on Friday."))
        #expect(try sources(try json(left)).isEmpty)
        #expect(left.field("isRedacted") == "1")
        #expect((try json(left)["citations"] as? [Any])?.isEmpty == true)
        #expect(try json(left)["sentences"] == nil)
        #expect(!left.text.contains("Thursday"))
    }

    @Test func aCheckedSentenceSaysWhatTheMessagesSayAboutIt() async throws {
        let answer = try await withTeam("The launch is on Friday. It was on Wednesday [2].") { server in
            try await server.send("POST", "/v1/ask", #"{"question":"When is the launch?"}"#)
        }

        let said = try json(answer)
        #expect(said["answer"] as? String == "The launch is on Friday [1]. It was on Wednesday [2].")
        let sentences = try #require(said["sentences"] as? [[String: Any]])
        #expect(sentences.map { $0["support"] as? String } == ["supported", "contradicted"])
        #expect(sentences.map { $0["start"] as? Int } == [0, 29] && sentences.map { $0["end"] as? Int } == [28, 53])
        #expect(sentences.map { ($0["reasons"] as? [String])?.first } == [nil, "date"])
        #expect(
            (said["citations"] as? [[String: Any]])?.map { $0["support"] as? String } == ["supported", "contradicted"])
    }

    @Test func aForeignTurnIsLikeNoneAndADeletedOneIsGone() async throws {
        let replies = try await withTeam { server in
            let id = try await server.send("POST", "/v1/ask", #"{"question":"When?"}"#).field("turnId") ?? ""
            return [
                try await server.send("GET", "/v1/turns/\(id)", headers: Self.ben),
                try await server.send("GET", "/v1/turns/none", headers: Self.ben),
                try await server.send("DELETE", "/v1/turns/\(id)", headers: Self.ben),
                try await server.send("DELETE", "/v1/turns/none", headers: Self.ben),
                try await server.send("GET", "/v1/turns/\(id)"),
                try await server.send("DELETE", "/v1/turns/\(id)"),
                try await server.send("GET", "/v1/turns/\(id)"),
                try await server.send("GET", "/v1/turns/\(id)/trace"),
                try await server.send("GET", "/v1/turns"),
            ]
        }

        #expect(replies.map(\.status) == [404, 404, 404, 404, 200, 204, 404, 404, 200])
        #expect(replies[0].text == replies[1].text && replies[2].text == replies[3].text)
        #expect(replies[8].text == #"{"turns":[]}"#)
    }

    @Test func anExportNamesTheCitedMessages() async throws {
        let template = try #require(
            MessageLinkTemplate("https://app.example.com/{conversationId}?message={messageId}"))
        let export = try await withTeam("Thursday [2].", links: template) { server in
            let id = try await server.thread()
            _ = try await server.send("POST", "/v1/ask", #"{"question":"When?","threadId":"\#(id)"}"#)
            return try await server.send("GET", "/v1/threads/\(id)/export")
        }

        #expect(
            export.text.hasSuffix(
                "Thursday [1].\n\nSources:\n\n"
                    + "- [1] Ben, 2025-10-23, Team <https://app.example.com/team?message=m2>: It was on Thursday.\n"))
    }

    @Test func aTurnOfBeforeCitesByThePlacesInItsPrompt() async throws {
        let turn = try await withTeam { server in
            try await server.store.record(
                Turn(
                    id: "old", askerID: "ada", question: "When?", answer: "Thursday [2].",
                    sourceKeys: [.of("team", "m1"), .of("team", "m2")], askedAt: Sample.now))
            return try await server.send("GET", "/v1/turns/old")
        }

        let shown = try json(turn)
        let citations = try #require(shown["citations"] as? [[String: Any]])
        #expect(citations.map { $0["messageId"] as? String } == ["m2"])
        #expect(citations.map { $0["start"] as? Int } == [9])
        #expect(try sources(shown).map { $0["number"] as? Int } == [nil, 2])
        #expect(shown["noAnswerReason"] == nil)
    }

    @Test(arguments: [
        "ftp://example.com/a", "javascript:alert(1)", "https://", "https://ada@example.com/", "https://a b", "/m/1",
        "https://exämple.com/", "https://example.com/" + String(repeating: "a", count: 2_048),
    ]) func aLinkThatIsNoneIsRefused(url: String) async throws {
        let reply = try await withTeam { server in
            try await server.send(
                "POST", "/v1/conversations/team/messages", #"{"id":"m3","senderId":"ben","text":"x","url":"\#(url)"}"#)
        }

        #expect(reply.status == 400)
        #expect(reply.field("field") == "url")
    }

    @Test func searchesNameTheConversationAndLinkToTheMessage() async throws {
        let replies = try await withTeam { server in
            [
                try await server.send("POST", "/v1/search", #"{"query":"launch"}"#),
                try await server.send("POST", "/ragSearch", #"{"data":{"query":"launch"}}"#),
            ]
        }

        for reply in replies {
            #expect(reply.text.contains(#""conversationId":"team","conversationName":"Team""#), "\(reply.text)")
        }
    }

    @Test func aStreamGivesEachNumberItsFinalValue() async throws {
        let text = try await withTeam { server in
            let response = try await server.stream(
                "/v1/ask", #"{"question":"When?"}"#, headers: [(name: "Accept", value: "text/event-stream")])
            var data = Data()
            for try await chunk in response.body { data.append(chunk) }
            return String(decoding: data, as: UTF8.self)
        }

        func data(_ event: String) throws -> [[String: Any]] {
            try text.components(separatedBy: "\n\n").filter { $0.contains("event: \(event)\n") }.map { frame in
                let json = frame.components(separatedBy: "data: ")[1]
                return try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            }
        }
        let found = try #require(try data("retrieval").first?["sources"] as? [[String: Any]])
        #expect(found.allSatisfy { $0["number"] == nil })
        #expect(
            try data("delta").compactMap { $0["text"] as? String }.joined() == "Thursday [1], then Friday [2, 1].")
        #expect(try data("citation").map { $0["number"] as? Int } == [1, 2, 1])
        #expect(try data("citation").map { $0["messageId"] as? String } == ["m2", "m1", "m2"])
    }
}
