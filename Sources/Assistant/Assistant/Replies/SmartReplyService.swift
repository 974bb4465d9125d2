package import ChatCore
import Logging
import Prompting

/// Suggests replies to the last message of a conversation.
///
/// Everything that the language model is shown comes from one read of that conversation; the store decides there
/// whether the asker may see it.
package struct SmartReplyService: Sendable {
    /// The number of messages that are read, the newest ones; they include messages of the asker.
    private static let readCount = 100
    /// The most of them that the model is shown, including the last one.
    private static let shownCount = 20
    /// The number of the asker's own messages that show the tone.
    private static let exampleCount = 5

    private let session: ModelSession
    private let settings: AssistantSettings
    private let messages: any ChatStore

    /// - Parameters:
    ///   - session: Suggests.
    ///   - settings: The longest reply.
    ///   - messages: Contains the conversations.
    package init(
        session: ModelSession, settings: AssistantSettings = AssistantSettings(), messages: any ChatStore
    ) {
        self.session = session
        self.settings = settings
        self.messages = messages
    }

    /// Suggests replies.
    ///
    /// - Parameters:
    ///   - asker: The user who wants to reply.
    ///   - conversation: The conversation to reply in.
    ///   - timeZone: The IANA name of the asker's zone, in which times are shown; nil for the zone of the conversation.
    /// - Returns: At most ``SmartReplies/limit`` texts, or why there are none.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` also when the asker may not see it;
    ///   ``DailyTokensUsedUp``, ``ModelServiceError``, errors of the store.
    package func replies(
        for asker: UserID, in conversation: ConversationID, timeZone: String? = nil
    ) async throws -> SmartReplies {
        let moment = session.now()
        let page = try await messages.page(
            of: conversation, asker: asker, before: nil, limit: Self.readCount, at: moment)
        let scope = SearchScope(asker: asker, conversations: .only([conversation]))
        let conversationZone = try await messages.permitted(scope, at: moment).first?.timeZone
        let zone = timeZone ?? conversationZone
        guard let model = session.model else { return SmartReplies(reason: .noLanguageModel) }
        guard let last = page.first else { return SmartReplies(reason: .emptyConversation) }
        if let reason = Self.reason(againstReplyingTo: last, by: asker) { return SmartReplies(reason: reason) }
        let shown = page.prefix(Self.shownCount).filter(\.isWritten)
        let own = page.filter { $0.isWritten && $0.senderID == asker }.prefix(Self.exampleCount)
        let request = SmartRepliesRequest(
            last: last.source(in: zone),
            earlier: shown.dropFirst().reversed().map {
                .init(source: $0.source(in: zone), isOwn: $0.senderID == asker)
            },
            examples: own.map(\.searchableText))
        let reply = try await reply(to: request, from: session.limited(model, for: asker) ?? model)
        let links = PermittedLinks(in: (shown + own).flatMap { [$0.searchableText, $0.senderName] })
        let texts = SuggestedTexts(permittedLinks: links).texts(in: reply.text, isWhole: reply.isWhole)
        return texts.isEmpty ? SmartReplies(reason: .noSuggestion) : SmartReplies(replies: texts)
    }

    private static func reason(againstReplyingTo last: Message, by asker: UserID) -> SmartReplies.Reason? {
        if last.kind != .text { return .machineMessage }
        if last.senderID == asker { return .ownLastMessage }
        return last.isWritten ? nil : .nothingWritten
    }

    /// Returns the model's text, and whether it is complete.
    private func reply(
        to request: SmartRepliesRequest, from model: any LanguageModel
    ) async throws -> (text: String, isWhole: Bool) {
        let generation = GenerationRequest(
            messages: try prompt(for: request, model: model),
            maximumTokenCount: settings.answerTokenCount(for: model), streams: false)
        let reply = try await model.reply(to: generation)
        return (reply.text, reply.reason != .length && reply.reason != .contentFilter)
    }

    private func prompt(for request: SmartRepliesRequest, model: any LanguageModel) throws -> [PromptMessage] {
        let budget = session.budget(for: model, answerTokenCount: settings.answerTokenCount(for: model))
        var generator = session.makeGenerator()
        do {
            return try session.builder.smartRepliesPrompt(for: request, budget: budget, using: &generator)
        } catch {
            session.logger.warning(
                "The last message does not fit the language model",
                metadata: ["model.context": "\(model.contextTokenCount)"])
            throw ModelServiceError.tooLong
        }
    }
}

extension Message {
    /// Whether it has words that a person or a program wrote, not the chat application.
    fileprivate var isWritten: Bool { kind.isTalk && !searchableText.trimmingWhitespace().isEmpty }

    /// The message in the form that a prompt shows, without the conversation's name because there is only one.
    fileprivate func source(in timeZone: String?) -> PromptSource {
        PromptSource(
            sender: senderName.isEmpty ? senderID.rawValue : senderName, conversation: "",
            conversationID: key.conversationID, timestamp: timestamp, timeZone: timeZone, text: searchableText)
    }
}

/// Replies that are suggested for the last message of a conversation.
package struct SmartReplies: Hashable, Sendable, Codable {
    /// The most replies.
    package static let limit = 3
    /// The longest reply, in Unicode scalars.
    package static let lengthLimit = 200

    /// Why nothing is suggested.
    package enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// No language model is configured.
        case noLanguageModel = "no_language_model"
        /// The conversation has no messages.
        case emptyConversation = "empty_conversation"
        /// A program or the chat application wrote the last message.
        case machineMessage = "machine_message"
        /// The asker wrote the last message.
        case ownLastMessage = "own_last_message"
        /// The last message has no words, only a file.
        case nothingWritten = "nothing_written"
        /// The language model suggested nothing usable.
        case noSuggestion = "no_suggestion"
    }

    /// Texts that can be sent unchanged, each on one line; no two alike.
    package var replies: [String]
    /// Why there are none; nil when there are.
    package var reason: Reason?

    package init(replies: [String]) {
        self.replies = replies
    }

    package init(reason: Reason) {
        replies = []
        self.reason = reason
    }
}
