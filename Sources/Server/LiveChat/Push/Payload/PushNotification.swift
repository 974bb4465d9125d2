public import ChatCore
import Crypto
import Foundation

/// A notification for one device: a message, and the number of unread ones.
///
/// Its description has ids only.
public struct PushNotification: Hashable, Sendable {
    /// The conversation of the message.
    public let conversationID: ConversationID
    /// The message.
    public let messageID: MessageID
    /// The position of the message in its conversation; nil for a message of a history.
    public let seq: Int64?
    /// The author of the message.
    public let senderID: UserID
    /// The author's name as readers see it.
    public let senderName: String
    /// The text of the message.
    public let text: String
    /// The unread messages of the device's person, in all conversations.
    public let unread: Int

    public init(
        conversationID: ConversationID, messageID: MessageID, seq: Int64?, senderID: UserID, senderName: String,
        text: String, unread: Int
    ) {
        self.conversationID = conversationID
        self.messageID = messageID
        self.seq = seq
        self.senderID = senderID
        self.senderName = senderName
        self.text = text
        self.unread = unread
    }

    /// Returns 32 base64url characters that are the same for all notifications of a conversation on a device, so that
    /// a service keeps the latest of them only.
    ///
    /// The device is part of it because services see it in clear: two devices must not be found to share a
    /// conversation.
    public func collapseKey(on device: PushDevice.ID) -> String {
        Self.digest([device.rawValue, conversationID.rawValue])
    }

    /// Returns 32 base64url characters that are the same each time this message is sent to a device.
    public func idempotencyKey(on device: PushDevice.ID) -> String {
        Self.digest([device.rawValue, conversationID.rawValue, messageID.rawValue])
    }

    private static func digest(_ parts: [String]) -> String {
        let bytes = Data(parts.joined(separator: "\0").utf8)
        return Data(SHA256.hash(data: bytes).prefix(24)).base64URL
    }
}

extension PushNotification: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "\(conversationID)/\(messageID)" }
    /// The ids of the conversation and of the message.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows no text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// How much of a message is handed to the push services.
public enum PushDetail: String, CaseIterable, Sendable {
    /// Ids and counts; the app loads the text.
    case ids
    /// The sender's name and the text too. Services other than Web Push can read them.
    case text
}
