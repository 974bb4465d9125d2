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
        let prompts = try PromptLibrary(overrides: settings.promptsFolder)
        let calibration = TokenCalibration()
        answers = AnswerService(
            searching: searching, model: model, prompts: prompts, turns: store, calibration: calibration,
            settings: AssistantSettings(settings), allowance: allowance, now: workspace.now, logger: workspace.logger)
        extractor = ExtractionService(
            store: store, model: model, prompts: prompts, calibration: calibration, allowance: allowance,
            now: workspace.now, logger: workspace.logger)
        conversations = ConversationAssistant(assistant: answers, store: store, settings: settings.conversations)
        smartReplies = SmartReplyService(assistant: answers, messages: store)
    }
}

extension AssistantSettings {
    fileprivate init(_ settings: NexusSettings) {
        self.init()
        if let chat = settings.chat {
            answerTokenCount = chat.answerTokenCount
            fallback = chat.fallback
        }
    }
}
