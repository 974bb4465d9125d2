public import Foundation
public import NexusModel

/// A person's connection to a server: everything that the person sees, and a queue of what the person writes.
///
/// One loop connects, one connection exists at a time, and its generation number tells what belongs to it. The session
/// takes a snapshot, follows the feed from its cursor, and resumes there when a connection ends, so nothing is lost or
/// doubled. Messages are sent one after the other in each conversation, under an id that makes repeating safe.
public actor NexusSession {
    /// Returns the token to send; `isRefresh` after the server refused the last one.
    public typealias TokenSource = @Sendable (_ isRefresh: Bool) async throws -> String

    /// Everything that is known.
    public internal(set) var state: ChatState
    /// The connection.
    public internal(set) var connection = ConnectionState.offline
    /// What happens, for one front end.
    public nonisolated let events: AsyncStream<SessionEvent>
    /// The conversation on the screen.
    public internal(set) var openConversation: String?

    let transport: any ClientTransport
    let user: String?
    let device: String
    let tokens: TokenSource?
    let timing: SessionTiming
    let makeID: @Sendable () -> String
    let report: AsyncStream<SessionEvent>.Continuation
    /// Conversations with messages to send.
    let sendWork = AsyncStream.makeStream(of: String.self)
    /// Conversations to load.
    let loadWork = AsyncStream.makeStream(of: String.self)
    /// Rings when there is something to mark as read.
    let readWork = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    var token: String?
    /// The number of the present connection.
    var generation = 0
    var socket: (any ClientSocket)?
    /// How many snapshots were taken.
    var snapshotCount = 0
    var watched: [String] = []
    var outgoing: [String: [OutgoingMessage]] = [:]
    /// Stored by the server and not seen in the feed yet.
    var unconfirmed: [String: OutgoingMessage] = [:]
    var sendBackoffs: [String: Backoff] = [:]
    var sendingConversations: Set<String> = []
    var loadBackoff = Backoff()
    var readMarks: [String: String] = [:]
    var lastTyping: [String: Duration] = [:]

    /// - Parameters:
    ///   - transport: Carries requests to the server.
    ///   - user: The person's id; sent in a header if there is no token.
    ///   - device: The id of this device.
    ///   - tokens: Returns tokens; nil for a server that does not identify callers.
    ///   - timing: Time and chance.
    ///   - makeID: Makes ids of messages, which must be unique for ever.
    public init(
        transport: any ClientTransport, user: String?, device: String, tokens: TokenSource? = nil,
        timing: SessionTiming = .system, makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        self.transport = transport
        self.user = user
        self.device = device
        self.tokens = tokens
        self.timing = timing
        self.makeID = makeID
        state = ChatState(userID: user)
        (events, report) = AsyncStream.makeStream(of: SessionEvent.self)
    }

    /// Connects and stays connected, until the task is cancelled or the server accepts no token.
    ///
    /// May run once.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.sendQueued() }
            group.addTask { await self.loadRequested() }
            group.addTask { await self.markRead() }
            await stayConnected()
            group.cancelAll()
        }
        report.finish()
    }

    /// The messages of a conversation that the server has not stored, in their order.
    public func waiting(in conversation: String) -> [OutgoingMessage] { outgoing[conversation] ?? [] }

    /// How many messages the server has not stored.
    public var waitingCount: Int { outgoing.values.reduce(0) { $0 + $1.count } }

    /// How many messages have not come back in the feed.
    public var pendingCount: Int { waitingCount + unconfirmed.count }

    func set(_ next: ConnectionState) {
        guard next != connection else { return }
        let wasConnected = connection.isConnected
        connection = next
        report.yield(.connection(next))
        guard next.isConnected, !wasConnected else { return }
        for id in outgoing.keys.sorted() { sendWork.continuation.yield(id) }
        if let id = openConversation, state.conversations[id]?.isLoaded != true { loadWork.continuation.yield(id) }
        if !readMarks.isEmpty { readWork.continuation.yield() }
    }
}

extension NexusSession {
    /// Puts a conversation on the screen: it is loaded, and typing in it is reported.
    public func open(_ conversation: String?) async {
        openConversation = conversation
        if let id = conversation, state.conversations[id]?.isLoaded != true { loadWork.continuation.yield(id) }
        await tell(ClientMessage(type: "open", conversationId: conversation))
    }

    /// Says that the person types; at most once in 3 s.
    public func type(in conversation: String) async {
        let now = timing.elapsed()
        if let last = lastTyping[conversation], now - last < .seconds(3) { return }
        lastTyping[conversation] = now
        await tell(ClientMessage(type: "typing", conversationId: conversation))
    }

    /// Asks for the presence of people; at most 200.
    public func watch(_ users: [String]) async {
        watched = Array(users.prefix(200))
        await tell(ClientMessage(type: "watch", userIds: watched))
    }

    /// Marks a message and all earlier ones as read, soon and together with others.
    public func markRead(_ message: String, in conversation: String) {
        readMarks[conversation] = message
        readWork.continuation.yield()
    }

    /// Sends a message over the socket; without a connection it is dropped.
    func tell(_ message: ClientMessage) async {
        guard let socket, let data = try? JSONEncoder().encode(message) else { return }
        try? await socket.send(String(decoding: data, as: UTF8.self))
    }

    /// Marks what was read, 800 ms after the first of several calls.
    private func markRead() async {
        for await _ in readWork.stream {
            guard (try? await timing.sleep(.milliseconds(800))) != nil else { return }
            guard connection.isConnected else { continue }
            let marks = readMarks
            readMarks = [:]
            for (conversation, message) in marks.sorted(by: { $0.key < $1.key }) {
                do throws(SessionError) {
                    try await change("POST", path(conversation, "read"), ["upTo": message])
                } catch {
                    // Another connection tries again.
                    if error.isTransient, readMarks[conversation] == nil { readMarks[conversation] = message }
                }
            }
        }
    }
}

/// What a client says over the socket.
struct ClientMessage: Encodable {
    let type: String
    var conversationId: String?
    var active: Bool?
    var cursor: FeedCursor?
    var userIds: [String]?
}
