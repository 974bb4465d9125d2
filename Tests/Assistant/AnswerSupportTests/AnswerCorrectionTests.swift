import AnswerSupport
import ChatCore
import Testing

@Suite("AnswerCorrection")
struct AnswerCorrectionTests {
    private let sources = [
        Talk.source("Ada", "The pump costs 1,840 euros."),
        Talk.source("Ben", "The harvest festival begins at 18:30.", number: 2),
    ]

    private func correct(_ answer: String, _ mode: SupportMode) async throws -> CorrectedAnswer {
        let sentences = try await SupportChecker(encoder: nil).check(
            answer: answer, citations: Talk.citations(in: answer), sources: sources)
        let corrected = AnswerCorrection.apply(sentences, to: answer, sources: sources, mode: mode)
        for citation in corrected.citations {
            let bracket = corrected.text.part(utf8: citation.range)
            #expect(bracket.hasPrefix("[") && bracket.hasSuffix("]") && bracket.contains(String(citation.number)))
        }
        return corrected
    }

    @Test func addsAMissingCitation() async throws {
        let corrected = try await correct("The pump costs 1840 euros. The harvest festival begins at 18:30.", .mark)

        #expect(corrected.text == "The pump costs 1840 euros [1]. The harvest festival begins at 18:30 [2].")
        #expect(corrected.citations.map(\.number) == [1, 2])
    }

    @Test func movesAWrongCitation() async throws {
        let corrected = try await correct("The harvest festival begins at 18:30 [1].", .mark)

        #expect(corrected.text == "The harvest festival begins at 18:30 [2].")
    }

    @Test func leavesOutTheNumberThatDoesNotSupport() async throws {
        let corrected = try await correct("The harvest festival begins at 18:30 [1, 2].", .mark)

        #expect(corrected.text == "The harvest festival begins at 18:30 [2].")
    }

    @Test func keepsTheNumbersOfTheClausesOfASentence() async throws {
        let answer = "The pump costs 1840 euros [1], and the harvest festival begins at 18:30 [2]."

        #expect(try await correct(answer, .mark).text == answer)
    }

    @Test func keepsRightAnswersAsTheyAre() async throws {
        let answer = "Hello!\n\n- The pump costs 1840 euros [1].\n- The harvest festival begins at 18:30 [2].\n"

        #expect(try await correct(answer, .mark).text == answer)
        #expect(try await correct(answer, .remove).text == answer)
    }

    @Test func keepsUnsupportedSentencesInModeMark() async throws {
        let answer = "The pump costs 1480 euros [1]. The harvest festival begins at 18:30 [2]."

        let corrected = try await correct(answer, .mark)

        #expect(corrected.text == answer)
        #expect(corrected.sentences.map(\.support) == [.contradicted, .supported])
        #expect(corrected.removedCount == 0)
    }

    @Test func removesUnsupportedSentences() async throws {
        let corrected = try await correct(
            "The pump costs 1480 euros [1]. The harvest festival begins at 18:30.", .remove)

        #expect(corrected.text == "The harvest festival begins at 18:30 [2].")
        #expect(corrected.removedCount == 1)
        #expect(corrected.sentences.map { String(corrected.text.part(utf8: $0.range)) } == [corrected.text])
    }

    @Test func removesTheLineOfAList() async throws {
        let corrected = try await correct(
            "Prices:\n- The pump costs 1480 euros [1].\n- The harvest festival begins at 18:30 [2].", .remove)

        #expect(corrected.text == "Prices:\n- The harvest festival begins at 18:30 [2].")
    }

    @Test func changesNothingInModeOff() async throws {
        let answer = "The harvest festival begins at 18:30 [1]. The pump costs 7 euros [2]."

        #expect(try await correct(answer, .off).text == answer)
    }
}
