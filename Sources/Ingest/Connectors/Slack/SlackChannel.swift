import ChatCore
import Histories

/// How far a channel was read, as the store keeps it.
struct SlackProgress: ConnectorProgress {
    /// A place in a channel that is read from its end to its beginning.
    struct Place: Codable, Equatable, Sendable {
        /// The message before which reading continues; nil to begin at the end.
        var before: String?
        /// The page that comes next, if the last one did not move ``before``; in a thread the page of its replies.
        var cursor: String?
        /// The beginnings of threads whose replies are read first.
        var threads: [String] = []
        /// The last reply of the first of these threads that was read.
        var reply: String?
        /// Whether reading ends after these threads.
        var isLast = false
    }

    /// A reading of a channel from its end to its beginning.
    enum Reading: Int, CaseIterable, Sendable {
        /// A comparison of stored messages with Slack.
        case check
        /// The first one.
        case history
    }

    /// Where reading of the history is; nil if its beginning was reached.
    var history: Place? = Place()
    /// Where the comparison of stored messages with Slack is; nil if there is none.
    var check: Place?
    /// When the last comparison began, or the history was complete, in microseconds.
    var checkedAt: Int64?
    /// Whether Nexus is no longer in the channel.
    var hasLeft = false

    var isComplete: Bool { history == nil }

    /// Where a reading is; nil if there is none.
    subscript(reading: Reading) -> Place? {
        get { reading == .check ? check : history }
        set { if reading == .check { check = newValue } else { history = newValue } }
    }
}

/// A channel or a direct conversation.
struct SlackChannel: Sendable {
    let id: String
    /// The name; nil for direct conversations.
    let name: String?
    let isDirect: Bool
    /// Whether it is between Nexus and one person.
    let isToNexus: Bool
    let createdAt: Timestamp

    init?(_ fields: JSONFields) {
        guard let id = fields.text("id") else { return nil }
        self.id = id
        isToNexus = fields.isTrue("is_im")
        isDirect = isToNexus || fields.isTrue("is_mpim")
        name = isDirect ? nil : TextLimit.name.cut(fields.text("name") ?? id)
        let created = fields.integer("created").flatMap { $0.within(0...99_999_999_999) } ?? 0
        // bounded: eleven digits
        createdAt = Timestamp(microseconds: created * 1_000_000)
    }
}

/// Who Nexus is in the workspace.
struct SlackIdentity: Sendable {
    let userID: String
    let botID: String?
    let team: String
    /// The address of the workspace, for links.
    let site: String?
}
