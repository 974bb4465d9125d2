import ChatCore
import Foundation
import LiveChat

/// The presence of watched people; clients compute staleness from `lastBeat`.
struct PresenceMessage: Encodable {
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
struct TypingMessage: Encodable {
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

/// A part of an answer that the assistant is making for this person.
struct DeltaMessage: Encodable {
    let type = "delta"
    let answerId: String
    let threadId: ThreadID?
    let conversationId: ConversationID?
    /// The message that mentions the assistant.
    let messageId: MessageID?
    /// How many Unicode scalars of the answer come before the text.
    let start: Int
    let text: String
    /// In the last one: whether there is an answer.
    let done: Bool?
    /// The stored turn of the answer.
    let turnId: TurnID?

    init(_ piece: AnswerPiece) {
        answerId = piece.answerID
        start = piece.start
        text = piece.text
        switch piece.place {
        case .thread(let id): (threadId, conversationId, messageId) = (id, nil, nil)
        case .conversation(let id): (threadId, conversationId, messageId) = (nil, id, nil)
        case .message(let key): (threadId, conversationId, messageId) = (nil, key.conversationID, key.messageID)
        }
        switch piece.ending {
        case .done(let turn): (done, turnId) = (true, turn)
        case .failed: (done, turnId) = (false, nil)
        case nil: (done, turnId) = (nil, nil)
        }
    }
}

extension LivePeople.Event {
    /// The name of the event in a stream; the same as `type` of the message.
    var name: String {
        switch self {
        case .presence: "presence"
        case .typing: "typing"
        case .answer: "delta"
        }
    }

    /// The message in JSON.
    func data() throws -> Data {
        switch self {
        case .presence(let frame): try WireEncoding.data(PresenceMessage(frame))
        case .typing(let event): try WireEncoding.data(TypingMessage(event))
        case .answer(let piece): try WireEncoding.data(DeltaMessage(piece))
        }
    }
}
