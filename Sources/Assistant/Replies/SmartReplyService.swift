public import ChatCore
import Logging
import Prompting

/// Suggests replies to the last message of a conversation.
///
/// Everything that the language model is shown comes from one read of that conversation, in which the store decides
/// whether the asker may see it.
public struct SmartReplyService: Sendable {
    /// How many messages are read, the newest ones: among them the asker's own are looked for.
    private static let readCount = 100
    /// How many of them the model is shown at most, the last one included.
    private static let shownCount = 20
    /// How many of the asker's own show it the tone.
    private static let exampleCount = 5

    private let assistant: AnswerService
    private let messages: any ChatStore

    /// Joins what suggesting needs.
    ///
    /// - Parameters:
    ///   - assistant: Its language model, templates and limits are used, and its users' tokens of the day.
    ///   - messages: Where the conversations are.
    public init(assistant: AnswerService, messages: any ChatStore) {
        self.assistant = assistant
        self.messages = messages
    }

    /// Suggests replies.
    ///
    /// - Parameters:
    ///   - asker: Who is to reply.
    ///   - conversation: Where.
    ///   - timeZone: The IANA name of the asker's zone, in which times are shown; nil for the conversation's.
    /// - Returns: At most ``SmartReplies/limit`` texts, or why there are none.
    /// - Throws: ``RepositoryError/noSuchConversation(_:)`` also when the asker may not see it;
    ///   ``DailyTokensUsedUp``, ``ModelServiceError``, errors of the store.
    public func replies(
        for asker: UserID, in conversation: ConversationID, timeZone: String? = nil
    ) async throws -> SmartReplies {
        let moment = assistant.now()
        let page = try await messages.page(
            of: conversation, asker: asker, before: nil, limit: Self.readCount, at: moment)
        let scope = SearchScope(asker: asker, conversations: .only([conversation]))
        let conversationZone = try await messages.permitted(scope, at: moment).first?.timeZone
        let zone = timeZone ?? conversationZone
        guard let model = assistant.model else { return SmartReplies(reason: .noLanguageModel) }
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
        let reply = try await reply(to: request, from: assistant.limited(model, for: asker) ?? model)
        let links = PermittedLinks(in: (shown + own).flatMap { [$0.searchableText, $0.senderName] })
        let texts = SuggestedTexts(permittedLinks: links).texts(in: reply.text, isWhole: reply.isWhole)
        return texts.isEmpty ? SmartReplies(reason: .noSuggestion) : SmartReplies(replies: texts)
    }

    private static func reason(againstReplyingTo last: Message, by asker: UserID) -> SmartReplies.Reason? {
        if last.kind != .text { return .machineMessage }
        if last.senderID == asker { return .ownLastMessage }
        return last.isWritten ? nil : .nothingWritten
    }

    /// Returns what the model says, and whether it came to its end.
    private func reply(
        to request: SmartRepliesRequest, from model: any LanguageModel
    ) async throws -> (text: String, isWhole: Bool) {
        let generation = GenerationRequest(
            messages: try prompt(for: request, model: model),
            maximumTokenCount: assistant.answerTokenCount(for: model), streams: false)
        var text = ""
        for try await event in model.generate(generation) {
            switch event {
            case .delta(let delta): text += delta
            case .finished(let reason, _): return (text, reason != .length && reason != .contentFilter)
            }
        }
        try Task.checkCancellation()
        throw ModelServiceError.incompleteReply
    }

    private func prompt(for request: SmartRepliesRequest, model: any LanguageModel) throws -> [PromptMessage] {
        let budget = PromptBudget(
            contextTokenCount: model.contextTokenCount, answerTokenCount: assistant.answerTokenCount(for: model),
            calibration: assistant.calibration.factor(for: model.name))
        var generator = assistant.makeGenerator()
        do {
            return try assistant.builder.smartRepliesPrompt(for: request, budget: budget, using: &generator)
        } catch {
            assistant.logger.warning(
                "The last message does not fit the language model",
                metadata: ["model.context": "\(model.contextTokenCount)"])
            throw ModelServiceError.tooLong
        }
    }
}

extension Message {
    /// Whether it has words, and they are not the chat application's.
    fileprivate var isWritten: Bool { kind.isTalk && !searchableText.trimmingWhitespace().isEmpty }

    /// The message as a prompt shows it; in a prompt of one conversation its name says nothing.
    fileprivate func source(in timeZone: String?) -> PromptSource {
        PromptSource(
            sender: senderName.isEmpty ? senderID.rawValue : senderName, conversation: "",
            conversationID: key.conversationID, timestamp: timestamp, timeZone: timeZone, text: searchableText)
    }
}

/// Replies that are suggested for the last message of a conversation.
public struct SmartReplies: Hashable, Sendable, Codable {
    /// The most that are suggested.
    public static let limit = 3
    /// The longest, in Unicode scalars.
    public static let lengthLimit = 200

    /// Why nothing is suggested.
    public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
        /// No language model is configured.
        case noLanguageModel = "no_language_model"
        /// There is no message.
        case emptyConversation = "empty_conversation"
        /// A program or the chat application wrote the last message.
        case machineMessage = "machine_message"
        /// The asker wrote the last message.
        case ownLastMessage = "own_last_message"
        /// The last message has no words: a file alone.
        case nothingWritten = "nothing_written"
        /// The language model suggested nothing, or nothing that can be used.
        case noSuggestion = "no_suggestion"
    }

    /// Texts to send as they stand, each on one line; no two alike.
    public var replies: [String]
    /// Why there are none; nil when there are.
    public var reason: Reason?

    /// Suggests replies, at least one.
    public init(replies: [String]) {
        self.replies = replies
    }

    /// Suggests nothing.
    public init(reason: Reason) {
        replies = []
        self.reason = reason
    }
}
