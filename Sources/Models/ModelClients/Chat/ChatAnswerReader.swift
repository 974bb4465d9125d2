import ChatCore
import Foundation
import Transport

/// One answer, event by event. Releasing it aborts the request.
actor ChatAnswerReader {
    private enum Phase {
        case unopened
        case streaming(HTTPBody.AsyncIterator)
        case ended
    }

    private let model: OpenAIChatModel
    private let request: GenerationRequest
    private var phase = Phase.unopened
    private var parser = ServerSentEventParser()
    private var pending: [GenerationEvent] = []
    private var finishReason: FinishReason?
    private var usage: TokenUsage?
    /// The error after the pending events.
    private var failure: (any Error)?
    /// When the first event was requested.
    private var start: ContinuousClock.Instant?
    /// When the last word came, or the next one was requested; nil before the first word.
    private var lastWord: ContinuousClock.Instant?

    init(model: OpenAIChatModel, request: GenerationRequest) {
        self.model = model
        self.request = request
    }

    /// Returns the next event; nil after the last one.
    ///
    /// Events that arrived before a failure are returned before it. The text of a request that does not stream is one
    /// event.
    func next() async throws -> GenerationEvent? {
        guard !request.streams else { return try await received() }
        var text = ""
        while let event = try await received() {
            guard case .delta(let delta) = event else {
                guard !text.isEmpty else { return event }
                pending.insert(event, at: 0)
                return .delta(text)
            }
            text += delta
        }
        return nil
    }

    private func received() async throws -> GenerationEvent? {
        // Only the service is timed, not the consumer.
        if lastWord != nil { lastWord = .now }
        while pending.isEmpty {
            do {
                if case .ended = phase {
                    if let failure = failure.take() { throw failure }
                    return nil
                }
                try await advance()
            } catch {
                guard !pending.isEmpty else { throw end(with: error) }
                failure = end(with: error)
            }
        }
        return pending.removeFirst()
    }

    /// Reads the next bytes within the time limits.
    private func advance() async throws {
        let (limit, wait) = patience(at: .now)
        do {
            try await withTimeLimit(limit) { try await self.step() }
        } catch is TimeLimitExceeded {
            throw ModelServiceError.slow(wait)
        }
    }

    /// How long the next step may take, and what the service does in the meantime.
    private func patience(at moment: ContinuousClock.Instant) -> (Duration, ModelWait) {
        let (limits, start) = (model.limits, start ?? moment)
        self.start = start
        let rest = limits.answer - (moment - start)
        // Nothing of an answer that is not streamed comes before its end.
        guard model.streams else { return (max(.zero, rest), .working) }
        let own =
            lastWord.map { limits.betweenTokens - (moment - $0) } ?? (limits.firstToken - (moment - start))
        return own < rest ? (max(.zero, own), lastWord == nil ? .reading : .pausing) : (max(.zero, rest), .working)
    }

    private func step() async throws {
        switch phase {
        case .ended: break
        case .unopened: try await open()
        case .streaming(let body): try await read(body)
        }
    }

    private func end(with error: any Error) -> any Error {
        phase = .ended
        return error
    }

    private func open() async throws {
        let opened = try await model.open(request)
        // A service that knows no streams answers with a whole completion.
        guard Self.isStream(opened) else { return try receiveWhole(try await collect(opened)) }
        phase = .streaming(opened.rest)
        try receive(parser.receive(opened.first))
    }

    /// Whether a body is an event stream, by its type or its first field.
    private static func isStream(_ opened: ServiceClient.Opened) -> Bool {
        let type = opened.headers["content-type"]?.lowercased() ?? ""
        if type.hasPrefix("text/event-stream") { return true }
        let fields = ["data", "event", "id", "retry", ":"]
        return !type.hasPrefix("application/json")
            && (opened.first.isEmpty || fields.contains { opened.first.starts(with: $0.utf8) })
    }

    private func collect(_ opened: ServiceClient.Opened) async throws -> Data {
        var (data, rest) = (opened.first, opened.rest)
        do {
            while let piece = try await rest.next() { data += piece }
        } catch {
            throw try Self.meaning(of: error)
        }
        return data
    }

    private func read(_ body: HTTPBody.AsyncIterator) async throws {
        var body = body
        do {
            guard let piece = try await body.next() else {
                try receive(parser.finish().map { [$0] } ?? [])
                return try end()
            }
            try receive(parser.receive(piece))
        } catch let error as TransportError {
            // After the reason nothing of the answer is missing.
            if finishReason != nil { return try end() }
            throw try Self.meaning(of: error)
        }
    }

    private static func meaning(of error: TransportError) throws -> ModelServiceError {
        try Task.checkCancellation()
        return error == .connectionClosed ? .incompleteReply : ServiceFailure(error).error
    }
}

// MARK: - What was received

extension ChatAnswerReader {
    private func receive(_ events: [ServerSentEvent]) throws {
        for event in events {
            if case .ended = phase { return }
            if event.data == "[DONE]" {
                try end()
            } else if event.kind == "error" {
                throw model.error(in: Data(event.data.utf8))
            } else if !event.data.isEmpty {
                try receive(try decode(Data(event.data.utf8)))
            }
        }
    }

    private func receiveWhole(_ data: Data) throws {
        let reply = try decode(data)
        guard reply.hasChoice else { throw ModelServiceError.invalidReply(reason: "a completion without a choice") }
        try receive(reply)
        try end()
    }

    private func decode(_ data: Data) throws -> ChatReplyBody {
        guard let reply = try? JSONDecoder().decode(ChatReplyBody.self, from: data) else {
            throw ModelServiceError.invalidReply(reason: "not a chat completion")
        }
        guard !reply.isError else { throw model.error(in: data) }
        return reply
    }

    private func receive(_ reply: ChatReplyBody) throws {
        if let share = reply.readShare, lastWord == nil { pending.append(.reading(share)) }
        if !reply.text.isEmpty { pending.append(.delta(reply.text)) }
        if !reply.text.isEmpty || reply.isThinking { lastWord = .now }
        finishReason = reply.finishReason ?? finishReason
        usage = reply.usage ?? usage
    }

    /// Ends the answer; without a finish reason it is incomplete.
    private func end() throws {
        phase = .ended
        guard let finishReason else { throw ModelServiceError.incompleteReply }
        pending.append(.finished(finishReason, usage))
    }
}
