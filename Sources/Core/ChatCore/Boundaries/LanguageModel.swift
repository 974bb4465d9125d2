/// The speaker of a message in a prompt.
public enum PromptRole: String, Codable, Hashable, Sendable {
    /// The operator's instructions.
    case system
    /// The asker.
    case user
    /// The assistant.
    case assistant
}

/// One message of a prompt.
public struct PromptMessage: Hashable, Sendable, Codable {
    /// The speaker.
    public var role: PromptRole
    /// The text.
    public var content: String

    public init(role: PromptRole, content: String) {
        self.role = role
        self.content = content
    }
}

/// The JSON schema that an answer must match.
public struct ReplySchema: Hashable, Sendable {
    /// A name of letters, digits and underscores.
    public var name: String
    /// Strict JSON schema: every field is required, no others are allowed.
    public var schema: JSONValue

    public init(name: String, schema: JSONValue) {
        self.name = name
        self.schema = schema
    }
}

/// A prompt that a language model continues.
public struct GenerationRequest: Hashable, Sendable {
    /// The prompt, in order.
    public var messages: [PromptMessage]
    /// The most tokens of an answer.
    public var maximumTokenCount: Int
    /// Whether the answer is sent piece by piece; if not, it arrives as one delta.
    public var streams: Bool
    /// The JSON that the answer must match; nil for text.
    ///
    /// A service without support for schemas does not receive it, so the prompt has to describe the same.
    public var replySchema: ReplySchema?
    /// Whether the same prompt should give the same reply, as in extraction and summaries; an answer to a person may
    /// vary.
    public var isTask: Bool

    public init(
        messages: [PromptMessage], maximumTokenCount: Int, streams: Bool, replySchema: ReplySchema? = nil,
        isTask: Bool = false
    ) {
        self.messages = messages
        self.maximumTokenCount = maximumTokenCount
        self.streams = streams
        self.replySchema = replySchema
        self.isTask = isTask
    }
}

/// The tokens as counted by a service.
public struct TokenUsage: Hashable, Sendable, Codable {
    /// Tokens of the prompt.
    public var promptTokens: Int
    /// Tokens of the answer.
    public var completionTokens: Int

    public init(promptTokens: Int, completionTokens: Int) {
        self.promptTokens = promptTokens
        self.completionTokens = completionTokens
    }
}

/// Why an answer ended.
public enum FinishReason: Hashable, Sendable {
    /// The model finished.
    case stop
    /// The token limit cut the answer off.
    case length
    /// The service's own filter cut the answer off.
    case contentFilter
    /// Any other reason, in the service's word.
    case other(String)
}

/// A piece of an answer.
public enum GenerationEvent: Hashable, Sendable {
    /// The share of the prompt that the model has read, 0...1; only before the first text, and only from services that
    /// report it.
    case reading(Double)
    /// More text.
    case delta(String)
    /// The end: always the last event of a complete answer, and no other event.
    case finished(FinishReason, TokenUsage?)
}

/// Continues prompts.
public protocol LanguageModel: Sendable {
    /// The model's name as the provider knows it.
    var name: String { get }
    /// The most tokens of prompt and answer together.
    var contextTokenCount: Int { get }

    /// Delivers an answer, and returns after its end; a caller that has read enough cancels its task, which aborts the
    /// request.
    ///
    /// - Parameters:
    ///   - request: The prompt.
    ///   - deliver: Receives each event, in order. Nothing is read ahead: the next event is read when it has returned.
    ///     It cannot fail, so that every error is the model's own.
    /// - Throws: ``ModelServiceError``, after the events that came before it; `CancellationError` when the task is
    ///   cancelled before the end.
    func generate(_ request: GenerationRequest, deliver: (GenerationEvent) async -> Void) async throws
}

/// A complete answer of a language model.
public struct GeneratedText: Hashable, Sendable {
    /// The text.
    public var text: String
    /// Why it ended.
    public var reason: FinishReason
    /// The tokens as counted by the service.
    public var usage: TokenUsage?

    public init(text: String, reason: FinishReason, usage: TokenUsage?) {
        self.text = text
        self.reason = reason
        self.usage = usage
    }
}

extension LanguageModel {
    /// Returns a complete answer.
    ///
    /// - Throws: ``ModelServiceError``, also for an answer without an end; `CancellationError`.
    public func reply(to request: GenerationRequest) async throws -> GeneratedText {
        var text = ""
        var reply: GeneratedText?
        try await generate(request) { event in
            switch event {
            case .reading: break
            case .delta(let delta): text += delta
            case .finished(let reason, let usage): reply = GeneratedText(text: text, reason: reason, usage: usage)
            }
        }
        if let reply { return reply }
        try Task.checkCancellation()
        throw ModelServiceError.incompleteReply
    }
}
