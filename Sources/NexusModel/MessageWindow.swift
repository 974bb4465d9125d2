/// Messages around one message, and whether there are more.
public struct MessageWindow: Hashable, Sendable, Codable {
    /// The messages, newest first.
    public var messages: [ChatMessage]
    /// Whether the conversation has messages before these.
    public var hasOlder: Bool
    /// Whether it has messages after these.
    public var hasNewer: Bool

    public init(messages: [ChatMessage], hasOlder: Bool, hasNewer: Bool) {
        self.messages = messages
        self.hasOlder = hasOlder
        self.hasNewer = hasNewer
    }
}
