/// The part of a turn that its asker may see at a moment.
public struct ReadableTurn: Hashable, Sendable {
    /// Why an answer is not shown.
    public enum Withholding: String, Hashable, Sendable, Codable, CaseIterable {
        /// A message that the turn is based on was deleted.
        case sourceDeleted = "source_deleted"
        /// The text of a message that the turn is based on was changed.
        case sourceEdited = "source_edited"
        /// The asker may no longer see a message that the turn is based on.
        case notPermitted = "not_permitted"
    }

    /// A source in its present state.
    public struct Source: Hashable, Sendable {
        /// The message as it is stored now.
        public var message: Message
        /// The asker's name for its conversation.
        public var conversationName: String
        /// The number in the answer's citations; nil when it is not cited.
        public var number: Int?
        /// Its place among the hits, from 1; nil if it was not stored.
        public var rank: Int?
        /// For display, 0...1; nil if it was not stored.
        public var relevance: Double?
        /// The UTF-8 bytes of the message's searchable text that were found; nil for none, or if it may have changed.
        public var place: Range<Int>?

        public init(
            message: Message, conversationName: String, number: Int?, rank: Int?, relevance: Double?,
            place: Range<Int>? = nil
        ) {
            self.message = message
            self.conversationName = conversationName
            self.number = number
            self.rank = rank
            self.relevance = relevance
            self.place = place
        }
    }

    /// A later message that replaces what the answer says.
    public struct Outdated: Hashable, Sendable {
        /// The message as it is stored now.
        public var message: Message
        /// The asker's name for its conversation.
        public var conversationName: String
        /// When this was noticed.
        public var notedAt: Timestamp

        public init(message: Message, conversationName: String, notedAt: Timestamp) {
            self.message = message
            self.conversationName = conversationName
            self.notedAt = notedAt
        }
    }

    /// The turn in the form that may be shown: the answer is empty, and sources are missing, if the asker may not see
    /// them.
    ///
    /// The question is empty too if it was asked in a conversation that the asker may no longer see.
    public let turn: Turn
    /// Whether nothing is missing: the turn was not redacted, and its asker still sees everything that it is based on,
    /// including the earlier turns in its prompt.
    public var isWhole: Bool { withholding == nil }
    /// Why the answer is not shown; nil when nothing is missing.
    public let withholding: Withholding?
    /// The sources of ``Turn/shownSources`` that the asker may see.
    public let sources: [Source]
    /// The newest message that makes the answer wrong and that the asker may see; nil if there is none.
    ///
    /// For an answer that was removed after an edit it is the edited message.
    public let outdated: Outdated?

    /// - Parameters:
    ///   - turn: The stored turn.
    ///   - seen: The sources that its asker sees.
    ///   - seesRest: Whether its asker sees everything else that it is based on.
    ///   - seesQuestion: Whether its asker sees the conversation in which it was asked.
    ///   - sources: The sources of its ``Turn/shownSources`` that the asker sees.
    ///   - outdated: The message that makes it wrong; it is left out if the answer is missing for another reason.
    public init(
        _ turn: Turn, seeing seen: [MessageKey], seesRest: Bool, seesQuestion: Bool = true, sources: [Source] = [],
        outdated: Outdated? = nil
    ) {
        var shown = turn
        shown.sourceKeys = seen
        let isPermitted = seesRest && seen.count == turn.sourceKeys.count
        if !isPermitted {
            shown.answer = ""
            shown.feedback?.reason = nil
            shown.reply?.citations = []
            shown.reply?.sentences = nil
        }
        if !isPermitted, !seesQuestion { shown.question = "" }
        shown.reply?.sources.removeAll { source in !sources.contains { $0.message.key == source.key } }
        self.turn = shown
        self.sources = sources
        withholding =
            switch turn.redaction {
            case .sourceDeleted: .sourceDeleted
            case .sourceEdited: .sourceEdited
            case nil: isPermitted ? nil : .notPermitted
            }
        self.outdated = withholding == nil || withholding == .sourceEdited ? outdated : nil
    }
}

extension Turn {
    /// The messages that are listed with the answer, with their stored details.
    ///
    /// For a turn without ``reply`` these are all messages in the prompt: its answer cites them by their places there.
    public var shownSources: [(key: MessageKey, number: Int?, rank: Int?, relevance: Double?, place: Range<Int>?)] {
        if let reply {
            return reply.sources.map { ($0.key, $0.number, $0.rank, $0.relevance, redaction == nil ? $0.place : nil) }
        }
        return sourceKeys.enumerated().map { ($1, $0 + 1, nil, nil, nil) }
    }
}
