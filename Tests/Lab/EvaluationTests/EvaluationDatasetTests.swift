import ChatCore
import Evaluation
import Foundation
import Testing

@Suite struct EvaluationDatasetTests {
    @Test func readsAFolderAndIgnoresUnknownFields() throws {
        let dataset = try Fixture.withFolder { folder in
            try Fixture.write(
                conversations: "\u{FEFF}"
                    + #"{"id":"c1","participants":[{"id":"ada","name":"Ada","aliases":["A"],"joinedAt":"x"}],"split":"dev"}"#
                    + "\r\n\r\n" + #"{"id":"c2","participants":[],"name":"two"}"# + "\r\n",
                messages: Fixture.message("m1") + "\n" + Fixture.message("m2", in: "c2"),
                questions:
                    #"{"id":"q1","conversationId":"c1","question":"?","answer":2022,"evidence":["m1","m2","m1"],"#
                    + #""category":"temporal","askerId":"ada","askedAt":"2026-02-01T00:00:00Z","hiddenEvidence":["m2"]}"#
                    + "\n" + #"{"id":"q2","conversationId":"c2","question":"?","category":"unanswerable"}"#,
                to: folder)
            return try EvaluationDataset(folder: folder)
        }

        #expect(dataset.conversations.map(\.id) == ["c1", "c2"])
        #expect(dataset.conversations[0].participants[0].aliases == ["A"])
        #expect(dataset.messages.map(\.key) == [MessageKey("c1", "m1"), MessageKey("c2", "m2")])
        #expect(dataset.messages[0].timestamp.iso8601 == "2026-01-02T03:04:05.000Z")
        let first = dataset.questions[0]
        #expect(first.answer == "2022")
        #expect(first.evidence == [MessageKey("c1", "m1"), MessageKey("c2", "m2")])
        #expect(first.hiddenEvidence == [MessageKey("c2", "m2")])
        #expect(first.askerID == "ada")
        #expect(first.isAnswerable)
        #expect(dataset.questions[1].evidence.isEmpty)
        #expect(!dataset.questions[1].isAnswerable)
        #expect(dataset.message(at: MessageKey("c2", "m2"))?.senderName == "Ada")
        #expect(dataset.message(at: MessageKey("c1", "m2")) == nil)
    }

    @Test func evidenceIsOfTheQuestionsOwnConversationFirst() throws {
        let dataset = try Fixture.withFolder { folder in
            try Fixture.write(
                conversations: #"{"id":"c1","participants":[]}"# + "\n" + #"{"id":"c2","participants":[]}"# + "\n"
                    + #"{"id":"c3","participants":[]}"#,
                messages: [("1", "c1"), ("1", "c2"), ("2", "c2")].map { Fixture.message($0.0, in: $0.1) }
                    .joined(separator: "\n"),
                questions: #"{"id":"q1","conversationId":"c2","question":"?","evidence":["1"],"category":"x"}"# + "\n"
                    + #"{"id":"q2","conversationId":"c1","question":"?","evidence":["1","2"],"category":"x"}"# + "\n"
                    + #"{"id":"q3","conversationId":"c3","question":"?","category":"x","#
                    + #""evidence":["2",{"conversationId":"c2","messageId":"1"},"1",{"conversationId":"c1","messageId":"2"}]}"#,
                to: folder)
            return try EvaluationDataset(folder: folder, evidence: .lenient)
        }

        #expect(dataset.questions[0].evidence == [MessageKey("c2", "1")])
        #expect(dataset.questions[1].evidence == [MessageKey("c1", "1"), MessageKey("c2", "2")])
        #expect(dataset.questions[2].evidence == [MessageKey("c2", "2"), MessageKey("c2", "1")])
        #expect(dataset.unknownEvidence == ["q3: 1", "q3: c1/2"])
        #expect(dataset.documentName(of: MessageKey("c2", "2")) == "2")
        #expect(dataset.documentName(of: MessageKey("c2", "1")) == "c2/1")
    }

    @Test func unknownEvidenceIsAnErrorUnlessListed() throws {
        try Fixture.withFolder { folder in
            try Fixture.write(
                messages: Fixture.message("m1"),
                questions:
                    #"{"id":"q1","conversationId":"c1","question":"?","evidence":["m1","gone",""],"category":"x"}"#,
                to: folder)

            #expect(throws: EvaluationError.unknownEvidence(count: 2, first: ["q1: gone", "q1: "])) {
                try EvaluationDataset(folder: folder)
            }
            let lenient = try EvaluationDataset(folder: folder, evidence: .lenient)
            #expect(lenient.unknownEvidence == ["q1: gone", "q1: "])
            #expect(lenient.questions[0].evidence == [MessageKey("c1", "m1")])
        }
    }

    @Test(arguments: [
        (
            "messages", "\n{\"id\":1}",
            EvaluationError.invalidLine(file: "messages.jsonl", line: 2, reason: "id is not a text")
        ),
        ("messages", "{\"id\":\"m\"", .invalidLine(file: "messages.jsonl", line: 1, reason: "not valid JSON")),
        (
            "messages", "{\"id\":\"m\"}",
            .invalidLine(file: "messages.jsonl", line: 1, reason: "conversationId is missing")
        ),
        (
            "messages", Fixture.message("m", in: "c9"),
            .invalidLine(file: "messages.jsonl", line: 1, reason: "no conversation has the id c9")
        ),
        (
            "messages", Fixture.message("m") + "\n\n" + Fixture.message("m"),
            .duplicate(file: "messages.jsonl", line: 3, id: "c1/m")
        ),
        (
            "conversations", #"{"id":"c1","participants":[{"id":"a","name":null}]}"#,
            .invalidLine(file: "conversations.jsonl", line: 1, reason: "participants.0.name is null")
        ),
        (
            "questions", #"{"id":"q","conversationId":"c1","question":"?","category":"x","askedAt":"secret words"}"#,
            .invalidLine(file: "questions.jsonl", line: 1, reason: "askedAt is not valid")
        ),
    ])
    func faultsAreNamedByFileAndLineWithoutValues(file: String, content: String, expected: EvaluationError) throws {
        try Fixture.withFolder { folder in
            try Fixture.write(messages: Fixture.message("m0"), questions: "", to: folder)
            try Data(content.utf8).write(to: folder.appending(path: "\(file).jsonl"))

            #expect(throws: expected) { try EvaluationDataset(folder: folder) }
        }
    }

    @Test func aMissingFileIsNamed() throws {
        try Fixture.withFolder { folder in
            let missing = folder.appending(path: "conversations.jsonl").path
            #expect(throws: EvaluationError.unreadable(file: missing)) {
                try EvaluationDataset(folder: folder)
            }
        }
    }

    @Test func theHashIsOfTheContentOnly() throws {
        let messages = [Fixture.message("m1"), Fixture.message("m2", seq: 1)]
        let question = #"{"id":"q1","conversationId":"c1","question":"?","evidence":["m1"],"category":"x"}"#
        func hash(_ messages: [String], _ question: String) throws -> String {
            try Fixture.withFolder { folder in
                try Fixture.write(messages: messages.joined(separator: "\n"), questions: question, to: folder)
                return try EvaluationDataset(folder: folder).contentHash()
            }
        }

        let plain = try hash(messages, question)
        let reordered = try hash(
            messages.reversed(),
            #"{"category":"x","id":"q1","conversationId":"c1","question":"?","evidence":["m1"],"split":"dev"}"#)
        let other = try hash(messages, question.replacing("m1", with: "m2"))

        #expect(plain.count == 64)
        #expect(plain == reordered)
        #expect(plain != other)
        #expect(try hash([messages[0], Fixture.message("m2", seq: 1, text: "ho")], question) != plain)
    }

    @Test func whatIsWrittenIsReadBack() throws {
        var dataset = smallDataset(messages: 3, questions: [question("q1", ["m2", "m1"]), question("q2", [])])
        var graded = question("q3", ["m3", "m1"], answer: "</script> “x”")
        graded.grades = [2, 1]
        dataset = EvaluationDataset(
            name: "small", conversations: dataset.conversations, messages: dataset.messages,
            questions: dataset.questions + [graded])

        let copy = try Fixture.withFolder { folder in
            try dataset.write(to: folder.appending(path: "inner"))
            return try EvaluationDataset(folder: folder.appending(path: "inner"))
        }

        #expect(copy.questions == dataset.questions)
        #expect(copy.messages == dataset.messages)
        #expect(copy.conversations == dataset.conversations)
        #expect(copy.name == "inner")
        #expect(try copy.contentHash() == dataset.contentHash())
    }

    @Test func readsTheCommittedSample() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../eval/datasets/harbor").standardizedFileURL

        let dataset = try EvaluationDataset(folder: folder)

        #expect(dataset.conversations.count == 10)
        #expect(dataset.messages.count == 720)
        #expect(dataset.questions.count == 118)
        #expect(dataset.questions.filter(\.isAnswerable).count == 98)
        #expect(dataset.questions.filter { !$0.hiddenEvidence.isEmpty }.count == 11)
        #expect(dataset.documentName(of: MessageKey("general", "general-001")) == "general-001")
    }
}
