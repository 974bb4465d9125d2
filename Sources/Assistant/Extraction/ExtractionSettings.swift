/// How much an extraction reads, and how.
public struct ExtractionSettings: Hashable, Sendable {
    /// The most tokens of a reply; never more than a third of what the model takes.
    public var answerTokenCount: Int
    /// The most new messages that the model is shown at a time: with more it overlooks some.
    public var messageCount: Int
    /// How many messages before them it is shown.
    public var contextCount: Int
    /// How many known items it is shown, with their messages.
    public var knownCount: Int
    /// The most requests to the model of one extraction; the next one goes on where this one ended.
    public var callLimit: Int
    /// The most unread messages that are judged.
    public var unreadCount: Int
    /// How long nothing may come of an extraction until another one may begin.
    public var lease: Duration

    public init(
        answerTokenCount: Int = 2_048, messageCount: Int = 60, contextCount: Int = 12, knownCount: Int = 20,
        callLimit: Int = 24, unreadCount: Int = 100, lease: Duration = .seconds(600)
    ) {
        self.answerTokenCount = answerTokenCount
        self.messageCount = messageCount
        self.contextCount = contextCount
        self.knownCount = knownCount
        self.callLimit = callLimit
        self.unreadCount = unreadCount
        self.lease = lease
    }
}
