import ChatCore
import HTTPTypes
import Hummingbird
import UseCases

extension API {
    /// Stores one message, or `{"messages": […]}`.
    ///
    /// The asker is `userId` or the header; without both, the (first) sender, then the default user. One message: 201,
    /// or 200 if the same message exists; a problem otherwise. A batch: 200 with one outcome per message; each is
    /// stored or refused separately.
    func postMessages(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit).object()
        let batch = try body["messages"].optionalArray(atMost: settings.batchLimit)
        let firstSender: UserID? = try (batch?.first ?? body)["senderId"].optionalIdentifier()
        let writer = try incoming.writer(caller, body: body, sender: firstSender)
        let roster = try await incoming.useCases.roster(
            of: try incoming.conversationID(), only: Self.senders(of: batch ?? [body], writer), for: writer)
        if let batch {
            return try reply(OutcomeList(outcomes: try await post(batch, in: roster, by: writer, incoming)))
        }
        let outcome = try await accepted(body, in: roster, by: writer, incoming)
        return try reply(outcome, status: outcome.status == .unchanged ? .ok : .created)
    }

    /// Returns the users whose names messages may need: a conversation may have many members, and few of them write.
    static func senders(of items: [JSONField], _ writer: Writer) -> Set<UserID> {
        Set(items.compactMap { item in try? item["senderId"].optionalIdentifier() } + [writer.user].compactMap(\.self))
    }

    /// Returns the reader of messages for a conversation; a person's name comes from the conversation, not from the
    /// message.
    func messageFields(
        for items: [JSONField], in roster: ConversationRoster, writer: Writer, _ incoming: IncomingRequest
    ) async throws -> MessageFields {
        let id = roster.conversation.id
        var names = Dictionary(roster.members.map { ($0.userID, $0.displayName) }) { first, _ in first }
        var isPerson = false
        if case .person(let person) = writer {
            isPerson = true
            if let name = person.name { names[person.id] = name }
        }
        let newIDs = items.indices.map { MessageID(rawValue: incoming.repeatableIDs?[$0] ?? services.makeID()) }
        return MessageFields(
            defaults: MessageFields.Defaults(
                conversationID: id, senderID: writer.user, names: names, takesNames: !isPerson,
                stored: try await storedMessages(of: items, newIDs, in: id, byPerson: isPerson, incoming),
                moment: incoming.receivedAt, newIDs: newIDs))
    }

    /// Returns a message with only the fields that its writer may set.
    func written(_ item: JSONField, by writer: Writer) throws -> JSONField {
        guard case .person(let person) = writer else { return item }
        return try PersonFields.message(item, by: person.id)
    }

    /// Returns the stored versions of messages that lack a time or a sender's name, as all messages of a person do, and of
    /// those that a repeated request makes again.
    private func storedMessages(
        of items: [JSONField], _ newIDs: [MessageID], in id: ConversationID, byPerson isPerson: Bool,
        _ incoming: IncomingRequest
    ) async throws -> [MessageID: Message] {
        let ids = zip(items, newIDs).compactMap { item, newID -> MessageID? in
            guard item["id"].isPresent else { return incoming.repeatableIDs == nil ? nil : newID }
            guard isPerson || !item["timestamp"].isPresent || !item["senderName"].isPresent else { return nil }
            return try? item["id"].identifier()
        }
        return try await incoming.useCases.storedMessages(ids, in: id)
    }

    /// Stores one message, or throws the reason why it is not stored.
    func accepted(
        _ item: JSONField, in roster: ConversationRoster, by writer: Writer, _ incoming: IncomingRequest
    ) async throws -> OutcomeWire {
        let item = try written(item, by: writer)
        let fields = try await messageFields(for: [item], in: roster, writer: writer, incoming)
        let message = try fields.message(item)
        let first = try await incoming.useCases.post([message], by: writer).first
        guard let first, first.outcome == .conflict, fields.defaults.stored[message.key.messageID] == nil else {
            return try outcome(of: first, message)
        }
        // The same message may have arrived twice at the same time.
        let again = try await messageFields(for: [item], in: roster, writer: writer, incoming).message(item)
        return try outcome(of: try await incoming.useCases.post([again], by: writer).first, again)
    }

    private func outcome(of posted: PostedMessage?, _ message: Message) throws -> OutcomeWire {
        guard let posted else { throw Failure.unexpected }
        switch posted.outcome {
        case .inserted, .updated, .unchanged:
            return OutcomeWire(posted, of: message)
        case .deletedBefore:
            throw Failure(409, "message_deleted", "the message was deleted before and stays deleted", .alreadyExists)
        case .conflict: throw RepositoryError.conflict("message")
        case .noSuchConversation: throw Failure.conversationForbidden
        case .invalid(let field, let reason): throw Failure.invalid(field: field, reason)
        }
    }

    /// Stores the readable messages; unreadable ones keep their place among the outcomes.
    private func post(
        _ batch: [JSONField], in roster: ConversationRoster, by writer: Writer, _ incoming: IncomingRequest
    ) async throws -> [OutcomeWire] {
        let fields = try await messageFields(for: batch, in: roster, writer: writer, incoming)
        let read = try read(batch, fields, by: writer)
        var accepted = try await incoming.useCases.post(read.compactMap(\.message), by: writer)
        let stored = fields.defaults.stored
        let late = zip(read.compactMap(\.message), accepted).map { message, posted in
            posted.outcome == .conflict && stored[message.key.messageID] == nil
        }
        if late.contains(true) {
            // The same messages may have arrived twice at the same time.
            let fields = try await messageFields(for: batch, in: roster, writer: writer, incoming)
            let again = zip(try self.read(batch, fields, by: writer).compactMap(\.message), late).filter(\.1).map(\.0)
            var outcomes = try await incoming.useCases.post(again, by: writer)[...]
            for place in accepted.indices where late[place] { accepted[place] = outcomes.popFirst() ?? accepted[place] }
        }
        var rest = accepted[...]
        return read.compactMap { item in
            switch item {
            case .message(let message): rest.popFirst().map { OutcomeWire($0, of: message) }
            case .refused(let outcome): outcome
            }
        }
    }

    private func read(_ batch: [JSONField], _ fields: MessageFields, by writer: Writer) throws -> [PostedItem] {
        var read: [PostedItem] = []
        for (place, item) in batch.enumerated() {
            do {
                let message = try fields.message(try written(item, by: writer), at: place)
                read.append(writer.mayWrite(for: message.senderID) ? .message(message) : .refused(.senderForbidden))
            } catch let error as FieldError {
                read.append(.refused(OutcomeWire(error)))
            } catch let failure as Failure {
                read.append(.refused(OutcomeWire(fieldForbidden: failure)))
            }
        }
        return read
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
