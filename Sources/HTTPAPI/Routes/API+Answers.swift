import Assistant
import ChatCore
import Hummingbird
import NIOCore
import Retrieval
import Synchronization
import UseCases

/// Turns events of an answer into frames of an event stream.
protocol AnswerFrames: Sendable {
    /// What is written while nothing else is; nil for clients that take nothing but frames.
    var heartbeat: ByteBuffer? { get }
    /// Returns the frame of an event that has this place in the stream, from 1; nil for one that these clients are not
    /// told.
    func frame(_ event: AnswerEvent, number: Int, askedAt moment: Timestamp) throws -> ByteBuffer?
    /// Returns the last frame of an answer that failed.
    func frame(_ failure: Failure, number: Int) throws -> ByteBuffer
}

extension API {
    /// Starts an answer that is stopped, the language model's request with it, when the client goes away; it ends with
    /// ``Failure/timedOut`` when it takes too long, or of an answer with parts, when one of them does.
    func openAnswer(to request: AnswerRequest, for incoming: IncomingRequest) -> AnswerStream {
        AnswerStream { continuation in
            let patience = RenewableDeadline(settings.answerTimeout)
            try await incoming.whileClientListens {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask {
                        try await useCases.questions.withPlace(for: request.asker.rawValue) {
                            for try await event in request.answer(services) {
                                if case .progress = event { patience.renew() }
                                continuation.yield(.event(event))
                            }
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

    /// Returns the whole answer.
    func completeAnswer(to request: AnswerRequest, for incoming: IncomingRequest) async throws -> Answer {
        let answer = try await openAnswer(to: request, for: incoming).complete()
        let keys = answer.promptMessageKeys + answer.sources.map(\.hit.message.key)
        incoming.basis.tell(
            AnswerBasis.Content(
                asker: request.asker, keys: Set(keys), conversationID: request.conversationID,
                turn: request.turn(of: answer, at: services.now())))
        return answer
    }

    /// Returns a stream of the answer's frames that begins with the first event: what fails before it is thrown, so
    /// that it becomes an error like any other.
    func answerEvents(
        of request: AnswerRequest, as frames: some AnswerFrames, for incoming: IncomingRequest
    ) async throws -> Response {
        let moment = services.now()
        let stream = openAnswer(to: request, for: incoming)
        let first = try await stream.first()
        return .events(body(of: stream, beginning: first, as: frames, askedAt: moment))
    }

    /// Returns a body that writes an answer's frames as they come, after that of an event that was taken out already.
    func body(
        of stream: AnswerStream, beginning first: AnswerEvent? = nil, as frames: some AnswerFrames,
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
                note(failure, of: error, logger: services.logger)
                try await writer.write(try frames.frame(failure, number: number + 1))
            }
            await stream.end()
            try await writer.finish(nil)
        }
    }
}

/// Something that an answer is wanted to.
enum AnswerRequest: Sendable {
    /// A question across conversations.
    case question(AskRequest)
    /// A question to the assistant inside a conversation.
    case inConversation(ConversationQuestion)

    /// Who asks.
    var asker: UserID {
        switch self {
        case .question(let request): request.scope.asker
        case .inConversation(let question): question.asker
        }
    }

    /// The conversation that is read as a whole; nil for a question across conversations.
    var conversationID: ConversationID? {
        switch self {
        case .question: nil
        case .inConversation(let question): question.conversationID
        }
    }

    /// What is kept of it in its thread; nil where it is in none.
    func turn(of answer: Answer, at moment: Timestamp) -> Turn? {
        guard case .question(let request) = self, let thread = request.threadID else { return nil }
        return Turn(
            id: answer.turnID, askerID: asker, question: request.question, answer: answer.text,
            sourceKeys: answer.promptMessageKeys, askedAt: moment, threadID: thread)
    }

    /// Starts the answer.
    func answer(_ services: HTTPAPIServices) -> AsyncThrowingStream<AnswerEvent, any Error> {
        switch self {
        case .question(let request): services.answering.answer(request)
        case .inConversation(let question): services.conversationAssistant.answer(question)
        }
    }
}

/// How long is waited, from the beginning or from when it was last renewed.
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
