import AnswerSupport
import ChatCore
import Retrieval
import TextAnalysis

extension Finding {
    /// The hits that are compared with each other: the best ones, which a prompt shows.
    private static let comparedCount = 24

    /// Returns the finding with the hits that later hits replace.
    ///
    /// It is read from the texts of the hits, which the asker may see, at each answer, so nothing must be erased with
    /// them.
    func knowingReplaced(in language: TextLanguage?) -> Finding {
        let best = Array(hits.prefix(Self.comparedCount))
        let places = Dictionary(best.enumerated().map { ($1.message.key, $0) }, uniquingKeysWith: { first, _ in first })
        let messages = best.map { hit in
            DatedMessage(
                text: hit.message.searchableText, senderName: hit.message.senderName, sentAt: hit.message.timestamp,
                timeZone: hit.conversation.timeZone ?? "UTC", conversation: hit.conversation.id.rawValue,
                repliesTo: Self.answered(by: hit.message).flatMap { places[$0] })
        }
        var finding = self
        for replacement in ReplacementFinder(language: language ?? .english).replacements(in: messages) {
            finding.replaced[best[replacement.older.message].message.key] = best[replacement.newer.message].message.key
        }
        return finding
    }

    private static func answered(by message: Message) -> MessageKey? {
        message.replyToID.map { MessageKey(conversationID: message.key.conversationID, messageID: $0) }
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
