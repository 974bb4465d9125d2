public import Foundation
public import NexusModel

/// A person's connection to a server: everything that the person sees, and a queue of what the person writes.
///
/// One loop connects, one connection exists at a time, and its generation number tells what belongs to it. The session
/// takes a snapshot, follows the feed from its cursor, and resumes there when a connection ends, so nothing is lost or
/// doubled. Messages are sent one after the other in each conversation, under an id that makes repeating safe. Everything
/// is in a ``MessageStore`` before it is shown: a session begins where the last one on the same file ended, also without a
/// connection.
public actor NexusSession {
    /// Everything that is known.
    public internal(set) var state: ChatState
    /// The connection.
    public internal(set) var connection = ConnectionState.offline
    /// The conversation on the screen.
    public internal(set) var openConversation: String?
    /// The texts that the person has begun to write, by conversation.
    public internal(set) var drafts: [String: Draft] = [:]
    /// How far the session is with what was missed; nil when nothing is missing.
    public internal(set) var progress: CatchUpProgress?
    /// What is kept on this device.
    public nonisolated let store: MessageStore

    let transport: any ClientTransport
    let user: String?
    let device: String
    let tokens: (any TokenProvider)?
    let timing: SessionTiming
    let makeID: @Sendable () -> String
    /// Those who follow the session.
    private let listeners = Locked<[UUID: AsyncStream<SessionEvent>.Continuation]>([:])
    /// Conversations with messages to send.
    var sendWork = AsyncStream.makeStream(of: String.self)
    /// Conversations to load.
    var loadWork = AsyncStream.makeStream(of: String.self)
    /// Rings when there is something to mark as read.
    var readWork = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    private let runGate = RunGate()
    /// Lets one request at a time ask for a token.
    let tokenGate = RunGate()
    var token: String?
    /// The number of the present connection.
    var generation = 0
    var socket: (any ClientSocket)?
    /// How many snapshots were taken.
    var snapshotCount = 0
    var watched: [String] = []
    /// What the server has not stored, by conversation and in the order of the numbers.
    var outgoing: [String: [OutgoingMessage]] = [:]
    /// Stored by the server and not seen in the feed yet.
    var unconfirmed: [String: OutgoingMessage] = [:]
    /// Changes that were not sent, by conversation and in the order of the numbers.
    package var changes: [String: [OutgoingChange]] = [:]
    /// Messages and changes that are being written to the store.
    var beingStored: Set<String> = []
    /// Messages that could not be stored.
    var unstored: [String: OutgoingDraft] = [:]
    /// Changes that the server has made and that did not come back yet, by conversation.
    var made: [String: [OutgoingChange]] = [:]
    var connectBackoff = Backoff()
    var sendBackoffs: [String: Backoff] = [:]
    var sendingConversations: Set<String> = []
    /// Conversations that got more to send while they were sending.
    var sendAgain: Set<String> = []
    /// End the waits for another attempt.
    var bells: [String: AsyncStream<Void>.Continuation] = [:]
    /// Whether the network changed since the last attempt to connect.
    var isNetworkNew = false
    var loadBackoff = Backoff()
    /// How often the messages of a conversation were dropped, because there were too many changes.
    var unloadCounts: [String: Int] = [:]
    /// Loaded conversations of which the newest page is not complete.
    var incomplete: Set<String> = []
    package var readMarks: [String: String] = [:]
    var lastTyping: [String: Duration] = [:]
    var isRestored = false
    /// Whether the person has signed out.
    var isEnding = false

    /// - Parameters:
    ///   - transport: Carries requests to the server.
    ///   - user: The person's id; sent in a header if there is no token.
    ///   - device: The id of this device.
    ///   - tokens: Gives tokens; nil for a server that does not identify callers.
    ///   - store: What is kept on this device; one of this person on this server, used by no other session.
    ///   - timing: Time and chance.
    ///   - makeID: Makes ids of messages, which must be unique for ever.
    public init(
        transport: any ClientTransport, user: String?, device: String, tokens: (any TokenProvider)? = nil,
        store: MessageStore = MessageStore(), timing: SessionTiming = .system,
        makeID: @escaping @Sendable () -> String = { UUID().uuidString.lowercased() }
    ) {
        self.transport = transport
        self.user = user
        self.device = device
        self.tokens = tokens
        self.store = store
        self.timing = timing
        self.makeID = makeID
        state = ChatState(userID: user)
    }

    /// Shows what is stored, connects and stays connected, until the task is cancelled, the person is signed out, or the
    /// store cannot be opened.
    ///
    /// May run again after it has ended: an app that pauses cancels the task, and runs the session again later. Of several
    /// tasks one runs the session and the others wait for its end.
    public func run() async {
        guard await runGate.enter() else { return }
        do throws(SessionError) {
            try await restore()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.sendQueued() }
                group.addTask { await self.loadRequested() }
                group.addTask { await self.sendReadMarks() }
                await stayConnected()
                group.cancelAll()
            }
        } catch {
            report(.failure(error))
        }
        if !connection.isSignedOut { set(.offline) }
        startOver()
        await runGate.leave()
    }

    /// Makes ready for the next run: a stream ends with the task that reads it.
    private func startOver() {
        sendWork = AsyncStream.makeStream()
        loadWork = AsyncStream.makeStream()
        readWork = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let ended = listeners.withLock { listeners in
            defer { listeners = [:] }
            return listeners.values
        }
        for listener in ended { listener.finish() }
    }

    /// Returns what happens from now on until the end of the present run, or of the next one; each caller gets everything.
    public nonisolated func updates() -> AsyncStream<SessionEvent> {
        let (stream, listener) = AsyncStream.makeStream(of: SessionEvent.self)
        listeners.withLock { $0[UUID()] = listener }
        return stream
    }

    /// Tells all who follow the session.
    nonisolated func report(_ event: SessionEvent) {
        for (id, listener) in listeners.withLock({ $0 }) {
            if case .terminated = listener.yield(event) { listeners.withLock { $0[id] = nil } }
        }
    }

    /// The messages of a conversation that the server has not stored, in their order.
    public func waiting(in conversation: String) -> [OutgoingMessage] { outgoing[conversation] ?? [] }

    /// The messages of all conversations that the server has not stored, in the order in which they were written.
    public func waiting() -> [OutgoingMessage] {
        outgoing.values.flatMap(\.self).sorted { Self.isBefore($0.number, $1.number) }
    }

    /// The edits, deletions and reactions of a conversation that were not sent, in their order.
    public func waitingChanges(in conversation: String) -> [OutgoingChange] { changes[conversation] ?? [] }

    /// How many messages the server has not stored.
    public var waitingCount: Int { outgoing.values.reduce(0) { $0 + $1.count } }

    /// How many messages have not come back in the feed.
    public var pendingCount: Int { waitingCount + unconfirmed.count }

    func set(_ next: ConnectionState) {
        guard next != connection, !isEnding else { return }
        let wasConnected = connection.isConnected
        connection = next
        report(.connection(next))
        guard next.isConnected, !wasConnected else { return }
        for id in Set(outgoing.keys).union(changes.keys).sorted() { sendWork.continuation.yield(id) }
        if let id = openConversation, wantsLoad(id) { loadWork.continuation.yield(id) }
        if !readMarks.isEmpty { readWork.continuation.yield() }
    }
}

extension NexusSession {
    /// Puts a conversation on the screen: it is loaded, and typing in it is reported.
    public func open(_ conversation: String?) async {
        openConversation = conversation
        if let id = conversation {
            try? await store.touch(id)
            await showStored(id)
            if wantsLoad(id) { loadWork.continuation.yield(id) }
        }
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

    /// Sends a message over the socket; without a connection it is dropped.
    func tell(_ message: ClientMessage) async {
        guard let socket, let data = try? JSONEncoder().encode(message) else { return }
        try? await socket.send(String(decoding: data, as: UTF8.self))
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
