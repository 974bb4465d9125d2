/// A turn with what its asker may see of it at a moment.
public struct ReadableTurn: Hashable, Sendable {
    /// Why an answer is not shown.
    public enum Withholding: String, Hashable, Sendable, Codable, CaseIterable {
        /// A message that the turn is based on was deleted.
        case sourceDeleted = "source_deleted"
        /// The text of a message that the turn is based on was changed since.
        case sourceEdited = "source_edited"
        /// The asker may not see a message that the turn is based on any more.
        case notPermitted = "not_permitted"
    }

    /// The turn as it may be shown: the answer is empty, and sources are missing, where the asker may not see them.
    ///
    /// The question is empty too when it was asked in a conversation that the asker may not see any more.
    public let turn: Turn
    /// Whether nothing of it is missing: it was not redacted, and its asker still sees all that it stands on, the turns
    /// before it that entered its prompt with it.
    public var isWhole: Bool { withholding == nil }
    /// Why the answer is not shown; nil when nothing is missing.
    public let withholding: Withholding?

    /// Decides what is shown of a turn.
    ///
    /// - Parameters:
    ///   - turn: The turn as kept.
    ///   - seen: Those of its sources that its asker sees.
    ///   - seesRest: Whether its asker sees all else that it is based on.
    ///   - seesQuestion: Whether its asker sees the conversation in which it was asked.
    public init(_ turn: Turn, seeing seen: [MessageKey], seesRest: Bool, seesQuestion: Bool = true) {
        var shown = turn
        shown.sourceKeys = seen
        let isPermitted = seesRest && seen.count == turn.sourceKeys.count
        if !isPermitted {
            shown.answer = ""
            shown.feedback?.reason = nil
        }
        if !isPermitted, !seesQuestion { shown.question = "" }
        self.turn = shown
        withholding =
            switch turn.redaction {
            case .sourceDeleted: .sourceDeleted
            case .sourceEdited: .sourceEdited
            case nil: isPermitted ? nil : .notPermitted
            }
    }
}
