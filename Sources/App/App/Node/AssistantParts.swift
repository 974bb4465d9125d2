import Assistant
import ChatCore
import MessageStore
import Prompting
import Retrieval

/// The assistant: answers, conversations, suggested replies, and what is extracted from messages.
struct AssistantParts: Sendable {
    let answers: AnswerService
    let extractor: ExtractionService
    let conversations: ConversationAssistant
    let smartReplies: SmartReplyService

    init(
        _ workspace: Workspace, searching: any MessageSearching, model: GuardedModel?, allowance: TokenAllowance?
    ) throws {
        let (settings, store) = (workspace.settings, workspace.store)
        let session = ModelSession(
            model: model, prompts: try PromptLibrary(overrides: settings.promptsFolder), allowance: allowance,
            now: workspace.now, logger: workspace.logger)
        let answering = AssistantSettings(settings)
        answers = AnswerService(
            searching: VerdictSearching(searching, verdicts: store, now: workspace.now), session: session, turns: store,
            settings: answering)
        extractor = ExtractionService(store: store, session: session)
        conversations = ConversationAssistant(assistant: answers, store: store, settings: settings.conversations)
        smartReplies = SmartReplyService(session: session, settings: answering, messages: store)
    }
}

extension AssistantSettings {
    fileprivate init(_ settings: NexusSettings) {
        self.init()
        if let chat = settings.chat {
            answerTokenCount = chat.answerTokenCount
            fallback = chat.fallback
            verification = chat.verification
            promptSize = chat.promptSize
        }
    }
}
