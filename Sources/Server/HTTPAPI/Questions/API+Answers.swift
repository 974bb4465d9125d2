import Accounts
import Assistant
import ChatCore
import Hummingbird
import NIOCore
import NexusModel
import Retrieval
import Synchronization
import UseCases

/// Turns events of an answer into frames of an event stream.
protocol AnswerFrames: Sendable {
    /// The keep-alive between frames; nil for clients that accept only frames.
    var heartbeat: ByteBuffer? { get }
    /// Returns the frame of an event with its number in the stream, from 1; nil for an event that these clients do not
    /// get.
    func frame(_ event: Assistant.AnswerEvent, number: Int, askedAt moment: Timestamp) throws -> ByteBuffer?
    /// Returns the last frame of an answer that failed.
    func frame(_ failure: Failure, number: Int) throws -> ByteBuffer
}

extension API {
    /// Starts an answer; it stops with the language model's request when the client disconnects, and ends with
    /// ``Failure/timedOut`` if it or one of its parts takes too long.
    func openAnswer(to request: AnswerRequest, for incoming: IncomingRequest) -> AnswerStream {
        AnswerStream { continuation in
            let patience = RenewableDeadline(settings.answerTimeout)
            let live = liveAnswer(to: request)
            defer { live?.take(nil) }
            try await incoming.whileClientListens {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask {
                        try await incoming.useCases.answer(request) { event in
                            if case .progress = event { patience.renew() }
                            live?.take(event)
                            continuation.yield(.event(event))
                        }
                    }
                    group.addTask {
                        try await patience.run()
                        continuation.finish(throwing: Failure.timedOut)
                        throw Failure.timedOut
                    }
                    group.addTask {
                        while true {
                            try await Task.sleep(for: settings.heartbeatInterval)
                            continuation.yield(.heartbeat)
                        }
                    }
                    try await group.next()
                }
            }
            try Task.checkCancellation()
        }
    }

    /// Returns the whole answer and the messages that it is based on.
    func completeAnswer(
        to request: AnswerRequest, for incoming: IncomingRequest
    ) async throws -> (answer: Answer, basis: AnswerBasis) {
        let answer = try await openAnswer(to: request, for: incoming).complete()
        let keys =
            answer.promptMessageKeys + answer.sources.map(\.hit.message.key)
            + answer.sources.compactMap { $0.verdict?.newer.key }
        let basis = AnswerBasis(
            asker: request.asker, keys: Set(keys), conversationID: request.conversationID,
            turn: request.turn(of: answer, at: incoming.receivedAt))
        return (answer, basis)
    }

    /// Returns the whole answer as JSON.
    func answered(_ request: AnswerRequest, for incoming: IncomingRequest) async throws -> RouteResult {
        let (answer, basis) = try await completeAnswer(to: request, for: incoming)
        let wire = ChatAnswer(answer, askedAt: incoming.receivedAt, links: settings.messageLinks)
        return RouteResult(try reply(wire), basis: basis)
    }

    /// Returns a stream of the answer's frames; failures before the first event are thrown, so that they become a
    /// normal HTTP error.
    func answerEvents(
        of request: AnswerRequest, as frames: some AnswerFrames, for incoming: IncomingRequest
    ) async throws -> Response {
        let stream = openAnswer(to: request, for: incoming)
        let first = try await stream.first()
        return .events(body(of: stream, beginning: first, as: frames, askedAt: incoming.receivedAt))
    }

    /// Returns a body that writes an answer's frames as they come, after that of an event that was already read.
    func body(
        of stream: AnswerStream, beginning first: Assistant.AnswerEvent? = nil, as frames: some AnswerFrames,
        askedAt moment: Timestamp
    ) -> ResponseBody {
        ResponseBody { writer in
            metrics.countStreams(1)
            defer { metrics.countStreams(-1) }
            var number = 0
            var isDone = false
            func frame(_ signal: AnswerStream.Signal) throws -> ByteBuffer? {
                guard case .event(let event) = signal else { return isDone ? nil : frames.heartbeat }
                if case .done = event { isDone = true }
                number += 1
                return try frames.frame(event, number: number, askedAt: moment)
            }
            do {
                if let first, let frame = try frame(.event(first)) { try await writer.write(frame) }
                for try await signal in stream.signals {
                    guard let frame = try frame(signal) else { continue }
                    do { try await writer.write(frame) } catch { throw CancellationError() }
                }
                try Task.checkCancellation()
            } catch let error as CancellationError {
                await stream.end()
                throw error
            } catch {
                let failure = Failure(error)
                record(failure, of: error, logger: services.logger)
                try await writer.write(try frames.frame(failure, number: number + 1))
            }
            await stream.end()
            try await writer.finish(nil)
        }
    }
}

/// A deadline that counts from its start or its last renewal.
private final class RenewableDeadline: Sendable {
    private let duration: Duration
    private let end: Mutex<ContinuousClock.Instant>

    init(_ duration: Duration) {
        self.duration = duration
        end = Mutex(.now + duration)
    }

    func renew() {
        end.withLock { $0 = .now + duration }
    }

    /// Returns when it is over.
    func run() async throws {
        while true {
            let end = end.withLock { $0 }
            guard end > .now else { return }
            try await Task.sleep(until: end, clock: .continuous)
        }
    }
}

extension Response {
    /// Makes a response that streams events.
    static func events(_ body: ResponseBody) -> Response {
        var response = Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
        response.headers.set("X-Accel-Buffering", to: "no")
        return response
    }
}

extension API {
    /// Questions and searches in plain JSON.
    var questionRoutes: [Route] {
        [
            Route(
                .post, "v1/ask", .user, id: "ask", "Answers a question, at once or as a stream.",
                takesIdempotencyKey: true, answering: { try await ask($0, $1) }),
            Route(.post, "v1/search", .user, id: "search", "Finds messages.") { try await search($0, $1) },
            Route(
                .post, "v1/timeline", .user, id: "readTimeline",
                "Lists what messages state about a subject, and what was replaced."
            ) { try await timeline($0, $1) },
        ]
    }

    private func ask(_ incoming: IncomingRequest, _ caller: Caller) async throws -> RouteResult {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let asker = try incoming.asker(caller, body: body)
        let request = try fields.question(
            asker: asker, askedAt: incoming.receivedAt, streams: incoming.acceptsEvents)
        guard request.streams else {
            return try await answered(.question(request), for: incoming)
        }
        return RouteResult(
            try await answerEvents(
                of: .question(request), as: TypedFrames(links: settings.messageLinks), for: incoming))
    }

    private func timeline(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let request = try AskFields(body).timeline(
            asker: try incoming.asker(caller, body: body), askedAt: incoming.receivedAt)
        let found = try await incoming.useCases.timeline(request)
        return try reply(ChatTimeline(found, links: settings.messageLinks))
    }

    private func search(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit)
        let fields = try AskFields(body)
        let sealed = try fields.cursor()
        let cursor = if let sealed { await services.cursorSeal.open(sealed) } else { [UInt8]?.none }
        let request = try fields.search(
            asker: try incoming.asker(caller, body: body), askedAt: incoming.receivedAt, cursor: cursor)
        let found = try await incoming.useCases.search(request)
        var result = ChatSearchResult(found, links: settings.messageLinks)
        if let behind = found.continuation {
            let cursor = SearchCursor(behind, of: request, askedAt: incoming.receivedAt)
            result.next = try await services.cursorSeal.seal(cursor.bytes)
        }
        return try reply(result)
    }
}
