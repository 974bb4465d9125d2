import Foundation
import NexusModel

/// Reads one answer; the request begins with the first call and ends with the last reference.
actor AnswerReader {
    private enum Phase {
        case idle
        case reading(ClientStream)
        case over
    }

    private let open: @Sendable () async throws -> ClientStream
    private var phase = Phase.idle
    private var parser = EventStreamParser()
    private var waiting: [AnswerEvent] = []

    init(_ open: @escaping @Sendable () async throws -> ClientStream) {
        self.open = open
    }

    deinit {
        if case .reading(let stream) = phase { stream.cancel() }
    }

    /// Returns the next event; nil after ``AnswerEvent/done(_:)``.
    ///
    /// - Throws: ``SessionError``, also for an event that reports a failure.
    func next() async throws -> AnswerEvent? {
        if case .idle = phase { try await begin() }
        while waiting.isEmpty {
            guard case .reading(let stream) = phase else { return nil }
            let piece: Data?
            do { piece = try await Self.piece(of: stream.body) } catch { throw failure(.unavailable) }
            try Task.checkCancellation()
            // An answer ends with an event, never with the connection.
            guard let piece else { throw failure(.unavailable) }
            do {
                waiting += try parser.read(piece).map { try AnswerEvent(name: $0.name, data: Data($0.data.utf8)) }
            } catch { throw failure(.unreadable) }
        }
        let event = waiting.removeFirst()
        switch event {
        case .done: end()
        case .failed(let problem):
            throw failure(.refused(status: problem.status, code: problem.code, detail: problem.detail, retryAfter: nil))
        default: break
        }
        return event
    }

    private func begin() async throws {
        phase = .over
        let stream = try await open()
        guard stream.headers["content-type"]?.lowercased().hasPrefix("text/event-stream") == true else {
            // A server or a proxy that does not stream.
            let body = try await NexusSession.body(of: stream)
            guard let answer = try? JSONDecoder().decode(ChatAnswer.self, from: body) else {
                throw SessionError.unreadable
            }
            waiting = [.done(answer)]
            return
        }
        phase = .reading(stream)
    }

    private func end() {
        if case .reading(let stream) = phase { stream.cancel() }
        phase = .over
        waiting = []
    }

    private func failure(_ error: SessionError) -> SessionError {
        end()
        return error
    }

    private static func piece(of body: AsyncThrowingStream<Data, any Error>) async throws -> Data? {
        for try await piece in body { return piece }
        return nil
    }
}

extension NexusSession {
    /// The most bytes of the body of an error or a reply that was to be a stream.
    private static let bodyLimit = 16 * 1024 * 1024

    static func body(of stream: ClientStream) async throws(SessionError) -> Data {
        var body = Data()
        do {
            for try await piece in stream.body where body.count <= bodyLimit { body.append(piece) }
        } catch { throw .unavailable }
        guard body.count <= bodyLimit else { throw .unreadable }
        return body
    }

    /// Begins a reply that comes in pieces, again with a fresh token if the server refuses the last one.
    func openStream(_ request: ClientRequest) async throws(SessionError) -> ClientStream {
        var refused: String?
        while true {
            let headers = try await headers(refused: refused)
            var next = request
            next.headers.merge(headers) { own, _ in own }
            let stream: ClientStream
            do { stream = try await transport.stream(next) } catch { throw .unavailable }
            switch stream.status {
            case 200...299: return stream
            case 401 where refused == nil && tokens != nil: refused = Self.token(in: headers)
            default:
                throw Self.error(
                    of: ClientResponse(
                        status: stream.status, headers: stream.headers, body: try await Self.body(of: stream)))
            }
        }
    }
}
