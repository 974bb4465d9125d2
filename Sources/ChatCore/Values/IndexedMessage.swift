/// What the lexical index knows of a message.
public struct IndexedMessage: Sendable, Hashable {
    /// What can be found of a message.
    public struct Content: Sendable, Hashable {
        /// Who wrote it.
        public var senderID: UserID
        /// The writer's name when it was written.
        public var senderName: String
        /// See ``Message/searchableText``.
        public var text: String
        /// When it was written.
        public var timestamp: Timestamp
        /// The IANA name of its conversation's zone, when known: decides which day it was written on.
        public var timeZone: String?
        /// The first message of its thread; nil outside of threads.
        public var threadRootID: MessageID?

        public init(
            senderID: UserID, senderName: String, text: String, timestamp: Timestamp, timeZone: String? = nil,
            threadRootID: MessageID? = nil
        ) {
            self.senderID = senderID
            self.senderName = senderName
            self.text = text
            self.timestamp = timestamp
            self.timeZone = timeZone
            self.threadRootID = threadRootID
        }
    }

    /// Its number, the row's key.
    public let number: MessageNumber
    /// The number of its conversation, the row's group.
    public let conversation: ConversationNumber
    /// What can be found of it; nil when there is nothing: it was deleted, has no text, or is the application's own.
    public let content: Content?

    public init(number: MessageNumber, conversation: ConversationNumber, content: Content?) {
        self.number = number
        self.conversation = conversation
        self.content = content
    }
}
