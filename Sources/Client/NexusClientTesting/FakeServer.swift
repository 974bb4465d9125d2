import Foundation
public import NexusClient
import NexusModel

/// A chat server in memory, as one person sees it: for the tests and previews of an app.
///
/// It answers what a session asks for, keeps a log, and sends every change over the sockets that are open. Requests that it
/// does not know get 404; ``answer(_:)`` puts others in their place.
public final class FakeServer: ClientTransport {
    struct Place {
        var name: String
        var members: [ChatMember]
        var messages: [ChatMessage] = []
        var receipts: [String: ChatReceipt] = [:]
        var preferences = ChatPreferences(muted: false, archived: false, pinned: false)
        var head: Int64 = 0
    }

    struct State {
        var places: [String: Place] = [:]
        var log: [FeedChangeContent] = []
        var sockets: [FakeServerSocket] = []
        var messageCount = 0
        var isOffline = false
        var requests: [ClientRequest] = []
        var answer: @Sendable (ClientRequest) -> ClientResponse? = { _ in nil }
    }

    /// The person whose server it is.
    public let user: String
    let state = Locked(State())

    /// - Parameter user: The person.
    public init(user: String = "ada") {
        self.user = user
    }

    /// Returns a session of the person, with a store in memory.
    public func session(timing: SessionTiming = .system) -> NexusSession {
        NexusSession(transport: self, user: user, device: "fake", timing: timing)
    }

    /// The requests so far, those for sockets too.
    public var requests: [ClientRequest] { state.withLock { $0.requests } }

    /// Answers requests in another way from now on; nil leaves a request to the server.
    public func answer(_ answer: @escaping @Sendable (ClientRequest) -> ClientResponse?) {
        state.withLock { $0.answer = answer }
    }

    /// Ends all connections, and accepts no others until ``goOnline()``.
    public func goOffline() {
        let sockets = state.withLock { state in
            state.isOffline = true
            defer { state.sockets = [] }
            return state.sockets
        }
        for socket in sockets { socket.finish(ClientTransportError.broken) }
    }

    /// Accepts connections again.
    public func goOnline() { state.withLock { $0.isOffline = false } }

    /// Answers as the server does, or as ``answer(_:)`` says; fails while it is offline.
    public func send(_ request: ClientRequest) async throws -> ClientResponse {
        let answer = try state.withLock { state in
            guard !state.isOffline else { throw ClientTransportError.unreachable }
            state.requests.append(request)
            return state.answer
        }
        return answer(request) ?? reply(to: request)
    }

    /// Opens a socket that follows the fake's feed; fails while it is offline.
    public func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        let answer = try state.withLock { state in
            guard !state.isOffline else { throw ClientTransportError.unreachable }
            state.requests.append(request)
            return state.answer
        }
        if let response = answer(request) { throw ClientTransportError.refused(response) }
        let cursor = request.path.components(separatedBy: "cursor=").last?.prefix { $0 != "&" }
        let start = cursor.flatMap { FeedCursor(String($0)) }?.positions.first ?? 0
        let socket = FakeServerSocket()
        state.withLock { state in
            for position in Int(start)..<max(Int(start), state.log.count) {
                socket.say(Self.frame(state.log[position], at: position))
            }
            state.sockets.append(socket)
        }
        return socket
    }

    /// The position of the feed after `count` changes.
    static func cursor(_ count: Int) -> FeedCursor? { FeedCursor("fake-\(count)") }

    static func frame(_ change: FeedChangeContent, at position: Int) -> String {
        guard let cursor = cursor(position + 1) else { return "" }
        let frame = FeedFrameContent(
            prev: Int64(position), pos: Int64(position) + 1, cursor: cursor, changes: [change])
        return (try? JSONEncoder().encode(frame)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

/// The other end of a socket.
final class FakeServerSocket: ClientSocket {
    private let stream: AsyncThrowingStream<String, any Error>
    private let server: AsyncThrowingStream<String, any Error>.Continuation

    init() { (stream, server) = AsyncThrowingStream.makeStream() }

    var closeCode: UInt16? { nil }

    func say(_ text: String) { server.yield(text) }

    func finish(_ error: (any Error)?) { server.finish(throwing: error) }

    func next() async throws -> String? {
        for try await text in stream { return text }
        return nil
    }

    func send(_: String) async throws {}

    func close() async { server.finish() }
}

extension SessionHub {
    /// Makes a hub over a server in memory, for a preview: `.task { await hub.run() }` fills the views.
    ///
    /// - Parameter build: Makes conversations and messages.
    /// - Returns: The hub of a person named `ada`.
    public static func preview(_ build: (FakeServer) -> Void) -> SessionHub {
        let server = FakeServer()
        build(server)
        return SessionHub(server.session())
    }
}
