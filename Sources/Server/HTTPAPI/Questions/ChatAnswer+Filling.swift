import AnswerSupport
package import Assistant
package import ChatCore
package import NexusModel
import Retrieval
import TextAnalysis

extension ChatAnswer {
    /// - Parameters:
    ///   - answer: The answer.
    ///   - moment: When the question was asked.
    ///   - links: Makes links to messages that came without one.
    package init(_ answer: Answer, askedAt moment: Timestamp, links: MessageLinkTemplate?) {
        let notes = answer.searchTrace?.notes ?? []
        self.init(
            turnId: answer.turnID.rawValue, answer: answer.text,
            sources: answer.sources.map { Source($0, links: links) },
            citations: answer.citations.map { Citation($0) },
            sentences: answer.sentences?.map { Sentence($0) },
            noAnswerReason: NexusModel.NoAnswerReason(rawValue: answer.noAnswerReason.rawValue),
            notices: answer.notices.map(\.rawValue).sorted().map { NexusModel.AnswerNotice(rawValue: $0) },
            coverage: answer.coverage.map {
                Coverage(
                    messageCount: $0.messageCount, summarizedCount: $0.summarizedCount, writtenCount: $0.writtenCount)
            }, queryTime: moment.wireDate,
            retrieval: Retrieval(
                mode: answer.mode?.rawValue, generation: answer.generation?.rawValue,
                configuration: answer.searchTrace?.configuration, notes: notes.isEmpty ? nil : notes.map(\.rawValue),
                promptMessages: answer.promptMessageKeys.map { MessagePlace($0) }),
            usage: answer.usage.map { Usage(promptTokens: $0.promptTokens, completionTokens: $0.completionTokens) })
        asOf = answer.asOf?.text
    }
}

extension ChatAnswer.Source {
    init(_ source: Assistant.Source, links: MessageLinkTemplate?) {
        let hit = source.hit
        self.init(hit.message, hit.excerpt, in: hit.conversation.displayName, number: source.number, links: links)
        relevanceScore = hit.relevance
        rank = hit.rank
        duplicates = hit.duplicatePlaces
        replacedBy = source.replacedBy.map { MessagePlace($0) }
        verdict = source.verdict.map { ChatVerdict($0) }
    }

    /// A message as it is now, without its place among the hits.
    init(
        _ message: Message, _ excerpt: Excerpt, in conversationName: String, number: Int?, links: MessageLinkTemplate?
    ) {
        self.init(
            conversationId: message.key.conversationID.rawValue, conversationName: conversationName,
            messageId: message.key.messageID.rawValue, excerpt: excerpt.text, senderName: message.senderName,
            number: number, timestamp: message.timestamp.wireDate)
        (start, end) = (excerpt.range?.lowerBound, excerpt.range?.upperBound)
        file = excerpt.file.map { NexusModel.FilePlace($0) }
        url = message.link(links)
    }
}

extension ChatAnswer.Citation {
    init(_ citation: Assistant.Citation) {
        self.init(
            number: citation.number, messageId: citation.messageKey.messageID.rawValue,
            conversationId: citation.messageKey.conversationID.rawValue, start: citation.range.lowerBound,
            end: citation.range.upperBound,
            support: citation.support.map { ChatAnswer.Support(rawValue: $0.rawValue) },
            score: citation.score?.hundredths)
    }
}

extension ChatAnswer.Sentence {
    init(_ sentence: CheckedSentence) {
        self.init(
            start: sentence.range.lowerBound, end: sentence.range.upperBound, needsSource: sentence.needsSource,
            support: sentence.support.map { ChatAnswer.Support(rawValue: $0.rawValue) },
            score: sentence.score?.hundredths, reasons: Self.reasons(sentence.reasons.map(\.rawValue)))
    }

    /// Makes the wire form of a sentence of a stored turn.
    init(_ sentence: TurnReply.Sentence) {
        self.init(
            start: sentence.start, end: sentence.end, needsSource: sentence.needsSource,
            support: sentence.support.map { ChatAnswer.Support(rawValue: $0) }, score: sentence.score?.hundredths,
            reasons: Self.reasons(sentence.reasons))
    }

    /// Returns the reasons; nil for none.
    private static func reasons(_ words: [String]) -> [ChatAnswer.SupportReason]? {
        words.isEmpty ? nil : words.map { ChatAnswer.SupportReason(rawValue: $0) }
    }
}

extension NexusModel.AnswerEvent.Support {
    init(_ checked: CheckedText) {
        self.init(
            answer: checked.text, citations: checked.citations.map { ChatAnswer.Citation($0) },
            sentences: checked.sentences.map { ChatAnswer.Sentence($0) })
    }
}

extension Double {
    /// It in hundredths, as scores are shown.
    var hundredths: Double { (self * 100).rounded() / 100 }
}

extension MessagePlace {
    init(_ key: MessageKey) {
        self.init(conversationId: key.conversationID.rawValue, messageId: key.messageID.rawValue)
    }
}

extension Hit {
    /// The messages that it stands for; nil for none.
    var duplicatePlaces: [MessagePlace]? { duplicates.isEmpty ? nil : duplicates.map { MessagePlace($0) } }
}

extension Message {
    /// A link to it in the application that it came from; `template` makes one if it has none.
    func link(_ template: MessageLinkTemplate?) -> String? { url ?? template?.url(of: key) }
}
