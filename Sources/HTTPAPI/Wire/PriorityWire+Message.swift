public import Assistant
import ChatCore

extension PriorityWire {
    /// Writes down a judged message.
    public init(_ priority: MessagePriority) {
        let message = priority.message
        self.init(
            messageId: message.key.messageID, senderId: message.senderID, senderName: message.senderName,
            timestamp: WireTime(message.timestamp), text: message.searchableText, score: priority.score,
            reason: priority.reason)
    }
}
