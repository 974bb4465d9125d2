package import ChatCore
package import Foundation
package import LiveChat
import Logging
import NexusModel
import UseCases
import WebServer

/// One-time tickets with which browsers open a socket or a stream, because they cannot send a header with it.
package final class FeedTickets: Sendable {
    /// How long a ticket is valid, in seconds.
    static let lifetime = 30
    /// What a ticket stands for.
    package struct Ticket: Hashable, Sendable, Codable {
        package let user: UserID
        /// How long its maker may stay connected.
        package let validity: CallerValidity
    }

    private let values: any OneTimeValues

    /// - Parameter values: Keeps the tickets.
    package init(values: any OneTimeValues = LocalOneTimeValues()) {
        self.values = values
    }

    /// Makes a ticket for a user; nil while too many are valid.
    package func make(
        for user: UserID, validity: CallerValidity = .unlimited, at moment: Timestamp
    ) async throws -> String? {
        let text = randomID() + randomID()
        let ticket = try JSONEncoder().encode(Ticket(user: user, validity: validity))
        let isKept = try await values.keep(
            String(decoding: ticket, as: UTF8.self), as: text, of: user,
            until: moment + .seconds(Int64(Self.lifetime)), at: moment)
        return isKept ? text : nil
    }

    /// Returns a ticket, which is used up by this; nil if it is not valid.
    package func take(_ text: String, at moment: Timestamp) async throws -> Ticket? {
        guard let value = try await values.take(text, at: moment) else { return nil }
        return try JSONDecoder().decode(Ticket.self, from: Data(value.utf8))
    }

    /// Returns a ticket, which is used up by this.
    func use(_ text: String, at moment: Timestamp) async throws -> Ticket {
        guard let ticket = try await take(text, at: moment) else {
            throw Failure.invalidToken("ticket_invalid", "the ticket is unknown, used or older than 30 s")
        }
        return ticket
    }

    /// Removes the tickets of a user who was erased.
    package func forget(_ user: UserID) async throws { try await values.forget(user) }
}

/// The subprotocol of sockets that carry the feed.
let liveSubprotocol = "nexus.v1"

/// Returns what decides about sockets: they carry the feed, presence and typing of one person.
///
/// A browser sends a ticket in the query, others a token or key; a key that reads as a user, and a caller who is not
/// identified, name the user in `X-Nexus-User`.
package func liveSockets(_ services: HTTPAPIServices, links: MessageLinkTemplate?) -> SocketAcceptance {
    let parts = LiveParts(services, links: links)
    return { request in
        let services = parts.services
        try await services.live.takeHandshake(from: request.address)
        let (user, validity) = try await asker(of: request, services: services)
        try await services.live.takeHandshake(of: user)
        let given = try request.query("cursor").map {
            try ChangeCursor(of: JSONField(.string($0), at: FieldPath("cursor")))
        }
        let start: ChangeCursor
        if let given { start = given } else { start = try await services.store.latestChange() }
        let device = request.query("device").flatMap { DeviceID(validating: $0) }
        let settings = try await services.useCases.personalSettings(of: user)
        let socket = LiveSocket(
            parts: parts, user: user, validity: validity, device: device, start: start,
            hidesLastSeen: settings.hidesLastSeen)
        return .accept(subprotocol: liveSubprotocol) { session in await socket.run(session) }
    }
}

private func asker(
    of request: SocketRequest, services: HTTPAPIServices
) async throws -> (UserID, CallerValidity) {
    if let text = request.query("ticket") {
        let ticket = try await services.tickets.use(text, at: services.now())
        return (ticket.user, ticket.validity)
    }
    let (caller, validity) = try await request.identify()
    guard caller.isAdmitted(by: .user) else {
        throw caller == .stranger ? Failure.tokenRequired : Failure.roleRequired
    }
    let named = request.headers("x-nexus-user")
    guard named.count <= 1 else { throw Failure.repeatedField }
    let user = try caller.asker(
        named: try named.first.map { try JSONField(.string($0), at: FieldPath("X-Nexus-User")).identifier() })
    return (user, validity)
}

/// One socket of a person: writes the feed and events, and reads what the client says.
///
/// All of it is one task, which waits for one signal, because each task of an idle socket costs memory.
private struct LiveSocket: Sendable {
    let parts: LiveParts
    let user: UserID
    let validity: CallerValidity
    let device: DeviceID?
    let start: ChangeCursor
    let hidesLastSeen: Bool

    private var services: HTTPAPIServices { parts.services }

    func run(_ session: SocketSession) async {
        guard services.live.begin(.socket, of: user) else {
            return session.close(.tryAgainLater, reason: "too many connections")
        }
        defer { services.live.end(.socket, of: user) }
        var client = LiveClient(
            user, device: device, after: start, validity: validity, hidesLastSeen: hidesLastSeen, parts: parts)
        session.wake(client.signal)
        await serve(&client, on: session)
        client.close(isClean: session.isClosedByClient)
    }

    private func serve(_ client: inout LiveClient, on session: SocketSession) async {
        var ticks = session.tickCount
        /// Whether the client was told a cursor since the last tick.
        var isTold = false
        do {
            while true {
                let seen = client.signal.count
                let isTick = session.tickCount != ticks
                if let ending = await client.ending(isTick: isTick) {
                    return session.close(ending.closeCode, reason: ending.rawValue)
                }
                let text = session.takeMessage()
                if let text { await take(text, client.listener, session) }
                for event in try client.events() { offer(event, to: session) }
                if client.hasWork || isTick {
                    if let frame = try await client.frame() {
                        try await send(frame, to: session)
                        isTold = true
                    } else if isTick, !isTold {
                        try await send(Heartbeat(cursor: client.heartbeat()).text, to: session)
                    }
                }
                if isTick {
                    ticks = session.tickCount
                    isTold = false
                }
                guard text == nil else { continue }
                guard session.isOpen else { return }
                try await client.signal.wait(after: seen)
            }
        } catch RepositoryError.expiredCursor {
            try? await send(WireEncoding.data(Resync()), to: session)
            session.close(.normal, reason: "resync")
        } catch let error as RepositoryError {
            services.logger.warning("The feed cannot be read", metadata: ["error": "\(error)"])
            session.close(.tryAgainLater)
        } catch is LivePeople.ForgottenError {
            session.close(LiveEnding.userErased.closeCode, reason: LiveEnding.userErased.rawValue)
        } catch {
            // The socket is closed.
        }
    }

    private func send(_ data: Data, to session: SocketSession) async throws {
        try await send(String(decoding: data, as: UTF8.self), to: session)
    }

    private func send(_ text: String, to session: SocketSession) async throws {
        let message = SocketMessage(text)
        if !session.offer(message) {
            if session.isOpen { services.live.metrics.countSlow() }
            try await session.send(message)
        }
        services.live.metrics.countSent(message.byteCount, .socket)
    }

    /// Events are the first to be dropped if the client is slow.
    private func offer(_ event: LivePeople.Event, to session: SocketSession) {
        guard let data = try? event.data() else { return }
        let message = SocketMessage(String(decoding: data, as: UTF8.self))
        if session.offer(message) {
            services.live.metrics.countSent(message.byteCount, .socket)
        } else if session.isOpen {
            services.live.metrics.countDropped(event)
        }
    }

    /// Takes a message of the client; one that cannot be read gets an error, and the socket stays open.
    private func take(_ text: String, _ listener: LiveListener, _ session: SocketSession) async {
        let moment = services.now()
        do {
            try await inShortTask {
                let message = try JSONField(try JSONParser.parse(Array(text.utf8))).object()
                try message.refuseUnknown(by: SocketDocument.saying)
                let authority = RequestAuthority(
                    since: moment, person: listener.user, session: validity.session, key: validity.key)
                try await RequestAuthority.$current.withValue(authority) {
                    try await listener.take(message, at: moment)
                }
            }
        } catch {
            let failure = Failure(error)
            let message = TypedMessage("error", SocketFault(code: failure.code, detail: failure.detail))
            if let data = try? WireEncoding.data(message) { try? await send(data, to: session) }
        }
    }
}

/// Nothing changed; the cursor moved on.
private struct Heartbeat {
    let cursor: ChangeCursor

    /// As JSON.
    var text: String { #"{"cursor":"\#(cursor)","type":"heartbeat"}"# }
}

/// The cursor expired: the client starts again with a snapshot.
private struct Resync: Encodable {
    let type = "resync"
}

/// The messages of a socket as JSON, for the test that compares them with what clients read.
package enum LiveDocuments {
    /// The message with what is personal to a user.
    package static func sync(_ state: PersonalState) throws -> Data {
        try WireEncoding.data(ChatSnapshot(state))
    }

    package static func frame(_ page: FeedPage, after start: ChangeCursor) throws -> Data {
        try WireEncoding.data(
            FeedFrameContent(
                page, after: start, changes: page.changes.map { FeedChangeContent($0, links: nil) }))
    }

    package static func heartbeat(_ cursor: ChangeCursor) throws -> Data {
        Data(Heartbeat(cursor: cursor).text.utf8)
    }

    package static func resync() throws -> Data { try WireEncoding.data(Resync()) }

    /// The message about who is there, and who types.
    package static func presence(_ frame: PresenceFrame) throws -> Data {
        try LivePeople.Event.presence(frame).data()
    }

    package static func typing(_ event: TypingEvent) throws -> Data { try LivePeople.Event.typing(event).data() }

    /// The message before the socket is closed.
    package static func error(code: String, detail: String) throws -> Data {
        try WireEncoding.data(TypedMessage("error", SocketFault(code: code, detail: detail)))
    }
}
