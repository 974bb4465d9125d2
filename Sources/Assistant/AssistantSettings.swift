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

    /// Makes settings; the defaults suit a chat.
    public init(
        answerTokenCount: Int = 1_024, promptSourceCount: Int = 20, quotationCount: Int = 3,
        promptLimits: PromptLimits = PromptLimits()
    ) {
        self.answerTokenCount = answerTokenCount
        self.promptSourceCount = promptSourceCount
        self.quotationCount = quotationCount
        self.promptLimits = promptLimits
    }
}
