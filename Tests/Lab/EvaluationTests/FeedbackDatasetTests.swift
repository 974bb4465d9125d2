import ChatCore
import Evaluation
import Foundation
import Testing

struct FeedbackDatasetTests {
    private static let team = ConversationRoster(
        conversation: Conversation(
            id: "team", name: "Team", timeZone: "Europe/Berlin", createdAt: .second(0), updatedAt: .second(0)),
        members: [
            Member(userID: "ada", displayName: "Ada", aliases: ["Countess"], joinedAt: .second(0)),
            Member(userID: "ben", displayName: "Ben", joinedAt: .second(0), leftAt: .second(9)),
        ])

    private static let messages: [Message] = [(2, "noon"), (1, "berth"), (3, "gone")].map { place, text in
        Message(
            key: MessageKey(conversationID: "team", messageID: MessageID(rawValue: "m\(place)")), senderID: "ben",
            senderName: "Ben", text: text, timestamp: .second(place), deletedAt: place == 3 ? .second(9) : nil)
    }

    private func judged(
        _ id: TurnID, _ rating: TurnFeedback.Rating?, citing cited: [MessageID], reason: String? = nil,
        by asker: UserID = "ada"
    ) -> FeedbackDataset.JudgedTurn {
        let keys = ["m1", "m2"].map { MessageKey(conversationID: "team", messageID: $0) }
        let turn = Turn(
            id: id, askerID: asker, question: "question \(id)", answer: "answer [1]", sourceKeys: keys,
            askedAt: .second(50),
            feedback: rating.map { TurnFeedback(rating: $0, reason: reason, givenAt: .second(60)) })
        return FeedbackDataset.JudgedTurn(
            turn: turn, question: "whole question \(id)", citedKeys: keys.filter { cited.contains($0.messageID) },
            reference: "answer")
    }

    @Test func aGoodAnswerGivesItsCitedMessagesAsEvidence() throws {
        let made = FeedbackDataset(
            turns: [
                judged("t1", .up, citing: ["m2"]), judged("t2", .down, citing: ["m1"], reason: "wrong berth"),
                judged("t3", .up, citing: []), judged("t4", nil, citing: ["m1"]),
            ], rosters: [Self.team], messages: Self.messages, name: "out")

        let wanted = EvaluationQuestion(
            id: "t1", conversationID: "team", question: "whole question t1", answer: "answer",
            evidence: [MessageKey(conversationID: "team", messageID: "m2")], category: "up", askerID: "ada",
            askedAt: .second(50))
        #expect(made.dataset.questions == [wanted])
        #expect(made.unlabelled.map(\.id) == ["t2", "t3"])
        #expect(made.unlabelled.map(\.category) == ["down", "up"])
        #expect(made.unlabelled.map(\.reason) == ["wrong berth", nil])
        #expect(made.unlabelled.map(\.evidence) == [[], []])
        #expect(made.unlabelled[0].shown.map(\.messageID) == ["m1", "m2"])
        #expect(made.unlabelled[0].conversationID == "team")
    }

    @Test func conversationsAreWholeAndHoldWhoAsked() throws {
        let made = FeedbackDataset(
            turns: [judged("t1", .up, citing: ["m1"], by: "eve")], rosters: [Self.team], messages: Self.messages,
            name: "out")

        let participants = try #require(made.dataset.conversations.first).participants
        #expect(participants.map(\.id) == ["ada", "eve"])
        #expect(participants.map(\.aliases) == [["Countess"], nil])
        #expect(made.dataset.messages.map(\.id) == ["m1", "m2"])
        #expect(made.dataset.messages.map(\.seq) == [0, 1])
    }

    @Test func whatIsWrittenCanBeReadAndIsNotWrittenOver() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "feedback-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let made = FeedbackDataset(
            turns: [judged("t1", .up, citing: ["m1"]), judged("t2", .down, citing: [])], rosters: [Self.team],
            messages: Self.messages, name: folder.lastPathComponent)

        try made.write(to: folder)

        let read = try EvaluationDataset(folder: folder)
        #expect(read.questions == made.dataset.questions)
        #expect(try read.contentHash() == made.dataset.contentHash())
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        // A line that a person completed is a question like any other.
        let file = folder.appending(path: FeedbackDataset.unlabelledFile)
        let line = try String(contentsOf: file, encoding: .utf8)
            .replacing(#""evidence":[]"#, with: #""evidence":["m2"]"#)
        let questions = folder.appending(path: "questions.jsonl")
        try Data((String(contentsOf: questions, encoding: .utf8) + line).utf8).write(to: questions)
        #expect(try EvaluationDataset(folder: folder).questions.map(\.id) == ["t1", "t2"])
        #expect(
            throws: EvaluationError.invalidFile(
                file: "questions.jsonl", reason: "exists already: choose another folder")
        ) { try made.write(to: folder) }
    }
}

extension Timestamp {
    fileprivate static func second(_ second: Int) -> Timestamp { Timestamp(milliseconds: Int64(second) * 1_000) }
}
