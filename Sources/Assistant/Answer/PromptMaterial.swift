import Prompting

/// What an answer is made from: what was found, and the request for the prompt that shows it.
struct PromptMaterial: Sendable {
    /// What the prompt shows.
    enum Content: Sendable {
        /// What was found for a question across conversations; its sources are the first hits.
        case question(PromptRequest)
        /// One conversation; its messages are the hits.
        case conversation(ConversationRequest)
    }

    /// What the numbers of the prompt mean.
    let finding: Finding
    /// What the prompt shows.
    let content: Content

    /// Makes the prompt; its order names places among the hits.
    func prompt(
        by builder: PromptBuilder, budget: PromptBudget, using generator: inout some RandomNumberGenerator
    ) throws(PromptError) -> Prompt {
        switch content {
        case .question(let request): try builder.prompt(for: request, budget: budget, using: &generator)
        case .conversation(let request):
            try builder.conversationPrompt(for: request, budget: budget, using: &generator)
        }
    }
}
