package import ChatCore
package import Foundation
import NexusModel

extension ChatMessage {
    /// The most people of a reaction; `GET …/reactions` lists all of them.
    private static let reactorLimit = 50

    /// - Parameters:
    ///   - message: The message.
    ///   - position: Its place among the live messages, its replies, and what makes it wrong; nil for none.
    ///   - status: How far it has come; nil for messages of others and of history.
    ///   - links: Makes links to messages that came without one.
    init(
        _ message: Message, at position: MessagePosition? = nil, status: MessageStatus? = nil,
        links: MessageLinkTemplate?
    ) {
        self.init(
            id: message.key.messageID.rawValue, conversationId: message.key.conversationID.rawValue,
            senderId: message.senderID.rawValue, senderName: message.senderName, text: message.text,
            kind: Kind(message.kind), timestamp: message.timestamp.wireDate, localId: message.localID,
            seq: position?.seq)
        editedAt = message.editedAt?.wireDate
        replyTo = message.replyToID?.rawValue
        threadRoot = message.threadRootID?.rawValue
        attachments = message.attachments.map { Attachment($0) }
        reactions = message.reactions.map { reaction in
            let count = reaction.userIDs.count
            return Reaction(
                emoji: reaction.emoji, userIds: reaction.userIDs.prefix(Self.reactorLimit).map(\.rawValue),
                count: count > Self.reactorLimit ? count : nil)
        }
        extra = message.extra.flatMap { try? JSONParser.parse(Array($0.utf8)) }.map { JSONContent($0) }
        url = message.link(links)
        replyCount = position?.replies?.count
        lastReplyAt = position?.replies?.lastAt.wireDate
        outdated = position?.outdated.map { Outdated(by: MessagePlace($0.by), notedAt: $0.notedAt.wireDate) }
        self.status = status.map { Status($0) }
    }
}

extension ChatMessage.Attachment {
    /// A stored file, or one of which only the name is known.
    init(_ attachment: Message.Attachment) {
        self.init(
            id: attachment.id?.rawValue, name: attachment.name, mediaType: attachment.type,
            byteCount: attachment.byteCount, type: attachment.id == nil ? attachment.type : nil,
            caption: attachment.caption)
        reading = attachment.reading.map {
            Reading(
                state: .init($0.state), isCut: $0.isCut, isRecognized: $0.isRecognized,
                problem: $0.problem.map { .init($0) })
        }
    }
}

extension NexusModel.FilePlace {
    init(_ place: ChatCore.FilePlace) {
        self.init(
            fileId: place.fileID.rawValue, name: place.name, unit: place.unit.map { Unit($0) }, number: place.number,
            label: place.label)
    }
}

extension JSONContent {
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .string(let text): self = .string(text)
        case .array(let values): self = .array(values.map { JSONContent($0) })
        case .object(let fields): self = .object(fields.mapValues { JSONContent($0) })
        }
    }
}

/// Returns a message in the API's JSON form; `links` makes links to messages that came without one.
package func messageDocument(_ message: Message, links: MessageLinkTemplate?) throws -> Data {
    try WireEncoding.data(ChatMessage(message, links: links))
}

extension ReactionList {
    init(_ reactions: [Message.Reaction], names: [UserID: String]) {
        self.init(
            reactions: reactions.map { reaction in
                Reaction(
                    emoji: reaction.emoji,
                    people: reaction.userIDs.map { ChatPerson(userId: $0.rawValue, name: names[$0] ?? $0.rawValue) })
            })
    }
}

extension MessageOutcome {
    init(_ posted: PostedMessage, of message: Message) {
        let id = message.key.messageID.rawValue
        let (status, storedID, isStored): (Status, MessageID?, Bool) =
            switch posted.outcome {
            case .inserted: (.inserted, nil, true)
            case .unchanged(let stored): (.unchanged, stored, true)
            case .updated: (.updated, nil, true)
            case .deletedBefore: (.deletedBefore, nil, false)
            case .conflict: (.conflict, nil, false)
            case .noSuchConversation: (.conversationForbidden, nil, false)
            case .invalid: (.invalid, nil, false)
            }
        self.init(
            status: status, seq: posted.seq, messageId: storedID?.rawValue ?? id,
            localId: isStored ? message.localID : nil)
        if case .invalid(let field, let reason) = posted.outcome { (self.field, self.reason) = (field, reason) }
    }

    /// The outcome of an edited message.
    init(editedMessage id: MessageID) {
        self.init(status: .updated, messageId: id.rawValue)
    }

    /// It has a field that a person may not set.
    init(fieldForbidden failure: Failure) {
        self.init(status: .fieldForbidden, field: failure.field, reason: failure.detail)
    }

    init(_ error: FieldError) {
        self.init(status: .invalid, field: error.field, reason: error.reason)
    }
}
