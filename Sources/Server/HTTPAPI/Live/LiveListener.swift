import ChatCore
import LiveChat
import UseCases

/// Takes what a client says: over its socket or, for a client of a stream, in requests.
struct LiveListener: Sendable {
    let user: UserID
    let connection: LiveConnection
    /// Whether the client may do what others see; a key that reads as the user may not.
    let mayAct: Bool
    let parts: LiveParts

    /// Takes a message.
    ///
    /// - Parameters:
    ///   - body: The message; `type` says what it is.
    ///   - moment: The present time.
    /// - Throws: ``FieldError``, ``Failure``, errors of the use cases.
    func take(_ body: JSONField, at moment: Timestamp) async throws {
        let useCases = parts.services.useCases.at(moment)
        let type = try body["type"].string()
        guard mayAct || type == "watch" else {
            // What every client says from time to time has no effect.
            if ["active", "ack", "open"].contains(type) { return }
            throw Failure.roleRequired
        }
        switch type {
        case "active":
            connection.beat(try body["active"].optionalFlag().map { $0 ? .active : .away })
            return
        case "ack": try await useCases.acknowledge(try ChangeCursor(of: body["cursor"]), by: user)
        case "open":
            let id: ConversationID? = try body["conversationId"].optionalIdentifier()
            if let id { _ = try await useCases.roster(of: id, only: [], asker: user) }
            connection.show(id)
        case "typing":
            let id: ConversationID = try body["conversationId"].identifier()
            guard let count = try await useCases.memberCount(of: id, asMember: user) else {
                throw Failure.conversationForbidden
            }
            connection.type(try body["typing"].optionalFlag() ?? true, in: id, memberCount: count)
        case "watch":
            var users: Set<UserID> = []
            for item in try body["userIds"].optionalArray() ?? [] { users.insert(try item.identifier()) }
            do {
                try await connection.watch(users) { try await useCases.companions(of: user) }
            } catch PresenceError.tooManyWatched(let limit, _) {
                throw Failure.invalid(field: "userIds", "must have at most \(limit) users")
            }
        default: throw body["type"].error("must be active, ack, open, typing or watch")
        }
        connection.beat()
    }

    /// Takes in a change of the feed that concerns presence or typing.
    func follow(_ change: FeedChange) {
        switch change {
        case .departure(let id): connection.leave(id)
        // The settings may have changed between the beginning of the connection and its first frame.
        case .settings(let settings): parts.services.people.setHidesLastSeen(settings.hidesLastSeen, of: user)
        default: break
        }
    }
}

extension ChangeCursor {
    /// Reads a cursor of the feed.
    init(of field: JSONField) throws {
        guard let cursor = ChangeCursor(try field.string()) else {
            throw field.error("must be the cursor of a frame, or of GET /v1/sync")
        }
        self = cursor
    }
}
