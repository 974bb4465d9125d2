import Assistant
import ChatCore
import Foundation
import HTTPAPI
import ModelClients
import NexusModel
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// The replies of the assistant are those of Tests/Fixtures/Wire, which the client library reads in its tests.
struct AssistantWireTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Wire")

    /// Compares JSON without regard to the order of keys.
    private func expect(_ value: some Encodable, _ name: String) throws {
        let file = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.folder.appending(path: name + ".json")))
        let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
        func text(_ object: Any) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
        }
        #expect(try text(written) == text(file), "\(name)")
    }

    @Test(arguments: [
        ("answer-stream", Sample.events, StubAnswering.Ending.finish),
        ("answer-failure", [Assistant.AnswerEvent.delta("Fri")], .failure(ModelServiceError.incompleteReply)),
    ])
    func aStreamIsThatOfTheFile(name: String, events: [Assistant.AnswerEvent], ending: StubAnswering.Ending)
        async throws
    {
        var parts = ServerParts()
        parts.answering = StubAnswering(events, ending: ending)

        let reply = try await withServer(parts) { server in
            try await server.send(
                "POST", "/v1/ask", #"{"question":"When?"}"#, headers: [("Accept", "text/event-stream")])
        }

        let file = try String(contentsOf: Self.folder.appending(path: name + ".txt"), encoding: .utf8)
        #expect(reply.text == file)
    }

    @Test func aFoundMessageIsThatOfTheFile() throws {
        try expect(ChatSearchResult.Found(Sample.hit, links: nil), "found")
    }

    /// Offsets count as JavaScript and Foundation do.
    @Test func aResultAndASourceShowThePlaceAndTheDuplicates() throws {
        let end = "The gauge 🌊 is with Tove."
        var message = Sample.message
        message.text = String(repeating: "We spoke of the river 🌊 again and again, all day. ", count: 12) + end
        let bytes = message.text.utf8.count
        let hit = Hit(
            message: message, conversation: Sample.hit.conversation, rank: 1, relevance: 0.5,
            place: bytes - end.utf8.count..<bytes, duplicates: [MessageKey(conversationID: "team", messageID: "m0")])

        var answer = Sample.answer
        answer.sources = [
            Source(number: nil, hit: hit, replacedBy: MessageKey(conversationID: "team", messageID: "m9"))
        ]
        let source = try #require(ChatAnswer(answer, askedAt: Sample.now, links: nil).sources.first)
        #expect(source.replacedBy == MessagePlace(conversationId: "team", messageId: "m9"))

        for wire in [
            try JSONEncoder().encode(ChatSearchResult.Found(hit, links: nil)), try JSONEncoder().encode(source),
        ] {
            let object = try #require(try JSONSerialization.jsonObject(with: wire) as? [String: Any])
            let excerpt = try #require(object["excerpt"] as? String)
            let (start, stop) = (try #require(object["start"] as? Int), try #require(object["end"] as? Int))
            #expect(excerpt.hasPrefix("We spoke") && excerpt.hasSuffix(end))
            #expect(excerpt == String(decoding: Array(message.text.utf16)[start..<stop], as: UTF16.self))
            #expect(object["duplicates"] as? [[String: String]] == [["conversationId": "team", "messageId": "m0"]])
        }
    }

    @Test func aTurnAndAThreadAreThoseOfTheFiles() throws {
        let key = Sample.message.key
        let turn = Turn(
            id: "t1", askerID: "ada", question: "When?", answer: "Friday [1]", sourceKeys: [key], askedAt: Sample.now,
            threadID: "h1", feedback: TurnFeedback(rating: .up, reason: "that was it", givenAt: Sample.now),
            reply: TurnReply(
                sources: [TurnReply.Source(key: key, number: 1, rank: 1, relevance: 0.75)],
                citations: [TurnReply.Citation(number: 1, start: 7, end: 10)], notices: ["extractive"],
                noAnswerReason: "none", mode: "hybrid"))
        let source = ReadableTurn.Source(
            message: Sample.message, conversationName: "Team", number: 1, rank: 1, relevance: 0.75)

        let later = Message(
            key: MessageKey(conversationID: "team", messageID: "m2"), senderID: "ben", senderName: "Ben",
            text: "Moved to Monday.", timestamp: Sample.now)
        let outdated = ReadableTurn.Outdated(message: later, conversationName: "Team", notedAt: Sample.now)

        try expect(
            ChatTurn(
                ReadableTurn(turn, seeing: [key], seesRest: true, sources: [source], outdated: outdated), links: nil),
            "turn")
        try expect(
            ChatThread(
                AssistantThread(
                    id: "h1", ownerID: "ada", givenTitle: "Pilot", conversationID: "team", turnCount: 2,
                    createdAt: Sample.now)),
            "thread")
    }

    @Test func itemsAreThoseOfTheFiles() throws {
        let task = ExtractedItem(
            id: "i1", kind: .actionItem, key: Sample.message.key, sentAt: Sample.now, text: "Send the plan",
            personName: "Ben", personID: "ben", due: Sample.now, priority: .high, quote: "send the plan",
            extractedAt: Sample.now)
        let decision = ExtractedItem(
            id: "i2", kind: .decision, key: Sample.message.key, sentAt: Sample.now, text: "Friday it is",
            quote: "Friday", supersededByID: "i3", extractedAt: Sample.now)

        try expect(ChatItem(task), "action-item")
        try expect(ChatItem(decision), "decision")
    }

    @Test func smartRepliesAreThoseOfTheFiles() throws {
        try expect(Assistant.SmartReplies(replies: ["Sure!", "Not today."]), "smart-replies")
        try expect(Assistant.SmartReplies(reason: .ownLastMessage), "smart-replies-none")
    }
}
