import Assistant
import ChatCore
import Hummingbird
import NIOCore

/// Turns events of an answer into frames of an event stream.
protocol AnswerFrames: Sendable {
    /// Returns the frame of an event; nil for one that these clients are not told.
    func frame(_ event: AnswerEvent, askedAt moment: Timestamp) throws -> ByteBuffer?
    /// Returns the last frame of an answer that failed.
    func frame(_ failure: Failure) throws -> ByteBuffer
}

extension API {
    /// Returns the whole answer; when the client goes away or time is up the language model's request is aborted.
    func completeAnswer(to request: AskRequest, for incoming: IncomingRequest) async throws -> AnswerWire {
        let moment = services.now()
        return try await incoming.whileClientListens {
            let answer = try await withAnswer(to: request) { events -> Answer? in
                for try await event in events {
                    if case .done(let answer) = event { return answer }
                }
                return nil
            }
            try Task.checkCancellation()
            guard let answer else { throw ModelServiceError.incompleteReply }
            return AnswerWire(answer, askedAt: moment)
        }
    }

    /// Returns a body that writes the answer's frames as they come; when the client goes away or time is up the
    /// language model's request is aborted.
    func events(of request: AskRequest, as frames: some AnswerFrames, for incoming: IncomingRequest) -> ResponseBody {
        let moment = services.now()
        return ResponseBody { writer in
            try await incoming.whileClientListens {
                do {
                    try await withAnswer(to: request) { events in
                        for try await event in events {
                            guard let frame = try frames.frame(event, askedAt: moment) else { continue }
                            do { try await writer.write(frame) } catch { throw CancellationError() }
                        }
                    }
                    try Task.checkCancellation()
                } catch let error as CancellationError {
                    throw error
                } catch {
                    let failure = Failure(error)
                    services.logger.log(failure, of: error)
                    try await writer.write(try frames.frame(failure))
                }
            }
            try await writer.finish(nil)
        }
    }

    /// Hands the events of an answer to `consume`; they end with ``Failure/timedOut`` when the answer takes too long.
    @concurrent
    private func withAnswer<Value: Sendable>(
        to request: AskRequest, consume: @concurrent (AsyncThrowingStream<AnswerEvent, any Error>) async throws -> Value
    ) async throws -> Value {
        let (events, continuation) = AsyncThrowingStream<AnswerEvent, any Error>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await gate.withPlace(for: request.scope.asker.rawValue) {
                        for try await event in services.answering.answer(request) { continuation.yield(event) }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            group.addTask {
                guard (try? await Task.sleep(for: settings.answerTimeout)) != nil else { return }
                continuation.finish(throwing: Failure.timedOut)
            }
            defer { group.cancelAll() }
            return try await consume(events)
        }
    }
}

extension Response {
    /// Makes a response that streams events.
    static func events(_ body: ResponseBody) -> Response {
        var response = Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
        response.headers.set("X-Accel-Buffering", to: "no")
        return response.closingConnection()
    }

    /// Tells the client that the connection ends with this response: its request was watched for the client's going
    /// away, which uses the connection up.
    func closingConnection() -> Response {
        var response = self
        response.headers[.connection] = "close"
        return response
    }
}
