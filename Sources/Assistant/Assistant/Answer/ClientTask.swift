package import ChatCore
import Logging
import Retrieval

/// A prompt that a client made itself, as for the title of a chat: nothing is searched for it, and nothing is stored.
package struct ClientTask: Hashable, Sendable {
    /// The user for whom the client asks.
    package var asker: UserID
    /// The prompt, as the client sent it.
    package var messages: [PromptMessage]
    /// The JSON that the client wants; nil for what the prompt describes.
    package var replySchema: ReplySchema?
    /// What is said without a language model, or if it fails.
    package var fallback: String

    package init(asker: UserID, messages: [PromptMessage], replySchema: ReplySchema? = nil, fallback: String) {
        self.asker = asker
        self.messages = messages
        self.replySchema = replySchema
        self.fallback = fallback
    }
}

extension QuestionAnswering {
    /// Says what is said without a language model.
    package func perform(_ task: ClientTask, deliver: (AnswerEvent) -> Void) async throws {
        AnswerEvent.all(of: task.fallback, usage: nil).forEach(deliver)
    }
}

extension AnswerService {
    /// See ``QuestionAnswering/perform(_:deliver:)``.
    package func perform(_ task: ClientTask, deliver: (AnswerEvent) -> Void) async throws {
        let (text, usage) = try await reply(to: task)
        AnswerEvent.all(of: text ?? task.fallback, usage: usage).forEach(deliver)
    }

    /// Returns the model's reply, filtered as answers are; nil without a usable one.
    private func reply(to task: ClientTask) async throws -> (text: String?, usage: TokenUsage?) {
        guard let model = session.model else { return (nil, nil) }
        let request = GenerationRequest(
            messages: task.messages, maximumTokenCount: settings.answerTokenCount(for: model), streams: false,
            replySchema: task.replySchema, isTask: true)
        do {
            let reply = try await (session.limited(model, for: task.asker) ?? model).reply(to: request)
            return (usable(reply.text, for: task), reply.usage)
        } catch let error as ModelServiceError {
            session.logger.warning(
                "The language model failed in a client's own task", metadata: ["error.code": "\(error.code)"])
            return (nil, nil)
        }
    }

    private func usable(_ reply: String, for task: ClientTask) -> String? {
        // Some models think aloud before they reply.
        let said = reply.ranges(of: "</think>").last.map { String(reply[$0.upperBound...]) } ?? reply
        let links = PermittedLinks(in: task.messages.map(\.content))
        var filter = AnswerFilter(permittedLinks: links, sourceCount: nil)
        let text = (filter.push(said) + filter.finish()).trimmingWhitespace()
        return text.isEmpty ? nil : text
    }
}

extension AnswerEvent {
    /// The events of a text without sources that comes at once.
    static func all(of text: String, usage: TokenUsage?) -> [AnswerEvent] {
        let answer = Answer(
            turnID: TurnID(rawValue: "none"), text: text, sources: [], citations: [], noAnswerReason: .none, mode: nil,
            generation: nil, promptMessageKeys: [], usage: usage, notices: [])
        return [.retrieved([])] + (text.isEmpty ? [] : [.delta(text)]) + [.done(answer)]
    }
}
