import ChatCore
import Logging
import Prompting

/// Uses a language model to write notes on parts of one conversation.
struct NoteTaker: Sendable {
    /// Counts against the asker's daily tokens.
    let model: any LanguageModel
    let session: ModelSession
    let settings: ConversationSettings
    /// The IANA name of the zone in which times are shown.
    let timeZone: String?

    /// The notes on a piece of a part.
    struct Piece: Sendable {
        /// The places of its messages.
        let places: Range<Int>
        let notes: Notes
        /// Whether the service cut the prompt, so that the notes cover only some of the messages.
        let isCut: Bool
    }

    /// The result of one part.
    struct Outcome: Sendable {
        /// The notes, for each piece of the part in order; a piece is missing if its reply was unusable twice.
        var pieces: [Piece] = []
        /// Whether the notes cover the whole part.
        var isComplete = true
        /// Whether the service cut the prompt of a piece that was not read again in halves.
        var isCut = false
        /// The tokens as counted by the service.
        var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
    }

    /// The most tokens of one reply.
    private var noteTokenCount: Int { max(1, min(settings.noteTokenCount, model.contextTokenCount / 4)) }

    /// The most tokens of a prompt, by the estimate without calibration.
    var promptTokenLimit: Int {
        session.budget(for: model, answerTokenCount: noteTokenCount).estimateLimit
    }

    /// How many summaries are merged into one, so that the prompt fits.
    var fanIn: Int { max(2, min(settings.fanIn, promptTokenLimit / (2 * noteTokenCount))) }

    /// The longest part whose prompt fits.
    var partTokenCount: Int {
        var generator = session.makeGenerator()
        let frame = session.builder.estimatedTokenCount(
            of: session.builder.partPrompt(
                for: [], lineCount: settings.noteCount, timeZone: timeZone, using: &generator))
        return max(1, min(settings.partTokenCount, promptTokenLimit - frame))
    }

    /// The result of one prompt.
    private struct Written {
        /// Nil when the replies were unusable.
        var notes: Notes?
        var isCut = false
        var usage = TokenUsage(promptTokens: 0, completionTokens: 0)
    }

    /// Returns notes on messages; a part that is too long for the service is split in halves.
    ///
    /// If the service cut the prompt of a part without saying so, the part is read again in halves, once. A service
    /// that counts wrongly must not cost a request for each message.
    ///
    /// - Parameters:
    ///   - messages: In order of time.
    ///   - places: Their places, for the outcome.
    ///   - isHalf: Whether they are half of a part that was split.
    /// - Returns: The notes.
    /// - Throws: ``ModelServiceError``, ``DailyTokensUsedUp``; then no notes were written.
    func notes(on messages: [PromptSource], at places: Range<Int>, isHalf: Bool = false) async throws -> Outcome {
        var generator = session.makeGenerator()
        let prompt = session.builder.partPrompt(
            for: messages, lineCount: settings.noteCount, timeZone: timeZone, using: &generator)
        let texts = messages.flatMap { [$0.text, $0.sender] }
        let result = await Result { try await notes(for: prompt, showing: texts, sourceCount: messages.count) }
        if case .failure(ModelServiceError.tooLong) = result, messages.count > 1 {
            return try await halves(of: messages, at: places, isHalf: isHalf)
        }
        let written = try result.get()
        if written.isCut, messages.count > 1, !isHalf {
            var outcome = try await halves(of: messages, at: places, isHalf: true)
            outcome.usage.add(written.usage)
            return outcome
        }
        return Outcome(
            pieces: written.notes.map { [Piece(places: places, notes: $0, isCut: written.isCut)] } ?? [],
            isComplete: written.notes != nil && !written.isCut, isCut: written.isCut, usage: written.usage)
    }

    private func halves(of messages: [PromptSource], at places: Range<Int>, isHalf: Bool) async throws -> Outcome {
        session.calibration.learnOverflow(for: model.name)
        let middle = messages.count / 2
        let first = places.lowerBound..<places.lowerBound + middle
        var outcome = try await notes(on: Array(messages[..<middle]), at: first, isHalf: isHalf)
        outcome.add(
            try await notes(on: Array(messages[middle...]), at: first.upperBound..<places.upperBound, isHalf: isHalf))
        return outcome
    }

    /// Returns several notes merged into one; nil when the model's reply is unusable, or when they are too long for it,
    /// even if the service cut them without saying so.
    ///
    /// - Parameters:
    ///   - summaries: In order of time; their citations contain places from 0.
    ///   - sourceCount: The number of places.
    /// - Returns: The notes; their numbers are places plus one.
    /// - Throws: ``ModelServiceError``, ``DailyTokensUsedUp``.
    func merged(_ summaries: [SummaryText], sourceCount: Int) async throws -> (Notes?, TokenUsage) {
        var generator = session.makeGenerator()
        let prompt = session.builder.mergePrompt(
            for: summaries, lineCount: 2 * settings.noteCount, timeZone: timeZone, using: &generator)
        let texts = summaries.flatMap(\.pieces).compactMap { if case .text(let text) = $0 { text } else { nil } }
        let result = await Result { try await notes(for: prompt, showing: texts, sourceCount: sourceCount) }
        if case .failure(ModelServiceError.tooLong) = result {
            session.calibration.learnOverflow(for: model.name)
            return (nil, TokenUsage(promptTokens: 0, completionTokens: 0))
        }
        let written = try result.get()
        return (written.isCut ? nil : written.notes, written.usage)
    }

    /// Asks once, and a second time if the reply is unusable and the prompt was read completely.
    private func notes(
        for prompt: [PromptMessage], showing texts: [String], sourceCount: Int
    ) async throws -> Written {
        let links = PermittedLinks(in: texts)
        var written = Written()
        for _ in 0..<2 {
            let reply = try await reply(to: prompt)
            written.usage.add(reply.usage)
            written.isCut = session.learn(from: reply.usage, of: prompt, model: model)
            written.notes = Notes(
                reply: reply.reason == .contentFilter ? "" : reply.text, isWhole: reply.reason != .length,
                sourceCount: sourceCount, permittedLinks: links, lineLimit: 4 * settings.noteCount)
            if written.notes != nil || written.isCut { return written }
        }
        session.logger.warning("A part of a conversation is not summarized: the replies were of no use")
        return written
    }

    private func reply(to prompt: [PromptMessage]) async throws -> GeneratedText {
        try await model.reply(
            to: GenerationRequest(
                messages: prompt, maximumTokenCount: noteTokenCount, streams: false, isTask: true))
    }
}

extension NoteTaker.Outcome {
    mutating func add(_ other: Self) {
        pieces += other.pieces
        isComplete = isComplete && other.isComplete
        isCut = isCut || other.isCut
        usage.add(other.usage)
    }
}

extension TokenUsage {
    /// Adds the usage of another request.
    mutating func add(_ other: TokenUsage?) {
        promptTokens = promptTokens.addingClamped(other?.promptTokens ?? 0)
        completionTokens = completionTokens.addingClamped(other?.completionTokens ?? 0)
    }
}
