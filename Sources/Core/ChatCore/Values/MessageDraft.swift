/// A message as its writer gives it; what the writer leaves out comes from the store.
public struct MessageDraft: Hashable, Sendable {
    /// A part that a writer may leave out.
    public enum Omission: Hashable, Sendable {
        case id
        case senderName
        case timestamp
    }

    /// The message, with stand-ins for what is left out.
    public let message: Message
    /// What the writer leaves out.
    public let omissions: Set<Omission>
    /// The sender's name if the writer gives none and the sender is known by it elsewhere.
    public let knownName: String?

    public init(_ message: Message, omitting omissions: Set<Omission> = [], knownName: String? = nil) {
        self.message = message
        self.omissions = omissions
        self.knownName = knownName
    }

    /// Returns the whole message: a repeated one is the same, though its writer leaves out what the first one got.
    ///
    /// - Parameters:
    ///   - stored: The message of this id that is stored already, unless it was deleted.
    ///   - memberName: The sender's name in the conversation.
    /// - Returns: The message that is to be stored.
    public func message(stored: Message?, memberName: String?) -> Message {
        let isSameSender = stored?.senderID == message.senderID
        if let stored, omissions.contains(.id), isSameSender { return stored }
        var message = message
        if omissions.contains(.senderName) {
            let storedName = isSameSender ? stored?.senderName : nil
            message.senderName = storedName ?? knownName ?? memberName ?? message.senderID.rawValue
        }
        if omissions.contains(.timestamp), let stored { message.timestamp = stored.timestamp }
        return message
    }
}
