import ChatCore
import NexusModel
import Retrieval

/// Messages that were found, as `search_messages` gives them to a model: what tells them apart, and the sentences that
/// were found.
///
/// A model pays for each character, and opens what matters with `get_conversation`: 0.57 of the characters of whole
/// messages (`scripts/measure-mcp`).
struct FoundMessages: Encodable {
    struct Found: Encodable {
        let conversationId: String
        let messageId: String
        /// Nil if it is the id.
        var conversationName: String?
        let senderName: String
        let timestamp: String?
        /// The sentences that were found, at most 300 characters.
        let text: String
        /// True if the message says more; nil if not.
        var isPart: Bool?
        /// Where in one of its files the text is; nil if it is in the message.
        var file: NexusModel.FilePlace?
        var url: String?
    }

    let results: [Found]
    let noAnswerReason: String

    init(_ found: SearchResult, links: MessageLinkTemplate?) {
        results = found.hits.map { Found(ChatSearchResult.Found($0, links: links)) }
        noAnswerReason = found.noAnswerReason.rawValue
    }
}

extension FoundMessages.Found {
    fileprivate init(_ found: ChatSearchResult.Found) {
        let text = found.excerpt ?? found.text
        self.init(
            conversationId: found.conversationId, messageId: found.messageId, senderName: found.senderName,
            timestamp: found.timestamp.map { TimeText.text($0) }, text: text)
        conversationName = found.conversationName == found.conversationId ? nil : found.conversationName
        isPart = text == found.text ? nil : true
        file = found.file
        url = found.url
    }
}

extension JSONSchema {
    static let foundMessages = closed(
        .always("results", array(of: found)), .always("noAnswerReason", noAnswerReason))

    private static let found = closed(
        .always("conversationId", identifier), .always("messageId", identifier),
        .maybe("conversationName", string.described("Missing if it is the id.")), .always("senderName", string),
        .always("timestamp", time),
        .always("text", string.described("The sentences that were found, at most 300 characters.")),
        .maybe("isPart", flag.described("True if the message says more: get_conversation with around has it.")),
        .maybe("file", reply(NexusModel.FilePlace.self)), .maybe("url", link))
}
