import NexusClient
import NexusModel

/// The lines of a conversation, as an app draws them.
@MainActor func tutorialLines(of model: ConversationModel) -> [String] {
    switch model.state {
    case .loading: ["…"]
    case .gone(let unsent): ["You are not a member."] + unsent.map { "\($0.text) – not sent" }
    case .signedOut: []
    case .loaded(let entries):
        entries.map { entry in
            switch entry {
            case .message(let message): "\(message.senderName): \(message.text)"
            case .gap: "Load more"
            case .outgoing(let message):
                if case .failed(let error) = message.state {
                    "\(message.text) – \(error.sentence.text)"
                } else {
                    "\(message.text) …"
                }
            }
        }
    }
}

/// Writes a message as a person does.
@MainActor func tutorialWrite(_ text: String, in model: ConversationModel) async {
    await model.open()
    model.composer.draft = text
    await model.noteTyping()
    await model.send()
    await model.markRead()
}

/// Tries again what the server refused.
@MainActor func tutorialRetry(in model: ConversationModel) async {
    guard case .loaded(let entries) = model.state else { return }
    for case .outgoing(let message) in entries {
        if case .failed = message.state { await model.retry(message) }
    }
}
