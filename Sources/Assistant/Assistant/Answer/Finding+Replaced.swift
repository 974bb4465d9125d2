import AnswerSupport
import ChatCore
import Retrieval
import TextAnalysis

extension Finding {
    /// How many of the best hits are compared for quotations: reading each takes half a millisecond.
    static let quotedCount = 8

    /// Compares the hits with each other.
    ///
    /// It is read from the texts of the hits, which the asker may see, and from what people say about them, at each
    /// answer, so nothing must be erased with them.
    ///
    /// - Parameters:
    ///   - question: Its language is that of texts whose own is unknown.
    ///   - count: How many of the best hits are compared.
    /// - Returns: The finding with the hits that later hits replace.
    func knowingReplaced(for question: String, among count: Int) -> Finding {
        let best = Array(hits.prefix(count))
        var finding = self
        let finder = ReplacementFinder(language: LanguageGuess.language(of: question) ?? .english)
        for replacement in finder.replacements(in: best.dated(with: verdicts)) {
            finding.replaced[best[replacement.older.message].message.key] = best[replacement.newer.message].message.key
        }
        return finding
    }

    /// A hit as a source of the answer.
    func source(_ hit: Hit, number: Int? = nil) -> Source {
        let key = hit.message.key
        return Source(number: number, hit: hit, replacedBy: replaced[key], verdict: verdicts.last(on: key))
    }

    /// Adds the hits that replace others before these.
    func withReplacing(_ chosen: [Hit], limit: Int) -> [Hit] {
        var ordered: [Hit] = []
        for hit in chosen {
            let newer = replaced[hit.message.key].flatMap { key in hits.first { $0.message.key == key } }
            for candidate in [newer, hit].compactMap(\.self)
            where !ordered.contains(where: { $0.message.key == candidate.message.key }) {
                ordered.append(candidate)
            }
        }
        return Array(ordered.prefix(limit))
    }

    /// The messages that replace one of these.
    func replacing(_ hits: [Hit]) -> Set<MessageKey> { Set(hits.compactMap { replaced[$0.message.key] }) }

    /// Puts quotations of valid messages before those that they replace.
    func validFirst(_ quotations: [QuotedSentences.Quotation]) -> [QuotedSentences.Quotation] {
        var ordered: [QuotedSentences.Quotation] = []
        for quotation in quotations {
            let newer = replaced[quotation.hit.message.key].flatMap { key in
                quotations.first { $0.hit.message.key == key }
            }
            for candidate in [newer, quotation].compactMap(\.self)
            where !ordered.contains(where: { $0.hit.message.key == candidate.hit.message.key }) {
                ordered.append(candidate)
            }
        }
        return ordered
    }
}
