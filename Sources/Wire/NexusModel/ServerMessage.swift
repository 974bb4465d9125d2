public import Foundation

/// A message of the server over a socket.
public enum ServerMessage: Hashable, Sendable {
    /// What changed.
    case frame(FeedFrame)
    /// Nothing changed; the cursor moved on.
    case heartbeat(FeedCursor)
    /// The cursor is of another log: the client starts again with a snapshot.
    case resync
    /// The presence of watched people.
    case presence([ChatPresence])
    /// Somebody types in the conversation that the client shows.
    case typing(ChatTyping)
    /// A part of an answer that the assistant is making for the person, on any device.
    case answerPiece(AnswerPieceMessage)
    /// A message of the client could not be used.
    case error(code: String, detail: String)
    /// A message of a type that a later server sends.
    case unknown(type: String)

    /// Reads a message.
    ///
    /// - Parameter data: JSON.
    /// - Throws: `DecodingError` for a known type with other fields than it must have.
    public init(_ data: Data) throws { self = try JSONDecoder().decode(ServerMessage.self, from: data) }
}

/// The presence of one person.
public struct ChatPresence: Hashable, Sendable, Codable {
    /// The person.
    public var userId: String
    /// `online`, `away` or `offline`.
    public var status: Status
    /// The newest sign of a connected device.
    public var lastBeat: Date?
    /// When a person who is offline was last connected.
    public var lastSeen: Date?

    public init(userId: String, status: Status, lastBeat: Date? = nil, lastSeen: Date? = nil) {
        self.userId = userId
        self.status = status
        self.lastBeat = lastBeat
        self.lastSeen = lastSeen
    }
}

/// Somebody types, or no longer.
public struct ChatTyping: Hashable, Sendable, Codable {
    /// The conversation.
    public var conversationId: String
    /// The person.
    public var userId: String
    /// How long it is shown; 0 for no longer.
    public var milliseconds: Int64

    public init(conversationId: String, userId: String, milliseconds: Int64) {
        self.conversationId = conversationId
        self.userId = userId
        self.milliseconds = milliseconds
    }
}

extension ServerMessage: Decodable {
    private enum Keys: String, CodingKey {
        case type
        case cursor
        case code
        case detail
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        // Frames are the only messages without a type.
        guard let type = try fields.decodeIfPresent(String.self, forKey: .type) else {
            self = .frame(try FeedFrame(from: decoder))
            return
        }
        switch type {
        case "heartbeat": self = .heartbeat(try fields.decode(FeedCursor.self, forKey: .cursor))
        case "resync": self = .resync
        case "presence": self = .presence(try PresenceList(from: decoder).people)
        case "typing": self = .typing(try ChatTyping(from: decoder))
        case "delta": self = .answerPiece(try AnswerPieceMessage(from: decoder))
        case "error":
            self = .error(
                code: try fields.decode(String.self, forKey: .code),
                detail: try fields.decodeIfPresent(String.self, forKey: .detail) ?? "")
        default: self = .unknown(type: type)
        }
    }
}

extension ChatPresence {
    /// Whether a person is there.
    public enum Status: OpenWord {
        /// At a device.
        case online
        /// Connected, but at no device.
        case away
        /// Not connected.
        case offline
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Status] = [.online, .away, .offline]

        /// The word.
        public var rawValue: String {
            switch self {
            case .online: "online"
            case .away: "away"
            case .offline: "offline"
            case .unknown(let word): word
            }
        }
    }
}
