import AnswerSupport
import ChatCore
import Testing
import TextAnalysis

@Suite("Sentences of answers")
struct AnswerSentencesTests {
    private func check(_ answer: String, language: TextLanguage = .english) async throws -> [SentenceSupport] {
        try await SupportChecker(encoder: nil).check(
            answer: answer, citations: Talk.citations(in: answer),
            sources: [Talk.source("Ada", "The pump costs 1,840 euros."), Talk.source("Ben", "It is blue.", number: 2)],
            language: language)
    }

    private func texts(_ answer: String, _ sentences: [SentenceSupport]) -> [String] {
        sentences.map { String(answer.part(utf8: $0.range)) }
    }

    @Test(
        "divides answers",
        arguments: [
            ("It costs 1.5 euros. It is blue.", ["It costs 1.5 euros.", "It is blue."]),
            ("Dr. Lee came at 3 p.m. and left.", ["Dr. Lee came at 3 p.m. and left."]),
            ("It is red. [1] It is blue [2].", ["It is red. [1]", "It is blue [2]."]),
            ("- It is red [1].\n- It is blue [2].", ["- It is red [1].", "- It is blue [2]."]),
            ("ポンプは赤いです。値段は高いです。", ["ポンプは赤いです。", "値段は高いです。"]),
            ("Das ist z. B. rot. Das ist blau.", ["Das ist z. B. rot.", "Das ist blau."]),
        ])
    func dividesAnswers(_ answer: String, _ expected: [String]) async throws {
        #expect(texts(answer, try await check(answer)) == expected)
    }

    @Test(
        "knows what needs no source",
        arguments: [
            "Hello!", "I don't know.", "# The pump", "The details:", "Which pump do you mean?", "Das weiß ich nicht.",
            "Je ne sais pas.", "No lo sé.", "わかりません。", "どのポンプですか？", "Hope this helps!",
            "If you have any further questions, feel free to ask.", "Let me know if you need anything else.",
            "Ich hoffe, das hilft!", "Bei weiteren Fragen stehe ich gern zur Verfügung.",
            "N'hésitez pas à demander si vous avez d'autres questions.",
            "Si tienes más preguntas, no dudes en preguntar.",
            "お気軽に。",
        ])
    func needsNoSource(_ answer: String) async throws {
        let sentences = try await check(answer)

        #expect(sentences.allSatisfy { !$0.needsSource && $0.support == nil })
    }

    @Test(
        "knows what needs a source",
        arguments: [
            "The pump costs 1840 euros.", "It was on Wednesday.", "Am 28. Oktober.", "Die Pumpe ist blau.",
            "La pompe est bleue.", "La bomba es azul.",
            "ポンプは青いです。",
        ])
    func needsSource(_ answer: String) async throws {
        #expect(try await check(answer).map(\.needsSource) == [true])
    }

    @Test func keepsCitationsWithTheirSentence() async throws {
        let sentences = try await check("The pump costs 1840 euros [1]. It is blue. [2] It is old [7].")

        #expect(sentences.map { $0.citations.map(\.number) } == [[1], [2], [7]])
        #expect(sentences.last?.citations.map(\.support) == [nil])
    }
}
