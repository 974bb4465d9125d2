package import AnswerSupport
import ChatCore
package import Prompting

/// How the assistant answers.
package struct AssistantSettings: Hashable, Sendable {
    /// The most tokens of an answer; never more than half of the model's context.
    package var answerTokenCount: Int
    /// How much the prompt of a question shows.
    package var promptSize: PromptSize
    /// The most messages that the model is shown, if they fit; nil for as many as suit the prompt's size.
    package var promptSourceLimit: Int?
    /// The most messages that an extractive answer quotes.
    package var quotationCount: Int
    /// The order in which a prompt shows the messages.
    package var promptLayout: PromptLayout
    /// Whether the language model rewrites a follow-up question so that it can be searched for.
    package var rewritesFollowUps: Bool
    /// How long rewriting may take.
    package var rewriteTimeLimit: Duration
    /// The behaviour if the language model fails before its first word.
    package var fallback: AnswerFallback
    /// What happens to the sentences of a language model's answer; see ``SupportMode``.
    package var verification: SupportMode

    package init(
        answerTokenCount: Int = 1_024, promptSize: PromptSize = .normal, promptSourceCount: Int? = nil,
        quotationCount: Int = 3,
        promptLayout: PromptLayout = .byConversation,
        rewritesFollowUps: Bool = true, rewriteTimeLimit: Duration = .seconds(2),
        fallback: AnswerFallback = .quote, verification: SupportMode = .mark
    ) {
        self.answerTokenCount = answerTokenCount
        self.promptSize = promptSize
        promptSourceLimit = promptSourceCount
        self.quotationCount = quotationCount
        self.promptLayout = promptLayout
        self.rewritesFollowUps = rewritesFollowUps
        self.rewriteTimeLimit = rewriteTimeLimit
        self.fallback = fallback
        self.verification = verification
    }

    /// The most messages that the model is shown, if they fit.
    package var promptSourceCount: Int { promptSourceLimit ?? promptSize.sourceCount }

    /// The most tokens of an answer of a model.
    func answerTokenCount(for model: any LanguageModel) -> Int {
        max(1, min(answerTokenCount, model.contextTokenCount / 2))
    }
}

/// The behaviour if the language model fails before its first word.
package enum AnswerFallback: String, Hashable, Sendable, CaseIterable {
    /// The best sources are quoted, with the notice ``AnswerNotice/modelUnavailable``.
    case quote
    /// The failure is returned.
    case error
}
