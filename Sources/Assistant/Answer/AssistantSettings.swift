public import Prompting

/// How the assistant answers.
public struct AssistantSettings: Hashable, Sendable {
    /// The most tokens of an answer; never more than half of what the model takes.
    public var answerTokenCount: Int
    /// How many messages the model is shown at most, as far as they fit.
    public var promptSourceCount: Int
    /// How many messages an extractive answer quotes at most.
    public var quotationCount: Int
    /// How much of each part a prompt shows.
    public var promptLimits: PromptLimits
    /// In which order a prompt shows the messages.
    public var promptLayout: PromptLayout
    /// Whether the language model puts a follow-up question in words that can be searched for.
    public var rewritesFollowUps: Bool
    /// How long it may take over that.
    public var rewriteTimeLimit: Duration
    /// What happens to a question when the language model fails before it said anything.
    public var fallback: AnswerFallback

    public init(
        answerTokenCount: Int = 1_024, promptSourceCount: Int = 20, quotationCount: Int = 3,
        promptLimits: PromptLimits = PromptLimits(), promptLayout: PromptLayout = .byConversation,
        rewritesFollowUps: Bool = true, rewriteTimeLimit: Duration = .seconds(2),
        fallback: AnswerFallback = .quote
    ) {
        self.answerTokenCount = answerTokenCount
        self.promptSourceCount = promptSourceCount
        self.quotationCount = quotationCount
        self.promptLimits = promptLimits
        self.promptLayout = promptLayout
        self.rewritesFollowUps = rewritesFollowUps
        self.rewriteTimeLimit = rewriteTimeLimit
        self.fallback = fallback
    }
}

/// What happens to a question when the language model fails before it said anything.
public enum AnswerFallback: String, Hashable, Sendable, CaseIterable {
    /// The best sources are quoted, with the notice ``AnswerNotice/modelUnavailable``.
    case quote
    /// The failure is returned.
    case error
}
