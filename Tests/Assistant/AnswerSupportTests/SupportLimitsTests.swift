import AnswerSupport
import ChatCore
import Testing
import TextAnalysis

@Suite("Limits of the check")
struct SupportLimitsTests {
    private static let hostile: [String] = [
        "", " \n\t ", "[1]", "[1][2][3]", String(repeating: "[1]", count: 2_000), String(repeating: "1.", count: 5_000),
        String(repeating: "9", count: 10_000), String(repeating: "1,", count: 3_000) + "5",
        String(repeating: "a", count: 20_000), String(repeating: "not ", count: 5_000),
        String(repeating: "十百千万億", count: 1_000), String(repeating: "und", count: 3_000),
        String(repeating: "hundert", count: 2_000), String(repeating: "\u{301}", count: 5_000),
        String(repeating: "👩‍👩‍👧‍👦", count: 500), "12:99 25:61 99h99 午後99時 0时", "\u{0}\u{FFFD}\u{202E}abc",
        String(repeating: "today tomorrow ", count: 500), String(repeating: "A. ", count: 3_000),
        "31.02.2026 00:00 1e999 -0 +∞", String(repeating: "half past ", count: 800), "¥€$£ % °C m³ 3²",
        "99999999999999999999999999999999.99999999999999999999999999",
    ]

    @Test("reads any text", arguments: hostile)
    func readsAnyText(_ text: String) async throws {
        let sources = [
            Talk.source("Ada", text), Talk.source(text, "The pump costs 1,840 euros.", zone: text, number: 2),
            Talk.source("", text, at: "9999-12-31T23:59:59Z", number: nil),
        ]
        let citations = [
            AnswerCitation(number: 1, range: 0..<3), AnswerCitation(number: 9, range: 5..<4_000_000),
            AnswerCitation(number: 1, range: 1..<2),
        ]
        for language in [TextLanguage.english, .german, .japanese, .french, .spanish, .other] {
            let checked = try await SupportChecker(encoder: nil).check(
                answer: text, citations: citations, sources: sources, people: [text, ""], language: language)

            #expect(checked.count <= SupportLimits.sentenceCount)
            #expect(checked.allSatisfy { (0...1).contains($0.score) && $0.range.upperBound <= text.utf8.count })
            for mode in SupportMode.allCases {
                let corrected = AnswerCorrection.apply(checked, to: text, sources: sources, mode: mode)
                #expect(corrected.citations.allSatisfy { $0.range.upperBound <= corrected.text.utf8.count })
            }
        }
    }

    @Test func checksSoManySentencesAndKeepsTheRest() async throws {
        let answer = (1...200).map { "The pump number \($0) costs 5 euros." }.joined(separator: " ")
        let sources = (1...100).map { (number: Int) in
            Talk.source("Ada", "The pump costs \(number) euros.", number: number)
        }

        let checked = try await SupportChecker(encoder: nil).check(answer: answer, citations: [], sources: sources)

        #expect(checked.count == 200)
        #expect(checked.count(where: \.needsSource) == SupportLimits.sentenceCount)
        #expect(checked.allSatisfy { $0.bestSource ?? 0 < SupportLimits.sourceCount })
        let corrected = AnswerCorrection.apply(checked, to: answer, sources: sources, mode: .mark)
        #expect(corrected.text.hasSuffix("The pump number 200 costs 5 euros."))
    }

    @Test(
        "compares so many pairs of words at most",
        arguments: [
            "Anna not 17 kg 3.11. 18:30 ", "a b c d ", "7 1 4 ", "18:30 7:15 ", "Anna Ben Ada Olga ",
            "a1, b2; but not; ", "open closed before after ", "会議は明日14時半から佐藤さん未定 ", "前後上が下が",
            "half past six tomorrow ", "[](){}「」",
        ])
    func comparesSoManyPairs(_ unit: String) async throws {
        func pairCount(_ byteCount: Int) async throws -> Int {
            let text = String(String(repeating: unit, count: byteCount).utf8.prefix(byteCount)) ?? ""
            let sources = (1...24).map { Talk.source("Ada", text, number: $0) }
            let work = SupportWork()
            _ = try await SupportChecker(encoder: nil, work: work).check(
                answer: String(repeating: unit, count: 600) + ".", citations: [], sources: sources)
            return work.pairCount
        }
        let (short, long) = (try await pairCount(999), try await pairCount(1_998))

        // A few sources, 300 words of a sentence, 500 of a source, and 48 words around each fact.
        #expect(long <= 3_000_000)
        #expect(long <= 3 * max(short, 1_000))
    }

    @Test func asksTheEncoderOnce() async throws {
        let encoder = CountingEncoder()
        let answer = "The pump costs 5 euros. The gate is open. Hello!"

        _ = try await SupportChecker(encoder: encoder).check(
            answer: answer, citations: [], sources: [Talk.source("Ada", "The pump costs 5 euros.")])

        #expect(await encoder.batches == [3])
    }
}

/// Counts the texts of each call.
private actor CountingEncoder: TokenEncoder {
    private(set) var batches: [Int] = []

    func tokenVectors(of texts: [TokenText]) async throws -> [TokenVectors] {
        batches.append(texts.count)
        return try await GroupEncoder(groups: []).tokenVectors(of: texts)
    }
}
