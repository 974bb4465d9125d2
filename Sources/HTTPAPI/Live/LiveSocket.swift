public import ChatCore
package import Foundation
package import LiveChat
import Logging
import Synchronization
import UseCases

/// One-time tickets with which browsers open a socket, because they cannot send a header with it.
public final class FeedTickets: Sendable {
    /// How long a ticket is valid, in seconds.
    static let lifetime = 30
    /// The most tickets that are valid at a time.
    private static let limit = 10_000

    private struct Ticket {
        let user: UserID
        let end: Timestamp
    }

    private let tickets = Mutex<[String: Ticket]>([:])

    public init() {}

    /// Makes a ticket for a user; nil while too many are valid.
    package func make(for user: UserID, at moment: Timestamp) -> String? {
        tickets.withLock { tickets in
            if tickets.count >= Self.limit { tickets = tickets.filter { $0.value.end > moment } }
            guard tickets.count < Self.limit else { return nil }
            let text = randomID() + randomID()
            tickets[text] = Ticket(user: user, end: moment + .seconds(Int64(Self.lifetime)))
            return text
        }
    }

    /// Returns the user of a ticket, which is used up by this.
    package func take(_ text: String, at moment: Timestamp) -> UserID? {
        tickets.withLock { $0.removeValue(forKey: text) }.flatMap { $0.end > moment ? $0.user : nil }
    }
}

/// Returns what decides about sockets: they carry the feed, presence and typing of one person.
///
/// A browser sends a ticket in the query, others a token or key; a key that reads as a user, and a caller who is not
/// identified, name the user in `X-Nexus-User`.
public func liveSockets(_ services: HTTPAPIServices, links: MessageLinkTemplate?) -> SocketAcceptance {
    { request in
        let user: UserID
        if let ticket = request.query("ticket") {
            guard let known = services.tickets.take(ticket, at: services.now()) else {
                throw Failure.invalidToken("ticket_invalid", "the ticket is unknown, used or older than 30 s")
            }
            user = known
        } else {
            let caller = try await request.caller()
            guard caller.isAdmitted(by: .user) else {
                throw caller == .stranger ? Failure.tokenRequired : Failure.roleRequired
            }
            let named = request.headers("x-nexus-user")
            guard named.count <= 1 else { throw Failure.repeatedField }
            user = try caller.asker(
                named: try named.first.map {
                    try JSONField(.string($0), at: FieldPath("X-Nexus-User")).identifier()
                })
        }
        let given = try request.query("cursor").map { text in
            guard let cursor = ChangeCursor(text) else {
                throw FieldError(FieldPath("cursor"), "must be the cursor of a frame, or of GET /v1/sync")
            }
            return cursor
        }
        let start: ChangeCursor
        if let given { start = given } else { start = try await services.store.latestChange() }
        let device = request.query("device").flatMap { DeviceID(validating: $0) }
        let socket = LiveSocket(services: services, links: links, user: user, device: device, start: start)
        return .accept(subprotocol: "nexus.v1") { session in await socket.run(session) }
    }
}

/// One socket of a person: writes the feed and events, and reads what the client says.
private struct LiveSocket: Sendable {
    private static let heartbeat = Duration.seconds(25)

    let services: HTTPAPIServices
    let links: MessageLinkTemplate?
    let user: UserID
    let device: DeviceID?
    let start: ChangeCursor

    func run(_ session: SocketSession) async {
        let subscription = services.feed.connect(user, after: start)
        let connection = services.people.connect(user, device: device)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await writeFeed(of: subscription, connection, to: session) }
            group.addTask { await writeEvents(of: connection, to: session) }
            for await text in session.incoming { await take(text, connection, session) }
            group.cancelAll()
        }
        subscription.close()
        connection.close(isClean: session.closeCode == .normal || session.closeCode == .goingAway)
    }

    private func writeFeed(
        of subscription: FeedSubscription, _ connection: LiveConnection, to session: SocketSession
    ) async {
        var sent = start
        do {
            while true {
                let page = try await subscription.next(within: Self.heartbeat)
                let begin = sent
                sent = page?.end ?? subscription.cursor
                guard let page else {
                    try await send(Heartbeat(cursor: sent), to: session)
                    continue
                }
                for case .departure(let id) in page.changes { connection.leave(id) }
                try await send(FeedFrame(page, after: begin, links: links), to: session)
            }
        } catch RepositoryError.expiredCursor {
            try? await send(Resync(), to: session)
            session.close(.normal, reason: "resync")
        } catch let error as RepositoryError {
            services.logger.warning("The feed cannot be read", metadata: ["error": "\(error)"])
            session.close(.tryAgainLater)
        } catch {
            // The socket is closed.
        }
    }

    private func writeEvents(of connection: LiveConnection, to session: SocketSession) async {
        do {
            while true {
                for event in try await connection.events() {
                    let message = SocketMessage(String(decoding: try data(of: event), as: UTF8.self))
                    // Events are the first to be dropped if the client is slow.
                    _ = session.offer(message)
                }
            }
        } catch {
            // The socket is closed.
        }
    }

    private func send(_ value: some Encodable, to session: SocketSession) async throws {
        try await session.send(String(decoding: try WireEncoding.data(value), as: UTF8.self))
    }

    private func data(of event: LivePeople.Event) throws -> Data {
        switch event {
        case .presence(let frame): try WireEncoding.data(PresenceMessage(frame))
        case .typing(let event): try WireEncoding.data(TypingMessage(event))
        }
    }

    /// Takes a message of the client; one that cannot be read gets an error, and the socket stays open.
    private func take(_ text: String, _ connection: LiveConnection, _ session: SocketSession) async {
        do {
            let body = try JSONField(try JSONParser.parse(Array(text.utf8))).object()
            let useCases = services.useCases.at(services.now())
            switch try body["type"].string() {
            case "active":
                connection.beat(try body["active"].optionalFlag().map { $0 ? .active : .away })
                return
            case "ack": try await useCases.acknowledge(try cursor(body["cursor"]), by: user)
            case "open":
                let id: ConversationID? = try body["conversationId"].optionalIdentifier()
                if let id { _ = try await useCases.roster(of: id, asker: user) }
                connection.show(id)
            case "typing":
                let id: ConversationID = try body["conversationId"].identifier()
                let moment = services.now()
                let members = try await useCases.roster(of: id, asker: user).members.filter { member in
                    member.leftAt.map { $0 > moment } ?? true
                }
                guard members.contains(where: { $0.userID == user }) else { throw Failure.conversationForbidden }
                connection.type(
                    try body["typing"].optionalFlag() ?? true, in: id, memberCount: members.count)
            case "watch":
                var users: Set<UserID> = []
                for item in try body["userIds"].optionalArray() ?? [] { users.insert(try item.identifier()) }
                try connection.watch(users, among: try await useCases.acquaintances(of: user))
            default: throw body["type"].error("must be active, ack, open, typing or watch")
            }
            connection.beat()
        } catch {
            let failure = (error as? PresenceError).map { Failure($0) } ?? Failure(error)
            try? await send(ErrorMessage(code: failure.code, detail: failure.detail), to: session)
        }
    }

    private func cursor(_ field: JSONField) throws -> ChangeCursor {
        guard let cursor = ChangeCursor(try field.string()) else {
            throw field.error("must be the cursor of a frame, or of GET /v1/sync")
        }
        return cursor
    }
}

extension Failure {
    fileprivate init(_ error: PresenceError) {
        switch error {
        case .tooManyWatched(let limit, _):
            self = .invalid(field: "userIds", "must have at most \(limit) users")
        }
    }
}

/// Nothing changed; the cursor moved on.
private struct Heartbeat: Encodable {
    let type = "heartbeat"
    let cursor: ChangeCursor
}

/// The cursor expired: the client starts again with a snapshot.
private struct Resync: Encodable {
    let type = "resync"
}

/// A message of the client could not be used.
private struct ErrorMessage: Encodable {
    let type = "error"
    let code: String
    let detail: String
}

/// The presence of watched people; clients compute staleness from `lastBeat`.
private struct PresenceMessage: Encodable {
    struct Person: Encodable {
        let userId: UserID
        let status: String
        let lastBeat: WireTime?
        let lastSeen: WireTime?
    }

    let type = "presence"
    let people: [Person]

    init(_ frame: PresenceFrame) {
        people = frame.presences.map { presence in
            Person(
                userId: presence.user, status: "\(presence.status)", lastBeat: presence.lastBeat.map { WireTime($0) },
                lastSeen: presence.lastSeen.map { WireTime($0) })
        }.sorted { $0.userId < $1.userId }
    }
}

/// Somebody types in the conversation that the client shows, for so many milliseconds; 0 means no longer.
private struct TypingMessage: Encodable {
    let type = "typing"
    let conversationId: ConversationID
    let userId: UserID
    let milliseconds: Int64

    init(_ event: TypingEvent) {
        conversationId = event.conversation
        userId = event.user
        let parts = event.remaining.components
        milliseconds = parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000
    }
}

/// The messages of a socket as JSON, for the test that compares them with what clients read.
package enum LiveDocuments {
    package static func sync(_ entries: [InboxEntry], cursor: ChangeCursor) throws -> Data {
        try WireEncoding.data(SyncWire(cursor: cursor, conversations: entries.map { InboxWire($0) }))
    }

    package static func frame(_ page: FeedPage, after start: ChangeCursor) throws -> Data {
        try WireEncoding.data(FeedFrame(page, after: start, links: nil))
    }

    package static func heartbeat(_ cursor: ChangeCursor) throws -> Data {
        try WireEncoding.data(Heartbeat(cursor: cursor))
    }

    package static func resync() throws -> Data { try WireEncoding.data(Resync()) }

    package static func presence(_ frame: PresenceFrame) throws -> Data {
        try WireEncoding.data(PresenceMessage(frame))
    }

    package static func typing(_ event: TypingEvent) throws -> Data { try WireEncoding.data(TypingMessage(event)) }

    package static func error(code: String, detail: String) throws -> Data {
        try WireEncoding.data(ErrorMessage(code: code, detail: detail))
    }
}
