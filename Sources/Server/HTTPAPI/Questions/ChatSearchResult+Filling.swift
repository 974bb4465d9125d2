package import ChatCore
package import NexusModel
package import Retrieval

extension ChatSearchResult {
    init(_ found: SearchResult, links: MessageLinkTemplate?) {
        self.init(
            results: found.hits.map { Found($0, links: links) },
            noAnswerReason: NexusModel.NoAnswerReason(rawValue: found.noAnswerReason.rawValue),
            retrieval: Retrieval(
                mode: found.mode.rawValue, generation: found.generation?.rawValue,
                configuration: found.trace.configuration, notes: found.trace.notes.map(\.rawValue)))
    }
}

extension ChatSearchResult.Found {
    /// A hit; `links` makes links to messages that came without one.
    package init(_ hit: Hit, links: MessageLinkTemplate?) {
        let (message, excerpt) = (hit.message, hit.excerpt)
        self.init(
            messageId: message.key.messageID.rawValue, conversationId: message.key.conversationID.rawValue,
            conversationName: hit.conversation.displayName, text: message.shownText, excerpt: excerpt.text,
            senderId: message.senderID.rawValue, senderName: message.senderName,
            timestamp: message.timestamp.wireDate, score: hit.relevance)
        (start, end) = (excerpt.range?.lowerBound, excerpt.range?.upperBound)
        file = excerpt.file.map { NexusModel.FilePlace($0) }
        duplicates = hit.duplicatePlaces
        attachments =
            message.attachments.isEmpty ? nil : message.attachments.map { ChatMessage.Attachment($0) }
        url = message.link(links)
        explanation = hit.explanation?.signals.map {
            SearchSignal(name: $0.name, value: $0.value, contribution: $0.contribution, rank: $0.rank)
        }
        if hit.explanation != nil, let part = hit.passage, part.range.upperBound <= text.utf8.count {
            passage = ChatSearchResult.Passage(part, of: text)
        }
    }
}

extension ChatSearchResult.Passage {
    /// A part of `text`.
    fileprivate init(_ passage: FoundPassage, of text: String) {
        let start = text.part(utf8: 0..<passage.range.lowerBound).count
        self.init(ordinal: passage.ordinal, start: start, end: start + text.part(utf8: passage.range).count)
    }
}
