import ChatCore
import Evaluation
import Foundation
import Testing

@Suite struct DatasetConverterTests {
    private func convert(_ form: DatasetConverter, _ paths: String...) throws -> ConvertedDataset {
        try form.convert(paths.map { Fixture.url("conversion/\($0)") })
    }

    private func evidence(_ dataset: EvaluationDataset) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: dataset.questions.map { ($0.id, $0.evidence.map(\.messageID.rawValue)) })
    }

    @Test func locomoHasSessionsInOrderAndCaptionsInBrackets() throws {
        let converted = try convert(.locomo, "locomo.json")
        let dataset = converted.dataset

        #expect(dataset.name == "locomo")
        #expect(dataset.conversations.map(\.id) == ["locomo-7"])
        #expect(dataset.conversations[0].participants.map(\.id) == ["locomo-7-ines", "locomo-7-bo"])
        #expect(
            dataset.messages.map(\.id.rawValue) == ["locomo-7/D1:1", "locomo-7/D1:2", "locomo-7/D1:3", "locomo-7/D2:1"])
        #expect(dataset.messages.map(\.seq) == [0, 1, 2, 3])
        #expect(dataset.messages[1].text == "My kayak, since 2021. [a photo of a kayak]")
        #expect(
            dataset.messages.map(\.timestamp.iso8601) == [
                "2023-05-08T13:56:00.000Z", "2023-05-08T13:57:00.000Z", "2023-05-08T13:58:00.000Z",
                "2023-05-25T00:05:00.000Z",
            ])
        #expect(
            evidence(dataset) == [
                "locomo-7-q000": ["locomo-7/D1:2"], "locomo-7-q001": ["locomo-7/D2:1", "locomo-7/D1:3"],
                "locomo-7-q003": ["locomo-7/D1:2"], "locomo-7-q004": ["locomo-7/D1:2"],
            ])
        #expect(dataset.questions.map(\.category) == ["temporal", "multi-hop", "single-hop", "adversarial"])
        #expect(dataset.questions.map(\.answer) == ["2021", "soup, bread", "Ines", "2021"])
        #expect(
            converted.notes == [
                "2 evidence entries name no message and were left out",
                "1 questions have no evidence and were left out",
            ])
    }

    @Test func longMemEvalHasAConversationForEachQuestion() throws {
        let converted = try convert(.longmemeval, "longmemeval.json")
        let dataset = converted.dataset

        #expect(dataset.conversations.map(\.id) == ["longmemeval-e47b", "longmemeval-e48c_abs", "longmemeval-e49d"])
        #expect(
            dataset.messages.map(\.id.rawValue) == [
                "e47b/filler/0", "e47b/answer_1/0", "e47b/answer_1/1", "e47b/filler~2/0", "e48c_abs/answer_2/0",
                "e49d/s/0",
            ])
        #expect(dataset.messages[2].senderName == "Assistant")
        #expect(dataset.messages[2].timestamp.iso8601 == "2023-05-21T10:01:00.000Z")
        #expect(evidence(dataset) == ["e47b": ["e47b/answer_1/0"], "e48c_abs": []])
        #expect(dataset.questions.map(\.category) == ["temporal-reasoning", "abstention"])
        #expect(dataset.questions.map(\.isAnswerable) == [true, false])
        #expect(dataset.questions[0].askedAt?.iso8601 == "2023-05-30T23:40:00.000Z")
        #expect(converted.notes == ["1 questions have no evidence and were left out"])
    }

    @Test func realTalkHasTimesOfItsOwnAndRanges() throws {
        let converted = try convert(.realtalk, "Chat_1_Ines_Bo.json")
        let dataset = converted.dataset

        #expect(dataset.conversations.map(\.id) == ["realtalk-chat-1-ines-bo"])
        #expect(dataset.messages.map(\.text) == ["good evening", "[a bowl of soup]", "nice", "thanks"])
        #expect(
            dataset.messages.map(\.senderID.rawValue).prefix(2) == [
                "realtalk-chat-1-ines-bo-ines-maar", "realtalk-chat-1-ines-bo-bo",
            ])
        #expect(
            dataset.messages.map(\.timestamp.iso8601) == [
                "2023-12-29T22:30:05.000Z", "2023-12-29T22:31:40.000Z", "2023-12-29T22:32:05.000Z",
                "2023-12-29T23:00:00.000Z",
            ])
        #expect(
            evidence(dataset) == [
                "realtalk-chat-1-ines-bo-q000": ["realtalk-chat-1-ines-bo/D1:2", "realtalk-chat-1-ines-bo/D1:4"],
                "realtalk-chat-1-ines-bo-q001": ["realtalk-chat-1-ines-bo/D1:1"],
            ])
        #expect(dataset.questions.map(\.category) == ["multi-hop", "temporal"])
        #expect(converted.notes.count == 2)
    }

    @Test func qmsumSpansAreTheirTurnsWithoutMarks() throws {
        let converted = try convert(.qmsum, "ES2999a.json")
        let dataset = converted.dataset

        #expect(dataset.messages.map(\.id.rawValue) == [0, 1, 2, 4].map { "qmsum-ES2999a/\($0)" })
        #expect(dataset.messages.map(\.seq) == [0, 1, 2, 3])
        #expect(dataset.messages[0].text == "Okay Right Um well .")
        #expect(dataset.messages[0].senderID == "qmsum-ES2999a-project-manager")
        #expect(dataset.messages[3].timestamp.iso8601 == "2020-01-06T10:00:40.000Z")
        #expect(evidence(dataset) == ["qmsum-ES2999a-q000": [1, 2, 4].map { "qmsum-ES2999a/\($0)" }])
        #expect(dataset.questions[0].category == "product")
        #expect(
            converted.notes == [
                "1 evidence entries name no message and were left out",
                "1 questions have no evidence and were left out",
            ])
    }

    @Test func qmsumIsAlsoReadOneMeetingALine() throws {
        let meeting = try Fixture.text("conversion/ES2999a.json").replacing("\n", with: "")

        let dataset = try Fixture.withFolder { folder in
            let file = folder.appending(path: "val.jsonl")
            try Data("\(meeting)\n\(meeting)\n".utf8).write(to: file)
            return try DatasetConverter.qmsum.convert([file], name: "mine").dataset
        }

        #expect(dataset.name == "mine")
        #expect(dataset.conversations.map(\.id) == ["qmsum-val-1", "qmsum-val-2"])
        #expect(dataset.questions.map(\.category) == ["meeting", "meeting"])
    }

    @Test(arguments: [["beir"], ["beir/qrels/test.tsv", "beir/queries.jsonl", "beir/corpus.jsonl"]])
    func beirKeepsGradesAndJudgedQueriesOnly(paths: [String]) throws {
        let converted = try DatasetConverter.beir.convert(paths.map { Fixture.url("conversion/\($0)") })
        let dataset = converted.dataset

        #expect(dataset.messages.map(\.text) == ["Tides\nThe moon.", "A harbour.", "A gauge."])
        #expect(dataset.messages[2].timestamp.iso8601 == "1970-01-01T14:00:00.000Z")
        #expect(evidence(dataset) == ["1": ["d1", "d3"], "3": ["d 2"]])
        #expect(dataset.questions[0].grades == [2, 1])
        #expect(dataset.questions[1].grades.isEmpty)
        #expect(TRECQrels(dataset).text == "1 0 d1 2\n1 0 d3 1\n3 0 d%202 1\n")
        #expect(converted.notes.count == 2)
    }

    @Test(
        arguments: zip(
            DatasetConverter.allCases,
            [
                "locomo.json", "longmemeval.json", "Chat_1_Ines_Bo.json", "ES2999a.json", "beir",
            ]))
    func whatWasConvertedIsADataset(form: DatasetConverter, path: String) throws {
        let dataset = try convert(form, path).dataset

        let copy = try Fixture.withFolder { folder in
            try dataset.write(to: folder)
            return try EvaluationDataset(folder: folder)
        }

        #expect(copy.questions == dataset.questions)
        #expect(try copy.contentHash() == dataset.contentHash())
    }

    @Test func aFileOfAnotherFormIsNamed() throws {
        #expect(throws: EvaluationError.invalidFile(file: "locomo.json", reason: "0.question_id is missing")) {
            try convert(.longmemeval, "locomo.json")
        }
        #expect(throws: EvaluationError.invalidFile(file: "ES2999a.json", reason: "the line is not a list")) {
            try convert(.locomo, "ES2999a.json")
        }
        let missing = Fixture.url("conversion/none.json").path
        #expect(throws: EvaluationError.unreadable(file: missing)) { try convert(.realtalk, "none.json") }
        #expect(throws: EvaluationError.nothingToMeasure("files")) { try DatasetConverter.beir.convert([]) }
        #expect(
            throws: EvaluationError.invalidFile(
                file: "ES2999a.json", reason: "the conversation qmsum-ES2999a appears twice")
        ) { try convert(.qmsum, "ES2999a.json", "ES2999a.json") }
    }
}
