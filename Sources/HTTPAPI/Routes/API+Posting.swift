import ChatCore
import HTTPTypes
import Hummingbird

extension API {
    /// Takes in one message, or `{"messages": […]}`.
    ///
    /// Who asks is `userId` or the header; when the request does not say, the (first) sender, then the default user.
    /// One message: 201, or 200 when it was there already, the same; a problem otherwise. A batch: 200 with one outcome
    /// a message, each stored or refused on its own.
    func postMessages(_ incoming: IncomingRequest) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let batch = try body["messages"].optionalArray(atMost: settings.batchLimit)
        let named = try incoming.namedAsker(body: body)
        let firstSender: UserID? = try (batch?.first ?? body)["senderId"].optionalIdentifier()
        guard let asker = named ?? firstSender ?? defaultUser else { throw Failure.userRequired }
        let moment = services.now()
        let roster = try await services.store.roster(of: try incoming.conversationID(), asker: asker, at: moment)
        let id = roster.conversation.id
        let stored = try await storedMessages(of: batch ?? [body], in: id, asker: asker, at: moment)
        let names = roster.members.map { ($0.userID, $0.displayName) }
        let fields = MessageFields(
            defaults: MessageFields.Defaults(
                conversationID: id, senderID: asker, names: Dictionary(names) { first, _ in first }, stored: stored,
                moment: moment, makeID: services.makeID))
        guard let batch else { return try await post(try fields.message(body), at: moment) }
        return try reply(OutcomeList(outcomes: try await post(batch, fields: fields, at: moment)))
    }

    /// Returns the stored messages among those that come without a time or a sender's name.
    private func storedMessages(
        of items: [JSONField], in id: ConversationID, asker: UserID, at moment: Timestamp
    ) async throws -> [MessageID: Message] {
        let keys = items.compactMap { item -> MessageKey? in
            guard !item["timestamp"].isPresent || !item["senderName"].isPresent,
                let messageID = (try? item["id"].identifier()) as MessageID?
            else { return nil }
            return MessageKey(conversationID: id, messageID: messageID)
        }
        guard !keys.isEmpty else { return [:] }
        let scope = SearchScope(asker: asker, conversations: .only([id]))
        let stored = try await services.store.messages(keys, in: scope, at: moment)
        return stored.reduce(into: [:]) { $0[$1.key.messageID] = $1.value }
    }

    private func post(_ message: Message, at moment: Timestamp) async throws -> Response {
        let outcome = try await accepted(message, at: moment)
        return try reply(outcome, status: outcome.status == .unchanged ? .ok : .created)
    }

    /// Stores one message, or throws why it is not stored.
    func accepted(_ message: Message, at moment: Timestamp) async throws -> OutcomeWire {
        guard let outcome = try await accept([message], at: moment).first else { throw Failure.unexpected }
        switch outcome {
        case .inserted, .updated, .unchanged: return OutcomeWire(outcome, id: message.key.messageID)
        case .deletedBefore:
            throw Failure(409, "message_deleted", "the message was deleted before; it stays so", .alreadyExists)
        case .conflict: throw RepositoryError.conflict("message")
        case .noSuchConversation: throw Failure.conversationForbidden
        case .invalid(let field, let reason): throw Failure.invalid(field: field, reason)
        }
    }

    /// Stores what can be read; what cannot keeps its place among the outcomes.
    private func post(
        _ batch: [JSONField], fields: MessageFields, at moment: Timestamp
    ) async throws -> [OutcomeWire] {
        var read: [Result<Message, FieldError>] = []
        for item in batch {
            do throws(FieldError) {
                read.append(.success(try fields.message(item)))
            } catch {
                read.append(.failure(error))
            }
        }
        var accepted = try await accept(read.compactMap { try? $0.get() }, at: moment)[...]
        return read.compactMap { item in
            switch item {
            case .success(let message): accepted.popFirst().map { OutcomeWire($0, id: message.key.messageID) }
            case .failure(let error): OutcomeWire(error)
            }
        }
    }

    private func accept(_ messages: [Message], at moment: Timestamp) async throws -> [AcceptOutcome] {
        guard !messages.isEmpty else { return [] }
        let outcomes = try await services.store.accept(messages, source: Self.source, mode: .posting, at: moment)
        if outcomes.contains(where: { $0 == .inserted || $0 == .updated }) { services.wake() }
        return outcomes
    }
}
