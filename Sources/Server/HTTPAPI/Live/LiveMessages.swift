import ChatCore
import Foundation
import LiveChat
import NexusModel

/// A message of a socket, or an event of people: its fields, and `type`.
struct TypedMessage<Content: Encodable>: Encodable {
    private let type: String
    private let content: Content

    init(_ type: String, _ content: Content) {
        self.type = type
        self.content = content
    }

    private enum CodingKeys: String, CodingKey {
        case type
    }

    func encode(to encoder: any Encoder) throws {
        try content.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(type, forKey: .type)
    }
}

extension PresenceList {
    /// Clients compute staleness from `lastBeat`.
    init(_ frame: PresenceFrame) {
        self.init(
            people: frame.presences.sorted { $0.user < $1.user }.map { presence in
                ChatPresence(
                    userId: presence.user.rawValue, status: .init(presence.status),
                    lastBeat: presence.lastBeat?.wireDate, lastSeen: presence.lastSeen?.wireDate)
            })
    }
}

extension ChatTyping {
    init(_ event: TypingEvent) {
        let parts = event.remaining.components
        self.init(
            conversationId: event.conversation.rawValue, userId: event.user.rawValue,
            milliseconds: parts.seconds * 1_000 + parts.attoseconds / 1_000_000_000_000_000)
    }
}

extension AnswerPieceMessage {
    init(_ piece: AnswerPiece) {
        self.init(answerId: piece.answerID, start: piece.start, text: piece.text)
        switch piece.place {
        case .thread(let id): threadId = id.rawValue
        case .conversation(let id): conversationId = id.rawValue
        case .message(let key): (conversationId, messageId) = (key.conversationID.rawValue, key.messageID.rawValue)
        }
        switch piece.ending {
        case .done(let turn): (done, turnId) = (true, turn.rawValue)
        case .failed: done = false
        case nil: break
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
        case .presence(let frame): try WireEncoding.data(TypedMessage(name, PresenceList(frame)))
        case .typing(let event): try WireEncoding.data(TypedMessage(name, ChatTyping(event)))
        case .answer(let piece): try WireEncoding.data(TypedMessage(name, AnswerPieceMessage(piece)))
        }
    }
}
