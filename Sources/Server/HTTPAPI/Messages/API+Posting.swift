import ChatCore
import HTTPTypes
import Hummingbird
import NexusModel
import UseCases

extension API {
    /// Stores one message, or `{"messages": […]}`.
    ///
    /// The asker is `userId` or the header; without both, the (first) sender, then the default user. One message: 201,
    /// or 200 if the same message exists; a problem otherwise. A batch: 200 with one outcome per message; each is
    /// stored or refused separately.
    func postMessages(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.messagesByteLimit, checkingLater: "messages").object()
        let batch = try body["messages"].optionalArray(atMost: settings.batchLimit)
        let firstSender: UserID? = try (batch?.first ?? body)["senderId"].optionalIdentifier()
        let writer = try incoming.writer(caller, body: body, sender: firstSender)
        let id = try incoming.conversationID()
        if let batch {
            return try reply(MessageOutcomeList(outcomes: try await post(batch, in: id, by: writer, incoming)))
        }
        let outcome = try await accepted(body, in: id, by: writer, incoming)
        return try reply(outcome, status: outcome.status == .unchanged ? .ok : .created)
    }

    /// Returns the reader of messages for a conversation; a person's name comes from the token or the conversation, not
    /// from the message.
    private func messageFields(
        for items: [JSONField], in id: ConversationID, by writer: Writer, _ incoming: IncomingRequest
    ) -> MessageFields {
        var defaults = MessageFields.Defaults(
            conversationID: id, senderID: writer.user, takesNames: true, moment: incoming.receivedAt,
            newIDs: items.indices.map { MessageID(rawValue: incoming.repeatableIDs?[$0] ?? services.makeID()) })
        if case .person(let person) = writer {
            defaults.takesNames = false
            defaults.knownName = person.name
        }
        return MessageFields(defaults: defaults)
    }

    /// Returns a message with only the fields that its writer may set.
    func written(_ item: JSONField, by writer: Writer, _ incoming: IncomingRequest) throws -> JSONField {
        guard case .person(let person) = writer else { return item }
        for name in PersonFields.replaced where item[name].isPresent { incoming.ignored.add(item.path[name]) }
        return try PersonFields.message(item, by: person.id)
    }

    /// Stores one message, or throws the reason why it is not stored.
    func accepted(
        _ item: JSONField, in id: ConversationID, by writer: Writer, _ incoming: IncomingRequest
    ) async throws -> MessageOutcome {
        let item = try written(item, by: writer, incoming)
        let draft = try messageFields(for: [item], in: id, by: writer, incoming).draft(item)
        return try outcome(of: try await incoming.useCases.post([draft], by: writer).first, draft.message)
    }

    /// Returns what became of a message; throws the reason why it is not stored.
    func outcome(of posted: PostedMessage?, _ message: Message) throws -> MessageOutcome {
        guard let posted else { throw Failure.unexpected }
        switch posted.outcome {
        case .inserted, .updated, .unchanged:
            return MessageOutcome(posted, of: message)
        case .deletedBefore:
            throw Failure(409, "message_deleted", "the message was deleted before and stays deleted", .alreadyExists)
        case .conflict: throw RepositoryError.conflict("message")
        case .noSuchConversation: throw Failure.conversationForbidden
        case .invalid(let field, let reason): throw Failure.invalid(field: field, reason)
        }
    }

    /// Stores the readable messages; unreadable ones keep their place among the outcomes.
    private func post(
        _ batch: [JSONField], in id: ConversationID, by writer: Writer, _ incoming: IncomingRequest
    ) async throws -> [MessageOutcome] {
        let read = try read(batch, messageFields(for: batch, in: id, by: writer, incoming), by: writer, incoming)
        let drafts = read.compactMap(\.draft)
        // Who does not see the conversation gets no outcome, either, if no message can be read.
        if drafts.isEmpty { _ = try await incoming.useCases.roster(of: id, only: [], for: writer) }
        let accepted = try await incoming.useCases.post(drafts, by: writer)
        var rest = accepted[...]
        return read.compactMap { item in
            switch item {
            case .draft(let draft): rest.popFirst().map { MessageOutcome($0, of: draft.message) }
            case .refused(let outcome): outcome
            }
        }
    }

    private func read(
        _ batch: [JSONField], _ fields: MessageFields, by writer: Writer, _ incoming: IncomingRequest
    ) throws -> [PostedItem] {
        var read: [PostedItem] = []
        for (place, item) in batch.enumerated() {
            do {
                try incoming.check(item)
                let draft = try fields.draft(try written(item, by: writer, incoming), at: place)
                let isOwn = writer.mayWrite(for: draft.message.senderID)
                read.append(isOwn ? .draft(draft) : .refused(MessageOutcome(status: .senderForbidden)))
            } catch let error as FieldError {
                read.append(.refused(MessageOutcome(error)))
            } catch let failure as Failure {
                read.append(.refused(MessageOutcome(fieldForbidden: failure)))
            }
        }
        return read
    }
}

/// One message of a batch.
private enum PostedItem {
    case draft(MessageDraft)
    /// It cannot be stored.
    case refused(MessageOutcome)

    var draft: MessageDraft? {
        if case .draft(let draft) = self { draft } else { nil }
    }
}
