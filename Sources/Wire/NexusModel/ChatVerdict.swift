public import Foundation

/// What a person said about a message: a later one replaced it, or it still holds.
public struct ChatVerdict: Hashable, Sendable, Codable {
    /// `replaced`, or `holds` after the message ``newer`` and all before that; a later server may send other words.
    public var verdict: String
    /// The later message.
    public var newer: MessagePlace
    /// The offset of the statement in the earlier message's text, in UTF-16 code units; nil for the whole message.
    public var start: Int?
    /// The offset after the statement.
    public var end: Int?
    /// Who said it.
    public var userId: String
    /// The person's name.
    public var userName: String
    /// When it was said.
    public var saidAt: Date?

    public init(
        verdict: String, newer: MessagePlace, userId: String, userName: String, saidAt: Date? = nil
    ) {
        self.verdict = verdict
        self.newer = newer
        self.userId = userId
        self.userName = userName
        self.saidAt = saidAt
    }

    /// Whether the later message replaced the earlier one.
    public var isReplaced: Bool { verdict == "replaced" }
}
