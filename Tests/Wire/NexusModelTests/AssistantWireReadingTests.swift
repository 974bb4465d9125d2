import Foundation
import NexusModel
import Testing

/// Reads the replies of the assistant in Tests/Fixtures/Wire, which the server's tests compare with what it writes.
struct AssistantWireReadingTests {
    private func data(_ name: String) throws -> Data { try Data(contentsOf: WireTests.folder.appending(path: name)) }

    private func read<Value: Decodable>(_ name: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: data(name + ".json"))
    }

    /// The events of a file, read line by line.
    private func events(_ name: String) throws -> [AnswerEvent] {
        let text = String(decoding: try data(name + ".txt"), as: UTF8.self)
        return try text.split(separator: "\n\n").map { block in
            let lines = block.split(separator: "\n")
            let name = try #require(lines.first { $0.hasPrefix("event: ") }).dropFirst(7)
            let json = try #require(lines.first { $0.hasPrefix("data: ") }).dropFirst(6)
            return try AnswerEvent(name: String(name), data: Data(json.utf8))
        }
    }

    @Test func readsAStream() throws {
        let events = try events("answer-stream")

        try #require(events.count == 5)
        guard case .retrieval(let found) = events[0], case .citation(let citation) = events[3],
            case .done(let answer) = events[4]
        else {
            Issue.record("other events")
            return
        }
        #expect(found.map(\.place) == [MessagePlace(conversationId: "team", messageId: "m1")])
        #expect(events[1...2] == [.text("Friday"), .text(" [1]")])
        #expect(citation.range(in: answer.answer).map { String(answer.answer[$0]) } == "[1]")
        #expect(answer.turnId == "turn-1" && answer.citations == [citation] && answer.noAnswerReason == .answered)
        #expect(answer.notices == [.extractive, .truncated] && answer.coverage == nil)
        #expect(answer.sources.first?.relevanceScore == 0.75 && answer.sources.first?.number == 1)
    }

    @Test func readsAFailureAndWhatALaterServerSends() throws {
        let problem = ChatProblem(
            status: 502, code: "model_incomplete_reply", detail: "the model service's reply broke off")

        #expect(try events("answer-failure") == [.text("Fri"), .failed(problem)])
        #expect(try AnswerEvent(name: "mood", data: Data("3".utf8)) == .unknown(type: "mood"))
        #expect(
            try AnswerEvent(name: "progress", data: Data(#"{"part":1,"parts":3}"#.utf8))
                == .progress(part: 1, parts: 3))
        #expect(try AnswerEvent(name: "reading", data: Data(#"{"share":0.5}"#.utf8)) == .reading(share: 0.5))
        #expect(throws: DecodingError.self) { try AnswerEvent(name: "delta", data: Data("{}".utf8)) }
    }

    @Test(arguments: [(0, 4, "e\u{301}👍ab"), (2, 3, "a"), (3, 9, nil), (-1, 2, nil), (2, 2, nil)])
    func aCitationIsCountedInCharacters(start: Int, end: Int, part: String?) {
        let text = "e\u{301}👍ab"
        let citation = ChatAnswer.Citation(
            number: 1, messageId: "m1", conversationId: "team", start: start, end: end)

        #expect(citation.range(in: text).map { String(text[$0]) } == part)
    }

    @Test func readsTurnsThreadsAndResults() throws {
        let turn: ChatTurn = try read("turn")
        let thread: ChatThread = try read("thread")
        let found: ChatSearchResult.Found = try read("found")

        #expect(turn.id == "t1" && turn.question == "When?" && turn.threadId == "h1" && !turn.isRedacted)
        #expect(turn.feedback?.rating == .up && turn.feedback?.reason == "that was it")
        #expect(
            turn.citations.map(\.number) == [1] && turn.notices == [.extractive] && turn.noAnswerReason == .answered)
        #expect(thread.title == "Pilot" && thread.conversationId == "team" && thread.turnCount == 2)
        #expect(found.place == MessagePlace(conversationId: "team", messageId: "m1") && found.senderId == "ben")
    }

    @Test func readsItemsAndReplies() throws {
        let task: ChatItem = try read("action-item")
        let decision: ChatItem = try read("decision")
        let replies: SmartReplies = try read("smart-replies")
        let none: SmartReplies = try read("smart-replies-none")

        #expect(task.text == "Send the plan" && task.personId == "ben" && task.status == "open")
        #expect(
            task.due.map { TimeText.text($0) } == "2025-10-23T10:30:00.000Z" && task.allDay == false
                && task.priority == "high")
        #expect(decision.due == nil && decision.status == nil && decision.supersededBy == "i3")
        #expect(task.kind == .actionItem && decision.kind == .decision)
        #expect(decision.place == MessagePlace(conversationId: "team", messageId: "m1"))
        #expect(replies.replies == ["Sure!", "Not today."] && replies.reason == nil)
        #expect(none.replies.isEmpty && none.reason == "own_last_message")
    }
}
