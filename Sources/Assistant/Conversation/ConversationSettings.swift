/// How the assistant inside a conversation reads what is too long for a prompt.
public struct ConversationSettings: Hashable, Sendable {
    /// How much of the language model's context is used, in tokens of a prompt with its answer; nil for all of it.
    public var contextTokenCount: Int?
    /// The most messages that are read, the newest ones.
    public var messageLimit: Int
    /// How long a part is of which one summary is written, in tokens as estimated: with more the model overlooks some.
    public var partTokenCount: Int
    /// The most parts that are summarized for one request; the next one goes on.
    public var partLimit: Int
    /// How many summaries are made into one.
    public var fanIn: Int
    /// The most tokens of a summary.
    public var noteTokenCount: Int
    /// The most statements in a summary.
    public var noteCount: Int
    /// How many parts are summarized at a time.
    public var concurrency: Int

    public init(
        contextTokenCount: Int? = nil, messageLimit: Int = 100_000, partTokenCount: Int = 12_000, partLimit: Int = 128,
        fanIn: Int = 8,
        noteTokenCount: Int = 600, noteCount: Int = 12, concurrency: Int = 4
    ) {
        self.contextTokenCount = contextTokenCount
        self.messageLimit = messageLimit
        self.partTokenCount = partTokenCount
        self.partLimit = partLimit
        self.fanIn = fanIn
        self.noteTokenCount = noteTokenCount
        self.noteCount = noteCount
        self.concurrency = concurrency
    }
}
