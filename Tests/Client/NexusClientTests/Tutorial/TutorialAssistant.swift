import NexusClient
import NexusModel

/// Asks the assistant; `jump` shows the message of a tapped source.
@MainActor func tutorialAsk(
    _ question: String, in chat: TutorialChat, jump: @escaping @MainActor (MessagePlace) -> Void
) async -> AssistantModel {
    let model = AssistantModel(chat.hub, navigate: jump)
    model.draft = question
    await model.ask()
    return model
}

/// The answer, as an app draws it: a citation is what a person taps.
@MainActor func tutorialAnswer(of model: AssistantModel) -> String {
    switch model.exchanges.last?.phase {
    case nil: ""
    case .searching, .reading: "…"
    case .answering(let draft), .stopped(let draft): draft.text
    case .failed(let sentence, _): sentence.text
    case .answered(let answer, _):
        answer.segments.map { segment in
            switch segment {
            case .text(let text): text
            case .citations(let text, _): "<\(text)>"
            }
        }.joined()
    }
}
