package import Assistant
package import LiveChat
import UseCases

extension LiveAnswer {
    /// Takes an event of the answer; nil if there is no answer.
    package func take(_ event: AnswerEvent?) {
        switch event {
        case .delta(let text): take(text)
        case .done(let answer): end(.done(answer.turnID))
        case nil: end(.failed)
        case .progress, .retrieved, .reading, .citation, .checked: break
        }
    }
}

extension API {
    /// Returns what shows an answer to the other devices of its asker; nil for a question outside of conversations and
    /// threads, and for a summary.
    func liveAnswer(to request: AnswerRequest) -> LiveAnswer? {
        let place: AnswerPiece.Place
        switch request {
        case .question(let question):
            guard let thread = question.threadID else { return nil }
            place = .thread(thread)
        case .inConversation(let question):
            guard question.text != nil else { return nil }
            place = .conversation(question.conversationID)
        case .task: return nil
        }
        return services.people.beginAnswer(randomID(), in: place, for: request.asker)
    }
}
