import Assistant
package import ChatCore
package import NexusModel
import Retrieval

extension ChatTurn {
    /// A turn as its asker may see it now; `links` makes links to messages that came without one.
    package init(_ readable: ReadableTurn, links: MessageLinkTemplate?) {
        let (turn, said) = (readable.turn, readable.citations)
        let numbers = Set(said.map(\.number))
        let keys = Dictionary(
            readable.sources.compactMap { source in source.number.map { ($0, source.message.key) } },
            uniquingKeysWith: { first, _ in first })
        self.init(
            turnId: turn.id.rawValue, question: turn.question, answer: turn.answer, isRedacted: !readable.isWhole,
            redactedReason: readable.withholding?.rawValue,
            sources: readable.sources.map { source in
                ChatAnswer.Source(
                    source, number: source.number.flatMap { numbers.contains($0) ? $0 : nil }, links: links)
            },
            citations: said.compactMap { citation in
                keys[citation.number].map { ChatAnswer.Citation(citation, of: $0) }
            }, sentences: readable.isWhole ? turn.reply?.sentences?.map { ChatAnswer.Sentence($0) } : nil,
            notices: (turn.reply?.notices ?? []).map { NexusModel.AnswerNotice(rawValue: $0) },
            noAnswerReason: turn.reply.map { NexusModel.NoAnswerReason(rawValue: $0.noAnswerReason) },
            askedAt: turn.askedAt.wireDate, threadId: turn.threadID?.rawValue,
            feedback: turn.feedback.map { Feedback($0) }, retrieval: turn.reply.map { Retrieval(mode: $0.mode) },
            outdated: readable.outdated.map { Outdated($0, links: links) })
    }
}

extension ChatTurn.Outdated {
    fileprivate init(_ outdated: ReadableTurn.Outdated, links: MessageLinkTemplate?) {
        let message = outdated.message
        self.init(
            by: ChatAnswer.Source(
                message, Excerpt(of: message, at: nil), in: outdated.conversationName, number: nil, links: links),
            notedAt: outdated.notedAt.wireDate)
    }
}

extension ChatTurn.Feedback {
    fileprivate init(_ feedback: TurnFeedback) {
        let rating: FeedbackRating =
            switch feedback.rating {
            case .up: .up
            case .down: .down
            }
        self.init(rating: rating, reason: feedback.reason, givenAt: feedback.givenAt.wireDate)
    }
}

extension ChatAnswer.Source {
    fileprivate init(_ source: ReadableTurn.Source, number: Int?, links: MessageLinkTemplate?) {
        let message = source.message
        self.init(
            message, Excerpt(of: message, at: source.place), in: source.conversationName, number: number, links: links)
        relevanceScore = source.relevance
        rank = source.rank
    }
}

extension ChatAnswer.Citation {
    fileprivate init(_ citation: TurnReply.Citation, of key: MessageKey) {
        self.init(
            number: citation.number, messageId: key.messageID.rawValue, conversationId: key.conversationID.rawValue,
            start: citation.start, end: citation.end,
            support: citation.support.map { ChatAnswer.Support(rawValue: $0) }, score: citation.score?.hundredths)
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
