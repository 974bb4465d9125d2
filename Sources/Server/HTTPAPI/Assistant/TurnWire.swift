import Assistant
package import ChatCore
import Retrieval

/// The JSON form of a past turn.
package struct TurnWire: Codable, Hashable, Sendable {
    /// A message that was listed with the answer, as it is now.
    package struct Source: Codable, Hashable, Sendable {
        /// Its conversation.
        package let conversationId: ConversationID
        /// The asker's name for its conversation.
        package let conversationName: String
        /// The message.
        package let messageId: MessageID
        /// The sentences of its text that were found, at most 300 characters.
        package let excerpt: String
        /// The offset of the excerpt in the text, in UTF-16 code units; nil for the words of a file.
        package let start: Int?
        /// The offset after the excerpt.
        package let end: Int?
        /// The writer's name.
        package let senderName: String
        /// When it was written.
        package let timestamp: WireTime
        /// For display, 0...1; nil for turns from before it was stored.
        package let relevanceScore: Double?
        /// Its number in the answer, as in `[1]`; nil if it is not cited.
        package let number: Int?
        /// Its place among the hits, from 1; nil for turns from before it was stored.
        package let rank: Int?
        /// A link to it in the application that it came from.
        package let url: String?
    }

    /// Information about the search.
    package struct Retrieval: Codable, Hashable, Sendable {
        /// The signals that it used; nil if it failed.
        package let mode: String?
    }

    /// The asker's feedback.
    package struct Feedback: Codable, Hashable, Sendable {
        /// The verdict.
        package let rating: TurnFeedback.Rating
        /// The reason, if one was given.
        package let reason: String?
        /// When it was given.
        package let givenAt: WireTime
    }

    /// Its id.
    package let turnId: TurnID
    /// The question; empty once a message that the answer was based on was deleted.
    package let question: String
    /// The answer; empty if it was based on a message that the asker may not see now.
    package let answer: String
    /// Whether part of it was removed.
    package let isRedacted: Bool
    /// The reason why the answer is missing; nil if it is not.
    package let redactedReason: ReadableTurn.Withholding?
    /// The messages by rank, without those that the asker may not see.
    package let sources: [Source]
    /// The citations in order of the text.
    package let citations: [AnswerWire.Citation]
    /// Notices for the reader, in alphabetical order.
    package let notices: [String]
    /// The reason if there was no basis for an answer; nil for turns from before it was stored, and once redacted.
    package let noAnswerReason: String?
    /// Information about the search; nil whenever `noAnswerReason` is.
    package let retrieval: Retrieval?
    /// When it was asked.
    package let askedAt: WireTime
    /// The thread that it belongs to.
    package let threadId: ThreadID?
    /// The asker's feedback.
    package let feedback: Feedback?

    /// Makes the wire form of a turn; `links` makes links to messages that came without one.
    package init(_ readable: ReadableTurn, links: MessageLinkTemplate?) {
        let turn = readable.turn
        turnId = turn.id
        question = turn.question
        answer = turn.answer
        isRedacted = !readable.isWhole
        redactedReason = readable.withholding
        let said = readable.citations
        let numbers = Set(said.map(\.number))
        sources = readable.sources.map { source in
            Source(source, number: source.number.flatMap { numbers.contains($0) ? $0 : nil }, links: links)
        }
        let keys = Dictionary(
            readable.sources.compactMap { source in source.number.map { ($0, source.message.key) } },
            uniquingKeysWith: { first, _ in first })
        citations = said.compactMap { citation in
            keys[citation.number].map { AnswerWire.Citation(citation, of: $0) }
        }
        notices = turn.reply?.notices ?? []
        noAnswerReason = turn.reply?.noAnswerReason
        retrieval = turn.reply.map { Retrieval(mode: $0.mode) }
        askedAt = WireTime(turn.askedAt)
        threadId = turn.threadID
        feedback = turn.feedback.map {
            Feedback(rating: $0.rating, reason: $0.reason, givenAt: WireTime($0.givenAt))
        }
    }
}

extension TurnWire.Source {
    fileprivate init(_ source: ReadableTurn.Source, number: Int?, links: MessageLinkTemplate?) {
        let message = source.message
        let excerpt = Excerpt(of: message, at: source.place)
        self.init(
            conversationId: message.key.conversationID, conversationName: source.conversationName,
            messageId: message.key.messageID, excerpt: excerpt.text, start: excerpt.range?.lowerBound,
            end: excerpt.range?.upperBound, senderName: message.senderName,
            timestamp: WireTime(message.timestamp), relevanceScore: source.relevance, number: number,
            rank: source.rank, url: message.link(links))
    }
}

extension AnswerWire.Citation {
    fileprivate init(_ citation: TurnReply.Citation, of key: MessageKey) {
        self.init(
            number: citation.number, messageId: key.messageID, conversationId: key.conversationID,
            start: citation.start, end: citation.end)
    }
}

extension ReadableTurn {
    /// The citations of the answer, if it is shown.
    ///
    /// For turns from before ``TurnReply`` existed they are read from the text.
    var citations: [TurnReply.Citation] {
        guard isWhole else { return [] }
        if let reply = turn.reply { return reply.citations }
        var parser = CitationParser(sourceCount: turn.sourceKeys.count)
        return (parser.read(turn.answer) + parser.finish()).map {
            TurnReply.Citation(number: $0.number, start: $0.range.lowerBound, end: $0.range.upperBound)
        }
    }
}

/// A page of past turns; `next` is the `before` of the next page, and missing on the last page.
struct TurnPage: Encodable {
    let turns: [TurnWire]
    let next: TurnID?
}
