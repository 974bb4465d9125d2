/// What a client kept from before.
extension ChatState {
    /// A state that was stored.
    ///
    /// - Parameters:
    ///   - userID: The person.
    ///   - cursor: The position of the state.
    ///   - conversations: The conversations, each id once.
    ///   - settings: The person's own settings.
    ///   - notifications: The newest notifications, newest first.
    public init(
        userID: String?, cursor: FeedCursor?, conversations: [ConversationState], settings: ChatSettings? = nil,
        notifications: [ChatNotification] = []
    ) {
        self.init(userID: userID)
        restore(cursor: cursor, conversations: conversations, settings: settings, notifications: notifications)
    }

    /// Adds stored messages to a conversation; what is known is newer and stays.
    ///
    /// - Parameters:
    ///   - stored: Messages directly before the known ones, or the newest ones.
    ///   - hasEarlier: Whether there may be messages before them.
    ///   - id: The conversation.
    public mutating func restore(_ stored: [ChatMessage], hasEarlier: Bool, in id: String) {
        guard var conversation = conversations[id] else { return }
        if !conversation.isLoaded, hasEarlier { conversation.dropMessages(before: stored) }
        let known = Set(conversation.messages.map(\.id))
        conversation.take(stored.filter { !known.contains($0.id) })
        conversation.isLoaded = true
        conversation.hasEarlier = hasEarlier
        replace(conversation)
    }
}

extension ConversationState {
    /// A conversation that was stored.
    ///
    /// - Parameters:
    ///   - entry: Its entry in the list, as the server sent it.
    ///   - members: The present members.
    ///   - receipts: The receipts of the members.
    ///   - head: The position of the last live message.
    ///   - readSeq: The position of the last message that the person read.
    ///   - messages: Its newest messages.
    ///   - mentioning: Those that mention the person.
    ///   - deletedSeqs: The positions of deleted messages after `readSeq`.
    public init(
        entry: ChatConversation, members: [ChatMember], receipts: [ChatReceipt], head: Int64, readSeq: Int64,
        messages: [ChatMessage], mentioning: Set<String>, deletedSeqs: [Int64] = []
    ) {
        self.init(entry)
        self.members = members
        self.receipts = Dictionary(receipts.map { ($0.userId, $0) }) { first, _ in first }
        take(messages)
        self.head = max(self.head, head)
        self.readSeq = readSeq
        self.mentioning = mentioning
        for seq in deletedSeqs { self.deletedSeqs[seq] = true }
    }
}
