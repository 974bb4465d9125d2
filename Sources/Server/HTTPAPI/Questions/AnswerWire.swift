package import Assistant
package import ChatCore
package import Retrieval

/// The JSON form of an answer: the result of `ragQuery` and the body of `POST /v1/ask`.
package struct AnswerWire: Codable, Hashable, Sendable {
    /// A message that the answer may be based on.
    package struct Source: Codable, Hashable, Sendable {
        /// The conversation.
        package var conversationId: ConversationID
        /// The asker's name for it.
        package var conversationName: String
        /// The message.
        package var messageId: MessageID
        /// The sentences of its text that were found, at most 300 characters.
        package var excerpt: String
        /// The offset of the excerpt in the text, in UTF-16 code units; nil for the words of a file.
        package var start: Int?
        /// The offset after the excerpt.
        package var end: Int?
        /// The writer's name.
        package var senderName: String
        /// When it was written.
        package var timestamp: WireTime
        /// For display, 0...1; not the order.
        package var relevanceScore: Double
        /// Its number in the answer, as in `[1]`; nil if it is not cited.
        package var number: Int?
        /// Its place among the hits, from 1.
        package var rank: Int
        /// A link to it in the application that it came from.
        package var url: String?
        /// Other messages that say the same, newest first; nil for none.
        package var duplicates: [Place]?
    }

    /// A number used in the answer.
    package struct Citation: Codable, Hashable, Sendable {
        /// The source's number.
        package var number: Int
        /// The message.
        package var messageId: MessageID
        /// Its conversation.
        package var conversationId: ConversationID
        /// The offset of its first character in the answer.
        package var start: Int
        /// The offset after its last character.
        package var end: Int
    }

    /// Information about the search.
    package struct Retrieval: Codable, Hashable, Sendable {
        /// The signals that it used; nil if it failed.
        package var mode: RetrievalMode?
        /// The embedding generation that was searched.
        package var generation: GenerationNumber?
        /// The hash of the search's settings; nil when the search failed.
        package var configuration: String?
        /// Deviations from the configuration; nil if there are none.
        package var notes: [SearchTrace.Note]?
        /// Ids of the messages in the prompt, in its order; they are unique within a conversation only.
        package var promptMessageIds: [MessageID]
        /// The same messages with their conversations.
        package var promptMessages: [Place]
    }

    /// The place of a message.
    package struct Place: Codable, Hashable, Sendable {
        /// The conversation.
        package var conversationId: ConversationID
        /// The message.
        package var messageId: MessageID

        init(_ key: MessageKey) {
            conversationId = key.conversationID
            messageId = key.messageID
        }
    }

    /// The turn's id.
    package var turnId: TurnID
    /// The answer.
    package var answer: String
    /// The sources by rank.
    package var sources: [Source]
    /// The citations in order of the text.
    package var citations: [Citation]
    /// When the question was asked.
    package var queryTime: WireTime
    /// The reason if there was no basis for an answer.
    package var noAnswerReason: NoAnswerReason
    /// Information about the search.
    package var retrieval: Retrieval
    /// The tokens that the model's service counted.
    package var usage: TokenUsage?
    /// Notices for the reader, in alphabetical order.
    package var notices: [AnswerNotice]
    /// The part of a conversation that the answer is based on; nil for a question across conversations.
    package var coverage: ConversationCoverage?

    /// Makes the wire form of an answer to a question of this moment; `links` makes links to messages that came without
    /// one.
    package init(_ answer: Answer, askedAt moment: Timestamp, links: MessageLinkTemplate?) {
        turnId = answer.turnID
        self.answer = answer.text
        sources = answer.sources.map { Source($0, links: links) }
        citations = answer.citations.map { Citation($0) }
        queryTime = WireTime(moment)
        noAnswerReason = answer.noAnswerReason
        retrieval = Retrieval(
            mode: answer.mode, generation: answer.generation,
            configuration: answer.searchTrace?.configuration,
            notes: answer.searchTrace.flatMap { $0.notes.isEmpty ? nil : $0.notes },
            promptMessageIds: answer.promptMessageKeys.map(\.messageID),
            promptMessages: answer.promptMessageKeys.map { Place($0) })
        usage = answer.usage
        notices = answer.notices.sorted { $0.rawValue < $1.rawValue }
        coverage = answer.coverage
    }
}

extension AnswerWire.Source {
    init(_ source: Source, links: MessageLinkTemplate?) {
        let message = source.hit.message
        let excerpt = source.hit.excerpt
        self.init(
            conversationId: message.key.conversationID, conversationName: source.hit.conversation.displayName,
            messageId: message.key.messageID, excerpt: excerpt.text, start: excerpt.range?.lowerBound,
            end: excerpt.range?.upperBound, senderName: message.senderName, timestamp: WireTime(message.timestamp),
            relevanceScore: source.hit.relevance, number: source.number, rank: source.hit.rank,
            url: message.link(links), duplicates: source.hit.duplicatePlaces)
    }
}

extension Hit {
    /// The messages that it stands for; nil for none.
    var duplicatePlaces: [AnswerWire.Place]? {
        duplicates.isEmpty ? nil : duplicates.map { AnswerWire.Place($0) }
    }
}

extension AnswerWire.Citation {
    init(_ citation: Citation) {
        self.init(
            number: citation.number, messageId: citation.messageKey.messageID,
            conversationId: citation.messageKey.conversationID, start: citation.range.lowerBound,
            end: citation.range.upperBound)
    }
}

extension Message {
    /// A link to it in the application that it came from; `template` makes one if it has none.
    func link(_ template: MessageLinkTemplate?) -> String? { url ?? template?.url(of: key) }
}
