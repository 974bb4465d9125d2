import AnswerSupport
import ChatCore
import TextAnalysis

/// Messages and answers of the tests; the first message is sent on Monday, 12 October 2026.
enum Talk {
    static func source(
        _ sender: String, _ text: String, at time: String = "2026-10-12T08:00:00Z", zone: String = "Europe/Berlin",
        number: Int? = 1
    ) -> SupportSource {
        SupportSource(
            text: text, senderName: sender, sentAt: Timestamp(iso8601: time) ?? Timestamp(microseconds: 0),
            timeZone: zone, number: number)
    }

    /// Checks one sentence with words alone.
    static func check(
        _ sentence: String, _ sources: [SupportSource], language: TextLanguage = .english,
        encoder: (any TokenEncoder)? = nil
    ) async throws -> SentenceSupport? {
        try await SupportChecker(encoder: encoder).check(
            answer: sentence, citations: [], sources: sources, language: language
        ).first
    }

    /// Finds `[1]` and `[1, 2]` in an answer.
    static func citations(in answer: String) -> [AnswerCitation] {
        var (found, start, offset): ([AnswerCitation], Int?, Int) = ([], nil, 0)
        var digits = ""
        for byte in answer.utf8 {
            if byte == UInt8(ascii: "[") { (start, digits) = (offset, "") }
            if start != nil, byte != UInt8(ascii: "[") { digits.append(Character(Unicode.Scalar(byte))) }
            if byte == UInt8(ascii: "]"), let first = start {
                let numbers = digits.dropLast().split(separator: ",").compactMap { part in
                    Int(part.filter { $0 != " " })
                }
                found += numbers.map { AnswerCitation(number: $0, range: first..<offset + 1) }
                start = nil
            }
            offset += 1
        }
        return found
    }
}

/// An encoder whose vectors are stated by hand: words of one group share a component, all others have their own.
struct GroupEncoder: TokenEncoder {
    let groups: [Set<String>]

    func tokenVectors(of texts: [TokenText]) async throws -> [TokenVectors] {
        texts.map { text in
            let words = TextAnalyzer.tokens(of: text.text, language: .other)
            let dimensions = 64
            var rows: [Float] = []
            for word in words {
                var row = [Float](repeating: 0, count: dimensions)
                if let group = groups.firstIndex(where: { $0.contains(word.word) }) {
                    row[group] = 1
                } else {
                    let sum = word.word.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_009 }
                    row[groups.count + sum % (dimensions - groups.count)] = 1
                }
                rows += row
            }
            return TokenVectors(
                rows: rows, dimensions: dimensions, tokens: words.map { EncodedToken(range: $0.range, isWord: true) })
        }
    }
}
