package import ChatCore
package import Foundation

/// The JSON form of a message.
struct MessageWire: Encodable {
    let id: MessageID
    let conversationId: ConversationID
    let senderId: UserID
    let senderName: String
    let text: String
    let kind: Message.Kind
    let timestamp: WireTime
    let editedAt: WireTime?
    let replyTo: MessageID?
    let threadRoot: MessageID?
    let attachments: [AttachmentWire]
    let reactions: [ReactionWire]
    let extra: JSONValue?
    let localId: String?
    /// A link to it in the application that it came from.
    let url: String?
    /// Its position among the live messages of the conversation; nil for history.
    let seq: Int64?
    /// The replies that the reader may see; nil for none.
    let replyCount: Int?
    let lastReplyAt: WireTime?
    /// How far it has come; nil for messages of others and of history.
    let status: MessageStatus?

    init(
        _ message: Message, at position: MessagePosition? = nil, status: MessageStatus? = nil,
        links: MessageLinkTemplate?
    ) {
        id = message.key.messageID
        conversationId = message.key.conversationID
        senderId = message.senderID
        senderName = message.senderName
        text = message.text
        kind = message.kind
        timestamp = WireTime(message.timestamp)
        editedAt = message.editedAt.map { WireTime($0) }
        replyTo = message.replyToID
        threadRoot = message.threadRootID
        attachments = message.attachments.map { AttachmentWire($0) }
        reactions = message.reactions.map { ReactionWire($0) }
        extra = message.extra.flatMap { try? JSONParser.parse(Array($0.utf8)) }
        localId = message.localID
        url = message.link(links)
        seq = position?.seq
        replyCount = position?.replies?.count
        lastReplyAt = position?.replies.map { WireTime($0.lastAt) }
        self.status = status
    }
}

/// An emoji of a message with the first people who reacted.
struct ReactionWire: Encodable {
    /// The most people in a message; `GET …/reactions` lists all of them.
    static let peopleLimit = 50

    let emoji: String
    let userIds: [UserID]
    /// The number of all people, if these are not all.
    let count: Int?

    init(_ reaction: Message.Reaction) {
        emoji = reaction.emoji
        userIds = Array(reaction.userIDs.prefix(Self.peopleLimit))
        count = reaction.userIDs.count > Self.peopleLimit ? reaction.userIDs.count : nil
    }
}

/// All people who reacted to a message.
struct ReactionList: Encodable {
    struct Reaction: Encodable {
        let emoji: String
        let count: Int
        let people: [Person]
    }

    struct Person: Encodable {
        let userId: UserID
        let name: String
    }

    let reactions: [Reaction]

    init(_ reactions: [Message.Reaction], names: [UserID: String]) {
        self.reactions = reactions.map { reaction in
            Reaction(
                emoji: reaction.emoji, count: reaction.userIDs.count,
                people: reaction.userIDs.map { Person(userId: $0, name: names[$0] ?? $0.rawValue) })
        }
    }
}

/// Returns a message in the API's JSON form; `links` makes links to messages that came without one.
package func messageDocument(_ message: Message, links: MessageLinkTemplate?) throws -> Data {
    try WireEncoding.data(MessageWire(message, links: links))
}

/// A page of messages, newest first.
struct MessagePage: Encodable {
    let messages: [MessageWire]
    /// The `before` of the next page, or the `after` if the page came after a message; nil on the last page.
    let next: MessageID?
    let hasOlder: Bool
    let hasNewer: Bool
    let firstUnreadId: MessageID?
}

/// A page of replies, oldest first; `next` is the `after` of the next page, and missing on the last page.
struct ReplyPage: Encodable {
    let messages: [MessageWire]
    let next: MessageID?
}

/// The outcome of one posted message.
struct OutcomeWire: Encodable {
    /// A stable word.
    enum Status: String, CaseIterable, Encodable {
        case inserted
        case unchanged
        case updated
        case deletedBefore = "deleted_before"
        case conflict
        case forbidden = "conversation_forbidden"
        case senderForbidden = "sender_forbidden"
        case fieldForbidden = "field_forbidden"
        case invalid
    }

    let status: Status
    /// Its position among the live messages of the conversation.
    var seq: Int64?
    /// The id under which it is stored; nil when it had none and was not stored.
    var messageId: MessageID?
    /// The id that the sending client chose; nil for messages that were not stored.
    var localId: String?
    var field: String?
    var reason: String?

    init(_ posted: PostedMessage, of message: Message) {
        let outcome = posted.outcome
        seq = posted.seq
        messageId = message.key.messageID
        switch outcome {
        case .inserted, .unchanged, .updated: localId = message.localID
        case .deletedBefore, .conflict, .noSuchConversation, .invalid: break
        }
        switch outcome {
        case .inserted: status = .inserted
        case .unchanged(let stored):
            status = .unchanged
            messageId = stored
        case .updated: status = .updated
        case .deletedBefore: status = .deletedBefore
        case .conflict: status = .conflict
        case .noSuchConversation: status = .forbidden
        case .invalid(let field, let reason):
            status = .invalid
            self.field = field
            self.reason = reason
        }
    }

    /// Its sender is not the caller.
    static let senderForbidden = OutcomeWire(status: .senderForbidden)

    /// The outcome of an edited message.
    init(editedMessage id: MessageID) {
        status = .updated
        messageId = id
    }

    private init(status: Status) {
        self.status = status
    }

    /// It has a field that a person may not set.
    init(fieldForbidden failure: Failure) {
        status = .fieldForbidden
        field = failure.field
        reason = failure.detail
    }

    init(_ error: FieldError) {
        status = .invalid
        field = error.field
        reason = error.reason
    }
}

/// The outcomes of a batch, in its order.
struct OutcomeList: Encodable {
    let outcomes: [OutcomeWire]
}
