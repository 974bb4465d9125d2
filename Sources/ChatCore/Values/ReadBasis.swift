/// What somebody read at a time, so that it can be decided later whether it is still the same.
public struct ReadBasis: Hashable, Sendable {
    /// A conversation that was read as a whole.
    public struct Extent: Hashable, Sendable {
        /// Which one.
        public let conversationID: ConversationID
        /// The newest message that can have been read, by its number in the store.
        public let through: MessageNumber
        /// How many messages there were, deleted ones left out.
        public let messageCount: Int

        public init(conversationID: ConversationID, through: MessageNumber, messageCount: Int) {
            self.conversationID = conversationID
            self.through = through
            self.messageCount = messageCount
        }
    }

    /// Who read.
    public let asker: UserID
    /// Single messages that were read.
    public let keys: Set<MessageKey>
    /// The conversation that was read as a whole; nil for none.
    public let extent: Extent?
    /// The end of the change log before the reading began.
    public let since: ChangeCursor

    public init(asker: UserID, keys: Set<MessageKey>, extent: Extent?, since: ChangeCursor) {
        self.asker = asker
        self.keys = keys
        self.extent = extent
        self.since = since
    }
}
