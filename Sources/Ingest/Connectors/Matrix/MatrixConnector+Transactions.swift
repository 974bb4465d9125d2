import ChatCore
import Histories
import Logging
import Synchronization

/// The reply to a request of a homeserver.
package struct MatrixReply: Equatable, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The body: one JSON object.
    package let body: String

    static let done = MatrixReply(status: 200, body: "{}")
    static let forbidden = failure(403, "M_FORBIDDEN")
    static let notFound = failure(404, "M_NOT_FOUND")
    static let notJSON = failure(400, "M_NOT_JSON")
    /// The homeserver sends the same again later, and nothing else before it.
    static let later = failure(503, "M_UNKNOWN")

    private static func failure(_ status: Int, _ code: String) -> MatrixReply {
        MatrixReply(status: status, body: #"{"errcode":"\#(code)"}"#)
    }
}

extension MatrixConnector {
    /// Whether a request comes from the homeserver; nil if so.
    private func refusal(of authorization: String?) -> MatrixReply? {
        let expected = "Bearer \(settings.homeserverToken.reveal())"
        return isSameSecret((authorization ?? "").utf8, expected.utf8) ? nil : .forbidden
    }

    /// Answers a question of the homeserver whether Nexus works, or has a user or a room: it has none besides its own.
    package func answer(authorization: String?, isPing: Bool) -> MatrixReply {
        refusal(of: authorization) ?? (isPing ? .done : .notFound)
    }

    /// Takes the events of a transaction; see
    /// <https://spec.matrix.org/v1.13/application-service-api/#put_matrixappv1transactionstxnid>.
    ///
    /// The number of a transaction says nothing: it starts again at 1 when the homeserver does, and a repeated
    /// transaction may have another body. Events are known by their ids.
    ///
    /// - Parameters:
    ///   - authorization: The header of the request.
    ///   - body: The body.
    /// - Returns: The reply; unless it is 200, the homeserver sends the events again.
    package func take(authorization: String?, body: [UInt8]) async -> MatrixReply {
        if let refusal = refusal(of: authorization) { return refusal }
        guard let fields = JSONFields(object: try? JSONParser.parse(body)) else { return .notJSON }
        let events = fields.objects("events").compactMap { MatrixEvent($0) }
        do {
            switch try await store.connection(to: MatrixSettings.source).state {
            case .active: break
            // The homeserver keeps the events, and sends them again.
            case .paused: return .later
            case .disconnecting, .disconnected: return .done
            }
            for event in events { try await take(event) }
            status.stored(events.last?.timestamp, at: now())
            return .done
        } catch {
            logger.warning("A transaction is not taken", metadata: ["error.type": "\(type(of: error))"])
            return .later
        }
    }

    private func take(_ event: MatrixEvent) async throws {
        if event.type == "m.room.member", event.stateKey == settings.userID {
            return try await takeOwnMembership(event)
        }
        // After a start the members may be others than those that are stored.
        let isRead = state.withLock { $0.names[event.room] != nil || $0.spaces.contains(event.room) }
        if !isRead { try await refresh(event.room) }
        let isSpace = state.withLock { $0.spaces.contains(event.room) }
        guard !isSpace, let room = try await rooms.room(event.room), !room.isErased else { return }
        if event.stateKey != nil { try await takeState(event) } else { try await takeContent(event) }
    }

    /// Joins rooms to which Nexus is invited; when it is removed from one, nobody reads it any more.
    private func takeOwnMembership(_ event: MatrixEvent) async throws {
        switch event.content.text("membership") {
        case "invite":
            // People of other servers could fill the store.
            guard settings.isOwn(event.sender) else { return }
            do {
                try await client.call("POST", ["v3", "rooms", event.room, "join"], body: .object([:]))
            } catch let error as ConnectorError where error.isAboutMembership {
                // The invitation was withdrawn.
            }
        case "join": try await refresh(event.room)
        case "leave", "ban":
            // The homeserver says whether Nexus is back: then what it missed meanwhile is read.
            try await refresh(event.room)
            let known = try await store.connectorEvents([event.id], in: event.room, of: MatrixSettings.source)
            if known.isEmpty { try await readAgain(event.room) }
        default: break
        }
        if try await rooms.room(event.room) != nil { try await count(event) }
    }

    /// Follows a change of members, of the name or of rules, before the next event of the room is taken.
    private func takeState(_ event: MatrixEvent) async throws {
        do {
            try await refresh(event.room)
        } catch {
            // The list cannot be read now, but who is gone reads nothing any more.
            let wasPresent = event.unsigned?.object("prev_content")?.text("membership") == "join"
            if let person = event.stateKey, event.type == "m.room.member", wasPresent,
                event.content.text("membership") != "join"
            {
                try await remove(person, from: event.room)
            }
            throw error
        }
        try await count(event)
    }

    private func count(_ event: MatrixEvent) async throws {
        var page = ConnectorPage(source: MatrixSettings.source, room: event.room)
        page.events = [ConnectorEvent(id: event.id, kind: .room)]
        try await store.take(page, at: now())
    }

    private func takeContent(_ event: MatrixEvent) async throws {
        let readAt = now()
        let related: [String] = if case .deletion(let target) = event.effect { [event.id, target] } else { [event.id] }
        let known = try await store.connectorEvents(related, in: event.room, of: MatrixSettings.source)
        if known[event.id] != nil, !event.isDeleted { return }
        let mapping = mapping(of: event.room)
        var page = ConnectorPage(source: MatrixSettings.source, room: event.room)
        mapping.add(event, to: &page, readAt: readAt, isFirst: true)
        switch event.effect {
        case .edit(let target) where event.sender != settings.userID:
            try await reread(target, after: event, into: &page)
        case .deletion(let target):
            switch known[target]?.kind {
            case .edit: try await reread(known[target]?.target?.rawValue, after: nil, into: &page, in: event.room)
            case .reaction, .answer, .deletion, .room: break
            case nil:
                state.withLock { $0.unknownDeletions[event.room, default: 0] += 1 }
                mapping.addDeletion(of: target, to: &page, readAt: readAt)
            default: mapping.addDeletion(of: target, to: &page, readAt: readAt)
            }
        default: break
        }
        try await store.take(page, at: now())
    }

    private func reread(_ target: String, after edit: MatrixEvent, into page: inout ConnectorPage) async throws {
        try await reread(target, after: edit, into: &page, in: edit.room)
    }

    /// Adds the present state of a message as the homeserver puts it together: it decides which edit counts.
    private func reread(
        _ target: String?, after edit: MatrixEvent?, into page: inout ConnectorPage, in room: String
    ) async throws {
        guard let target else { return }
        let readAt = now()
        let reply: JSONFields
        do {
            reply = try await client.call("GET", ["v3", "rooms", room, "event", target])
        } catch let error as ConnectorError where error.isAboutMembership {
            // The message is gone, or it is from before what Nexus may read.
            return
        }
        guard let original = MatrixEvent(reply, in: room), original.stateKey == nil else { return }
        if let edit, original.sender != edit.sender {
            page.events = page.events.map { ConnectorEvent(id: $0.id, kind: .foreign) }
            return
        }
        let mapping = mapping(of: room)
        if original.isDeleted {
            mapping.addDeletion(of: target, to: &page, readAt: readAt)
        } else if case .message = original.effect, !mapping.isTooLate(original), let message = mapping.message(original)
        {
            page.messages.append(
                ConnectorMessage(id: message.key.messageID, message: message, readAt: readAt)
                    .readingLinks(name: settings.mentionName))
        }
    }
}
