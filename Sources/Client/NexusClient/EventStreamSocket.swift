import Foundation
import NexusModel

/// A socket made of server-sent events and requests, which carries the same messages as a WebSocket.
///
/// The server speaks in `GET /v1/feed`, the client in `POST /v1/feed/say`.
public final class EventStreamSocket: ClientSocket {
    fileprivate struct State {
        var parser = EventStreamParser()
        var waiting: [String] = []
        var waitingStart = 0
        var isOver = false
        var code: UInt16?
    }

    private let transport: any ClientTransport
    private let stream: ClientStream
    /// What every request carries.
    private let headers: [String: String]
    private let streamID: String
    private let state: Locked<State>

    /// Opens the feed.
    ///
    /// - Parameters:
    ///   - request: The handshake of a socket: `GET /v1/socket` with its query and headers.
    ///   - transport: Carries the requests.
    /// - Returns: The open socket.
    /// - Throws: ``ClientTransportError``, `CancellationError`.
    public static func open(
        _ request: ClientRequest, over transport: any ClientTransport
    ) async throws -> EventStreamSocket {
        var request = request
        let parts = request.path.split(separator: "?", maxSplits: 1)
        guard parts.first == "/v1/socket" else { throw ClientTransportError.protocolViolation }
        request.path = "/v1/feed" + (parts.count == 2 ? "?\(parts[1])" : "")
        let headers = request.headers
        request.headers["Accept"] = "text/event-stream"
        let stream = try await transport.stream(request)
        guard stream.status == 200 else {
            var body = Data()
            for try await piece in stream.body where body.count < errorLimit { body.append(piece) }
            throw ClientTransportError.refused(
                ClientResponse(status: stream.status, headers: stream.headers, body: body))
        }
        var state = State()
        let first = try await firstEvent(of: stream, &state)
        guard first.name == "stream",
            let named = try? JSONDecoder().decode(FeedStreamName.self, from: Data(first.data.utf8))
        else {
            stream.cancel()
            throw ClientTransportError.protocolViolation
        }
        return EventStreamSocket(transport, stream, headers, named.stream, state)
    }

    /// The most bytes of an error that are kept.
    private static let errorLimit = 65_536

    private init(
        _ transport: any ClientTransport, _ stream: ClientStream, _ headers: [String: String], _ streamID: String,
        _ state: State
    ) {
        self.transport = transport
        self.stream = stream
        self.headers = headers
        self.streamID = streamID
        self.state = Locked(state)
    }

    deinit { stream.cancel() }

    /// The code with which the server ended the stream; nil while it is open.
    public var closeCode: UInt16? { state.withLock { $0.code } }

    /// Returns the next message of the stream; nil after its end.
    public func next() async throws -> String? {
        while true {
            let (text, isOver) = state.withLock { state in (state.pop(), state.isOver) }
            if let text { return text }
            guard !isOver else { return nil }
            let piece: Data?
            do {
                piece = try await Self.piece(of: stream.body)
            } catch {
                // Closing and cancelling end the request in its middle.
                if Task.isCancelled || state.withLock({ $0.isOver }) { return nil }
                throw error
            }
            try state.withLock { state in
                guard let piece else {
                    state.isOver = true
                    return
                }
                for event in try state.parser.read(piece) { state.take(event) }
            }
        }
    }

    /// Sends a message, a JSON object, in a separate request that names the stream.
    public func send(_ text: String) async throws {
        guard !state.withLock({ $0.isOver }) else { throw ClientTransportError.broken }
        guard var fields = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw ClientTransportError.protocolViolation
        }
        fields["stream"] = streamID
        let body = try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)
        var headers = headers
        headers["Content-Type"] = "application/json"
        let reply = try await transport.send(ClientRequest("POST", "/v1/feed/say", headers: headers, body: body))
        // A message that the server refuses is like one that a socket answers with an error: the stream continues.
        guard reply.status < 500, reply.status != 404 else { throw ClientTransportError.broken }
    }

    /// Ends the stream; a second call does nothing.
    public func close() async {
        state.withLock { $0.isOver = true }
        stream.cancel()
    }

    private static func firstEvent(
        of stream: ClientStream, _ state: inout State
    ) async throws -> EventStreamParser.Event {
        for try await piece in stream.body {
            let events = try state.parser.read(piece)
            guard let first = events.first else { continue }
            for event in events.dropFirst() { state.take(event) }
            return first
        }
        throw ClientTransportError.broken
    }

    private static func piece(of body: AsyncThrowingStream<Data, any Error>) async throws -> Data? {
        for try await piece in body { return piece }
        return nil
    }
}

extension EventStreamSocket.State {
    /// Takes an event as the message that a WebSocket would carry.
    fileprivate mutating func take(_ event: EventStreamParser.Event) {
        switch event.name {
        case "resync": waiting.append(#"{"type":"resync"}"#)
        // Only the name of the event says what it is.
        case "heartbeat": waiting.append(#"{"type":"heartbeat","# + event.data.dropFirst())
        case "end":
            code = event.data.contains("user_erased") ? 3003 : 3000
            isOver = true
        default: waiting.append(event.data)
        }
    }

    fileprivate mutating func pop() -> String? {
        guard waitingStart < waiting.count else { return nil }
        waitingStart += 1
        let text = waiting[waitingStart - 1]
        if waitingStart == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            waitingStart = 0
        }
        return text
    }
}
