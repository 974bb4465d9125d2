package import ChatCore
package import NexusModel
package import Retrieval

/// The JSON forms of search results.
package enum SearchWire {
    /// One message: an element of the result of `ragSearch` and of `results` of `POST /v1/search`.
    package struct Found: Codable, Hashable, Sendable {
        /// The message.
        package var messageId: MessageID
        /// Its conversation.
        package var conversationId: ConversationID
        /// The asker's name for its conversation.
        package var conversationName: String
        /// Its whole text, with captions and names of attachments, but without the words of text files.
        package var text: String
        /// The sentences that were found, at most 300 characters.
        package var excerpt: String
        /// The offset of the excerpt in `text`, in UTF-16 code units; nil for the words of a file.
        package var start: Int?
        /// The offset after the excerpt.
        package var end: Int?
        /// Its attachments; nil for none.
        package var attachments: [ChatMessage.Attachment]?
        /// The writer's id.
        package var senderId: UserID
        /// The writer's name.
        package var senderName: String
        /// When it was written.
        package var timestamp: WireTime
        /// For display, 0...1; the order is that of the list.
        package var score: Double
        /// A link to it in the application that it came from.
        package var url: String?
        /// Other messages that say the same, newest first; nil for none.
        package var duplicates: [AnswerWire.Place]?
        /// The signals behind its rank; only if requested.
        package var explanation: [Signal]?
        /// The found part of a long text; only if an explanation was requested, and not within a file.
        package var passage: Part?

        /// Makes the wire form of a hit; `links` makes links to messages that came without one.
        package init(_ hit: Hit, links: MessageLinkTemplate?) {
            messageId = hit.message.key.messageID
            conversationId = hit.message.key.conversationID
            conversationName = hit.conversation.displayName
            text = hit.message.shownText
            let excerpt = hit.excerpt
            self.excerpt = excerpt.text
            (start, end) = (excerpt.range?.lowerBound, excerpt.range?.upperBound)
            duplicates = hit.duplicatePlaces
            let attached = hit.message.attachments.map { ChatMessage.Attachment($0) }
            attachments = attached.isEmpty ? nil : attached
            senderId = hit.message.senderID
            senderName = hit.message.senderName
            timestamp = WireTime(hit.message.timestamp)
            score = hit.relevance
            url = hit.message.link(links)
            explanation = hit.explanation?.signals.map { Signal($0) }
            let length = text.utf8.count
            passage = hit.explanation.flatMap { _ in hit.passage }.flatMap { [text] passage in
                passage.range.upperBound <= length ? Part(passage, of: text) : nil
            }
        }
    }

    /// A part of a long message.
    package struct Part: Codable, Hashable, Sendable {
        /// Its place among the passages of the message, from 0.
        package var ordinal: Int
        /// Its start, in characters of the text.
        package var start: Int
        /// Its end, in characters of the text.
        package var end: Int

        /// Makes the wire form of a part of `text`.
        init(_ passage: FoundPassage, of text: String) {
            ordinal = passage.ordinal
            start = text.part(utf8: 0..<passage.range.lowerBound).count
            end = start + text.part(utf8: passage.range).count
        }
    }

    /// One signal for or against a message.
    package struct Signal: Codable, Hashable, Sendable {
        /// A stable word, such as `cosine`.
        package var name: String
        /// Its own value.
        package var value: Double
        /// Its share of the score that decides the order.
        package var contribution: Double
        /// The message's rank by this signal alone; nil if the signal does not rank.
        package var rank: Int?

        init(_ signal: HitExplanation.Signal) {
            name = signal.name
            value = signal.value
            contribution = signal.contribution
            rank = signal.rank
        }
    }

    /// Information about a search.
    struct Trace: Encodable {
        /// The signals that it used.
        let mode: RetrievalMode
        /// The embedding generation that was searched.
        let generation: GenerationNumber?
        /// The hash of the search's settings.
        let configuration: String
        /// Deviations from the configuration.
        let notes: [SearchTrace.Note]
    }

    /// The body of `POST /v1/search`.
    struct Results: Encodable {
        let results: [Found]
        let noAnswerReason: Retrieval.NoAnswerReason
        let retrieval: Trace

        init(_ found: SearchResult, links: MessageLinkTemplate?) {
            results = found.hits.map { Found($0, links: links) }
            noAnswerReason = found.noAnswerReason
            retrieval = Trace(
                mode: found.mode, generation: found.generation, configuration: found.trace.configuration,
                notes: found.trace.notes)
        }
    }
}
