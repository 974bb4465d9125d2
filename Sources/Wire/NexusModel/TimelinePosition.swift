/// A place in the order of a conversation: history by its own time, then live messages by `seq`.
public struct TimelinePosition: Hashable, Sendable, Codable {
    /// The position of a live message; 0 for imported history.
    public let seq: Int64
    /// The time of imported history; empty for a live message.
    public let time: String
    /// The message.
    public let id: String

    /// The place of a message.
    public init(_ message: ChatMessage) {
        seq = message.seq ?? 0
        time = message.seq == nil ? TimeText.text(message.timestamp) : ""
        id = message.id
    }

    /// The place from its parts.
    public init(seq: Int64, time: String, id: String) {
        self.seq = seq
        self.time = time
        self.id = id
    }

    /// The place directly after the live message of this position.
    public init(after head: Int64) { self.init(seq: head == .max ? head : head + 1, time: "", id: "") }
}

extension TimelinePosition: Comparable {
    /// Whether the left place is before the right one: history is before live messages.
    public static func < (left: Self, right: Self) -> Bool {
        (left.seq, left.time, left.id) < (right.seq, right.time, right.id)
    }
}
