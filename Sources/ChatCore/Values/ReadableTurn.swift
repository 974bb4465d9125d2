/// A turn with what its asker may see of it at a moment.
public struct ReadableTurn: Hashable, Sendable {
    /// The turn as it may be shown: the answer is empty, and sources are missing, where the asker may not see them.
    public let turn: Turn
    /// Whether nothing of it is missing: it was not redacted, and its asker still sees all that it stands on, the turns
    /// before it that entered its prompt with it.
    public let isWhole: Bool

    /// Decides what is shown of a turn.
    ///
    /// - Parameters:
    ///   - turn: The turn as kept.
    ///   - seen: Those of its sources that its asker sees.
    ///   - seesRest: Whether its asker sees all else that it stands on.
    public init(_ turn: Turn, seeing seen: [MessageKey], seesRest: Bool) {
        var shown = turn
        shown.sourceKeys = seen
        let isPermitted = seesRest && seen.count == turn.sourceKeys.count
        if !isPermitted {
            shown.answer = ""
            shown.feedback?.reason = nil
        }
        self.turn = shown
        isWhole = isPermitted && !turn.question.isEmpty
    }
}
