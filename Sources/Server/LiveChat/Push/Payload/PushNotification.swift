package import ChatCore
import Crypto
import Foundation

/// A notification for one device: a message, and the number of unread ones.
///
/// Its description has ids only.
package struct PushNotification: Hashable, Sendable {
    /// The conversation of the message.
    package let conversationID: ConversationID
    /// The message.
    package let messageID: MessageID
    /// The position of the message in its conversation; nil for a message of a history.
    package let seq: Int64?
    /// The author of the message.
    package let senderID: UserID
    /// The author's name as readers see it.
    package let senderName: String
    /// The text of the message.
    package let text: String
    /// The unread messages of the device's person, in all conversations.
    package let unread: Int

    package init(
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
    package func collapseKey(on device: PushDevice.ID) -> String {
        Self.digest([device.rawValue, conversationID.rawValue])
    }

    /// Returns 32 base64url characters that are the same each time this message is sent to a device.
    package func idempotencyKey(on device: PushDevice.ID) -> String {
        Self.digest([device.rawValue, conversationID.rawValue, messageID.rawValue])
    }

    private static func digest(_ parts: [String]) -> String {
        let bytes = Data(parts.joined(separator: "\0").utf8)
        return Data(SHA256.hash(data: bytes).prefix(24)).base64URL
    }
}

extension PushNotification: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(conversationID)/\(messageID)" }
    /// The ids of the conversation and of the message.
    package var debugDescription: String { description }
    /// Empty, so that `dump` shows no text.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// How much of a message is handed to the push services.
package enum PushDetail: String, CaseIterable, Sendable {
    /// Ids and counts; the app loads the text.
    case ids
    /// The sender's name and the text too. Services other than Web Push can read them.
    case text
}
