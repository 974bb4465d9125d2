import ChatCore
import Extraction
import Prompting

/// Asks a model for a list, in as many parts as its context requires, and a second time if a reply is unusable.
struct ModelLister: Sendable {
    let model: any LanguageModel
    let session: ModelSession
    let settings: ExtractionSettings

    /// The longest reply that is shown to the model again, in characters.
    private static let shownReplyLength = 4_000
    /// The most faults that the model is shown.
    private static let namedFaultCount = 12

    /// Returns what the model finds in messages.
    ///
    /// - Parameters:
    ///   - schema: The items to ask for.
    ///   - list: The messages.
    ///   - place: The conversation, and who asks.
    ///   - outcome: Counts the work.
    /// - Returns: The items, checked and corrected.
    /// - Throws: ``ModelServiceError``; `tooLong` when a single message does not fit.
    func drafts(
        _ schema: ExtractionSchema, of list: MessageList, at place: ExtractionService.Place,
        _ outcome: inout ExtractionOutcome
    ) async throws -> [ItemDraft] {
        let prompt = prompt(schema, list, place)
        guard session.builder.estimatedTokenCount(of: prompt) <= promptTokenLimit else {
            return try await parts(schema, of: list, at: place, &outcome)
        }
        do {
            return try await ask(prompt, schema, list, place, &outcome)
        } catch ModelServiceError.tooLong {
            session.calibration.learnOverflow(for: model.name)
            return try await parts(schema, of: list, at: place, &outcome)
        }
    }

    /// Asks for both halves; for a single message, without the earlier ones.
    private func parts(
        _ schema: ExtractionSchema, of list: MessageList, at place: ExtractionService.Place,
        _ outcome: inout ExtractionOutcome
    ) async throws -> [ItemDraft] {
        if let (first, second) = list.halves(contextCount: settings.contextCount) {
            return try await drafts(schema, of: first, at: place, &outcome)
                + drafts(schema, of: second, at: place, &outcome)
        }
        guard let shorter = list.shortened() else { throw ModelServiceError.tooLong }
        return try await drafts(schema, of: shorter, at: place, &outcome)
    }

    private var answerTokenCount: Int { max(1, min(settings.answerTokenCount, model.contextTokenCount / 3)) }

    private var promptTokenLimit: Int {
        let room = Double(model.contextTokenCount - answerTokenCount)
        return (room / session.calibration.factor(for: model.name)).truncated(to: Int.self) ?? 0
    }

    private func prompt(_ schema: ExtractionSchema, _ list: MessageList, _ place: ExtractionService.Place)
        -> [PromptMessage]
    {
        var generator = session.makeGenerator()
        return session.builder.listPrompt(for: list.request(schema, at: place), using: &generator)
    }

    private func ask(
        _ prompt: [PromptMessage], _ schema: ExtractionSchema, _ list: MessageList, _ place: ExtractionService.Place,
        _ outcome: inout ExtractionOutcome
    ) async throws -> [ItemDraft] {
        let context = ExtractionContext(messages: list.messages, participants: place.participants, zone: place.zone)
        let reader = DraftReader(schema: schema, context: context)
        let first = try await reply(to: prompt, schema, &outcome)
        var read = reader.read(first)
        if read.deservesRetry {
            let again =
                prompt + [
                    PromptMessage(
                        role: .assistant, content: ChatTokens.broken(String(first.prefix(Self.shownReplyLength)))),
                    session.builder.listRetry(naming: Self.named(read.faults)),
                ]
            if session.builder.estimatedTokenCount(of: again) <= promptTokenLimit {
                let second = reader.read(try await reply(to: again, schema, &outcome))
                if second.isList, !read.isList || second.drafts.count >= read.drafts.count { read = second }
            }
        }
        for fault in read.faults { outcome.faults[fault.reason.rawValue, default: 0] += 1 }
        guard read.isList else { throw ModelServiceError.invalidReply(reason: "no list of items") }
        return read.drafts.map(Self.filtered)
    }

    private static func named(_ faults: [ItemFault]) -> [(item: Int?, problem: String)] {
        faults.prefix(namedFaultCount).map { ($0.item > 0 ? $0.item : nil, $0.reason.explanation) }
    }

    /// Removes anything from the model's words that could be used against the reader.
    private static func filtered(_ draft: ItemDraft) -> ItemDraft {
        var filter = AnswerFilter(permittedLinks: PermittedLinks(in: [draft.message.text]), sourceCount: nil)
        var draft = draft
        draft.text = (filter.push(draft.text) + filter.finish()).trimmingWhitespace()
        return draft
    }

    private func reply(
        to prompt: [PromptMessage], _ schema: ExtractionSchema, _ outcome: inout ExtractionOutcome
    ) async throws -> String {
        outcome.callCount += 1
        let request = GenerationRequest(
            messages: prompt, maximumTokenCount: answerTokenCount, streams: false,
            replySchema: ReplySchema(name: schema.name, schema: schema.jsonSchema),
            isTask: true)
        let reply = try await model.reply(to: request)
        count(reply.usage, of: prompt, &outcome)
        return reply.text
    }

    private func count(_ usage: TokenUsage?, of prompt: [PromptMessage], _ outcome: inout ExtractionOutcome) {
        guard let usage else { return }
        outcome.usage.add(usage)
        session.calibration.learn(
            estimated: session.builder.estimatedTokenCount(of: prompt), counted: usage.promptTokens, for: model.name)
    }
}
