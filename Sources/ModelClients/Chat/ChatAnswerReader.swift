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

    init(model: OpenAIChatModel, request: GenerationRequest) {
        self.model = model
        self.request = request
    }

    /// Returns the next event; nil after the last one.
    ///
    /// Events that arrived before a failure are returned before it.
    func next() async throws -> GenerationEvent? {
        while pending.isEmpty {
            do {
                switch phase {
                case .ended:
                    if let failure = failure.take() { throw failure }
                    return nil
                case .unopened: try await open()
                case .streaming(let body): try await read(body)
                }
            } catch {
                guard !pending.isEmpty else { throw end(with: error) }
                failure = end(with: error)
            }
        }
        return pending.removeFirst()
    }

    private func end(with error: any Error) -> any Error {
        phase = .ended
        return error
    }

    private func open() async throws {
        guard request.streams else { return try receiveWhole(try await model.send(request)) }
        let opened = try await model.open(request)
        // A server that knows no streams answers with a whole completion.
        if opened.headers["content-type"]?.lowercased().hasPrefix("application/json") == true {
            return try receiveWhole(try await collect(opened))
        }
        phase = .streaming(opened.rest)
        try receive(parser.receive(opened.first))
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
        if !reply.text.isEmpty { pending.append(.delta(reply.text)) }
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
