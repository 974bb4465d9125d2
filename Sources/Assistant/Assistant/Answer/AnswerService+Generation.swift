import AnswerSupport
import ChatCore
import Logging
import Prompting
import Retrieval
import TextAnalysis
import Tracing

extension AnswerService {
    /// How often a prompt that is too long for the service is made again.
    private static let longestRetry = 2

    /// Lets the language model answer.
    ///
    /// If the service rejects a prompt as too long, it is shortened and sent again, unless an answer has already begun.
    func generate(
        with model: any LanguageModel, for ask: Ask, from material: PromptMaterial, emit: (AnswerEvent) -> Void
    ) async throws -> Answer {
        let finding = material.finding
        let start = session.now()
        var prompt = try makePrompt(for: model, ask: ask, material: material)
        let promptDuration = session.now() - start
        var retries = 0
        while true {
            var assembly = AnswerAssembly(
                finding: finding, shown: prompt.sourceOrder.map { finding.hits[$0] }, question: ask.question)
            do {
                let (reason, usage) = try await withSpan("generate", ofKind: .client) { span in
                    span.attributes["gen_ai.operation.name"] = "chat"
                    span.attributes["gen_ai.request.model"] = model.name
                    let (reason, usage) = try await say(
                        prompt, with: model, for: ask, isAgain: retries > 0, into: &assembly, emit: emit)
                    if let usage {
                        span.attributes["gen_ai.usage.input_tokens"] = usage.promptTokens
                        span.attributes["gen_ai.usage.output_tokens"] = usage.completionTokens
                    }
                    return (reason, usage)
                }
                var notices = notices(of: reason, usage: usage, prompt: prompt, model: model)
                try await verify(&assembly, of: ask, from: material, &notices, emit: emit)
                if assembly.isUncited { notices.insert(.uncited) }
                // Clients that do not know notices show only the answer.
                if notices.contains(.promptCut) { assembly.frame(session.builder.promptCutNote).forEach(emit) }
                var answer = assembly.answer(
                    turnID: ask.turnID, limit: ask.request.limit, usage: usage, notices: notices)
                answer.searchTrace?.durations["prompt"] = promptDuration
                return answer
            } catch ModelServiceError.tooLong where assembly.text.isEmpty && retries < Self.longestRetry {
                session.calibration.learnOverflow(for: model.name)
                let shorter = try makePrompt(for: model, ask: ask, material: material)
                guard shorter.estimatedTokenCount < prompt.estimatedTokenCount else { throw ModelServiceError.tooLong }
                prompt = shorter
                retries += 1
            } catch {
                if !assembly.text.isEmpty, !isHeld(ask) { ask.speech.begin() }
                throw error
            }
        }
    }

    /// Quotes the sentences that answer when there is no language model or it failed.
    func extract(
        for ask: Ask, from finding: Finding, notice: AnswerNotice = .extractive, emit: (AnswerEvent) -> Void
    ) -> Answer {
        let finding = finding.knowingReplaced(for: ask.question, among: Finding.quotedCount)
        let quotable = finding.quotable(settings.quotationCount)
        let quotations = finding.validFirst(
            QuotedSentences(question: ask.question, hits: finding.hits)
                .quotations(of: quotable, keeping: finding.replacing(quotable)))
        let quoted = quotations.map(\.hit)
        var assembly = AnswerAssembly(finding: finding, shown: quoted, question: ask.question)
        emit(.retrieved(assembly.shownSources))
        let grounding = finding.grounding(quoting: quotations, timeZone: ask.request.timeZone)
        let parts = session.builder.extractiveParts(
            for: grounding, modelFailed: notice == .modelUnavailable,
            isUnsure: finding.noAnswerReason == .belowThreshold,
            asOf: asOf(ask).map { ($0, LanguageGuess.language(of: ask.question) ?? .english) })
        for part in parts {
            let events = part.number.map { assembly.quote(part.text, place: $0) } ?? assembly.frame(part.text)
            events.forEach(emit)
        }
        return assembly.answer(turnID: ask.turnID, limit: ask.request.limit, usage: nil, notices: [notice])
    }

    /// The best hits, as material for an answer to a question across conversations.
    func material(for ask: Ask, from finding: Finding) -> PromptMaterial {
        let finding = finding.knowingReplaced(for: ask.question, among: settings.promptSourceCount)
        let hits = finding.hits.prefix(settings.promptSourceCount)
        var request = PromptRequest(
            question: ask.question, history: ask.request.promptHistory,
            grounding: finding.grounding(showing: hits, timeZone: ask.request.timeZone), now: ask.askedAt,
            timeZone: ask.request.timeZone, layout: settings.promptLayout,
            size: settings.promptSize)
        request.isUnsure = finding.noAnswerReason == .belowThreshold
        request.asOf = asOf(ask)
        return PromptMaterial(finding: finding, content: .question(request))
    }

    /// The day or the time up to which messages were read, for readers; nil for the present.
    private func asOf(_ ask: Ask) -> String? {
        ask.request.asOf.map { asOf in
            asOf.day ?? PromptDate(timeZone: ask.request.timeZone).dayAndTime(asOf.last)
        }
    }

    /// How long a prompt for a model may be.
    func budget(for model: any LanguageModel) -> PromptBudget {
        session.budget(for: model, answerTokenCount: settings.answerTokenCount(for: model))
    }

    func makePrompt(for model: any LanguageModel, ask: Ask, material: PromptMaterial) throws -> Prompt {
        let budget = budget(for: model)
        var generator = session.makeGenerator()
        do {
            return try withSpan("prompt") { span in
                let prompt = try material.prompt(by: session.builder, budget: budget, using: &generator)
                span.attributes["prompt.tokens"] = prompt.estimatedTokenCount
                span.attributes["prompt.sources"] = prompt.sourceOrder.count
                return prompt
            }
        } catch {
            session.logger.warning(
                "The question does not fit the language model",
                metadata: ["turn.id": "\(ask.turnID)", "model.context": "\(model.contextTokenCount)"])
            throw ModelServiceError.tooLong
        }
    }

    /// Checks the sentences of an answer, and tells readers what changed.
    private func verify(
        _ assembly: inout AnswerAssembly, of ask: Ask, from material: PromptMaterial,
        _ notices: inout Set<AnswerNotice>, emit: (AnswerEvent) -> Void
    ) async throws {
        guard checks(ask), !assembly.text.isEmpty else { return }
        let verifier = AnswerVerifier(
            mode: settings.verification, timeZone: ask.request.timeZone,
            keepsText: ask.request.textIsFinal && settings.verification == .mark, hasSummaries: material.hasSummaries)
        let (text, citations, shown) = (assembly.text, assembly.citations, assembly.shown)
        var checked = try await withSpan("verify") { span in
            let checked = try await verifier.check(text, citations, shown: shown)
            span.attributes["answer.sentences"] = checked.sentences.count
            return checked
        }
        if checked.removedCount > 0 {
            notices.insert(.sentencesRemoved)
            if checked.text.trimmingWhitespace().isEmpty { checked.text = session.builder.nothingSupportedText }
        }
        assembly.replace(with: checked)
        if settings.verification == .remove {
            emit(.delta(checked.text))
            checked.citations.forEach { emit(.citation($0)) }
        }
        emit(.checked(checked))
    }

    /// Whether an answer is checked: a summary is not, because a sentence of it is based on many messages.
    private func checks(_ ask: Ask) -> Bool { settings.verification != .off && !ask.isSummary }

    /// Whether readers get an answer only after its check: nobody reads a sentence that may be removed.
    private func isHeld(_ ask: Ask) -> Bool { checks(ask) && settings.verification == .remove }

    /// Sends the prompt, unless the user has no tokens left today, and puts the answer together.
    private func say(
        _ prompt: Prompt, with model: any LanguageModel, for ask: Ask, isAgain: Bool,
        into assembly: inout AnswerAssembly, emit: (AnswerEvent) -> Void
    ) async throws -> (FinishReason, TokenUsage?) {
        let request = GenerationRequest(
            messages: prompt.messages, maximumTokenCount: settings.answerTokenCount(for: model),
            streams: ask.request.streams,
            isTask: ask.isSummary)
        func begin() {
            if !isAgain { emit(.retrieved(assembly.shownSources)) }
        }
        func say(_ events: [AnswerEvent]) {
            if !isHeld(ask) { events.forEach(emit) }
        }
        var end: (reason: FinishReason, usage: TokenUsage?)?
        func take(_ event: GenerationEvent) {
            switch event {
            case .reading(let share): emit(.reading(share))
            case .delta(let delta): say(assembly.take(delta))
            case .finished(let reason, let usage):
                say(assembly.finish())
                end = (reason, usage)
            }
        }
        if let limited = session.limited(model, for: ask.request.scope.asker) {
            try await limited.generate(request, admitted: { begin() }, deliver: { take($0) })
        } else {
            begin()
            try await model.generate(request) { take($0) }
        }
        guard let end else {
            try Task.checkCancellation()
            throw ModelServiceError.incompleteReply
        }
        guard !assembly.text.trimmingWhitespace().isEmpty || end.reason.mayLeaveNothing else {
            throw ModelServiceError.invalidReply(reason: "the answer is empty")
        }
        return end
    }

    /// Calibrates with the service's token count, and returns the notices for the reader.
    private func notices(
        of reason: FinishReason, usage: TokenUsage?, prompt: Prompt, model: any LanguageModel
    ) -> Set<AnswerNotice> {
        var notices: Set<AnswerNotice> = []
        if reason == .length { notices.insert(.truncated) }
        if reason == .contentFilter { notices.insert(.filtered) }
        if session.learn(from: usage, of: prompt.messages, model: model) { notices.insert(.promptCut) }
        return notices
    }
}

extension FinishReason {
    /// Whether an answer with this ending may be empty because it was cut off before it began.
    fileprivate var mayLeaveNothing: Bool { self == .length || self == .contentFilter }
}
