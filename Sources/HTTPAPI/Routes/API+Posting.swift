import ChatCore
import HTTPTypes
import Hummingbird

extension API {
    /// Takes in one message, or `{"messages": […]}`.
    ///
    /// Who asks is `userId` or the header; when the request does not say, the (first) sender, then the default user.
    /// One message: 201, or 200 when it was there already, the same; a problem otherwise. A batch: 200 with one outcome
    /// a message, each stored or refused on its own.
    func postMessages(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let batch = try body["messages"].optionalArray(atMost: settings.batchLimit)
        let firstSender: UserID? = try (batch?.first ?? body)["senderId"].optionalIdentifier()
        let writer = try incoming.writer(caller, body: body, sender: firstSender)
        let moment = services.now()
        let roster = try await roster(incoming, for: writer)
        let fields = try await messageFields(for: batch ?? [body], in: roster, writer: writer, at: moment)
        guard let batch else {
            let message = try fields.message(try written(body, by: writer))
            guard writer.mayWrite(for: message.senderID) else { throw Failure.senderForbidden }
            return try await post(message, at: moment)
        }
        return try reply(OutcomeList(outcomes: try await post(batch, fields: fields, writer: writer, at: moment)))
    }

    /// Returns what reads messages that come for a conversation; a person's own name is the conversation's, not what
    /// the message says.
    func messageFields(
        for items: [JSONField], in roster: ConversationRoster, writer: Writer, at moment: Timestamp
    ) async throws -> MessageFields {
        let id = roster.conversation.id
        var names = Dictionary(roster.members.map { ($0.userID, $0.displayName) }) { first, _ in first }
        var isPerson = false
        if case .person(let person) = writer {
            isPerson = true
            if let name = person.name { names[person.id] = name }
        }
        return MessageFields(
            defaults: MessageFields.Defaults(
                conversationID: id, senderID: writer.user, names: names, takesNames: !isPerson,
                stored: try await storedMessages(of: items, in: id, byPerson: isPerson), moment: moment,
                makeID: services.makeID))
    }

    /// Returns a message as far as its writer may say what it is.
    func written(_ item: JSONField, by writer: Writer) throws -> JSONField {
        guard case .person(let person) = writer else { return item }
        return try PersonFields.message(item, by: person.id)
    }

    /// Returns the stored messages among those that come without a time or a sender's name, as all of a person do.
    private func storedMessages(
        of items: [JSONField], in id: ConversationID, byPerson isPerson: Bool
    ) async throws -> [MessageID: Message] {
        let keys = items.compactMap { item -> MessageKey? in
            guard isPerson || !item["timestamp"].isPresent || !item["senderName"].isPresent,
                let messageID = (try? item["id"].identifier()) as MessageID?
            else { return nil }
            return MessageKey(conversationID: id, messageID: messageID)
        }
        guard !keys.isEmpty else { return [:] }
        let stored = try await services.store.stored(keys).filter { $0.value.deletedAt == nil }
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
        _ batch: [JSONField], fields: MessageFields, writer: Writer, at moment: Timestamp
    ) async throws -> [OutcomeWire] {
        var read: [PostedItem] = []
        for item in batch {
            do {
                let message = try fields.message(try written(item, by: writer))
                read.append(writer.mayWrite(for: message.senderID) ? .message(message) : .refused(.senderForbidden))
            } catch let error as FieldError {
                read.append(.refused(OutcomeWire(error)))
            } catch let failure as Failure {
                read.append(.refused(OutcomeWire(fieldForbidden: failure)))
            }
        }
        var accepted = try await accept(read.compactMap(\.message), at: moment)[...]
        return read.compactMap { item in
            switch item {
            case .message(let message): accepted.popFirst().map { OutcomeWire($0, id: message.key.messageID) }
            case .refused(let outcome): outcome
            }
        }
    }

    private func accept(_ messages: [Message], at moment: Timestamp) async throws -> [AcceptOutcome] {
        guard !messages.isEmpty else { return [] }
        let outcomes = try await services.store.accept(messages, source: Self.source, mode: .posting, at: moment)
        return outcomes
    }
}

/// One message of a batch.
private enum PostedItem {
    case message(Message)
    /// It cannot be stored.
    case refused(OutcomeWire)

    var message: Message? {
        if case .message(let message) = self { message } else { nil }
    }
}
