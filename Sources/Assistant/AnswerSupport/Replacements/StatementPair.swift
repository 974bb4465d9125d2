/// Two statements, and how surely the later one replaces what the earlier one says.
struct StatementPair {
    let older: Statement
    let newer: Statement
    /// Whether the later message answers the earlier one.
    let isReply: Bool
    /// Whether it is one of the next after it.
    let follows: Bool
    let hasSameConversation: Bool
    /// Whether the later one proposes something that was accepted.
    let isAccepted: Bool

    /// Decisions have no values to compare, so their words have to be more alike.
    private static let decisionThreshold = 0.75
    /// The weight of a subject from which "then" is enough.
    private static let conclusionWeight = 1.4
    /// An answer such as "*47" names no subject.
    private static let correctionCertainty = 0.7
    /// "Not Paylark" says all of "then Paylark".
    private static let choiceCertainty = 0.8

    func likeness(isCorroborated: Bool, _ rarity: (String) -> Double) -> SubjectLikeness {
        SubjectLikeness(
            older, newer, hasSameConversation: hasSameConversation, isCorroborated: isCorroborated, rarity: rarity)
    }

    /// Returns how surely a change replaces what the earlier statement says; 0 if not.
    func certainty(of change: ValueChange, _ likeness: SubjectLikeness) -> Double {
        if change.needsReply { return isReply ? Self.correctionCertainty : 0 }
        if change.kind == .decision, takesBackChoice { return Self.choiceCertainty }
        let isPronoun = likeness.isPronoun && likeness.contextWeight == 0
        guard likeness.weight > 0 || isPronoun && (isReply || follows), mayReplace(change, likeness),
            change.kind != .decision || mayEnd(change, likeness, isPronoun: isPronoun)
        else { return 0 }
        var certainty = newer.cue == .strong || isAccepted ? 0.35 : newer.cue == .weak ? 0.17 : 0
        certainty += isPronoun ? 0.1 : 0.45 * likeness.share
        if change.namesFormer { certainty += 0.3 }
        if isReply { certainty += 0.25 } else if isPronoun { certainty += 0.15 }
        if !change.isClear { certainty -= 0.1 }
        if likeness.weight >= 1.8 { certainty += 0.15 }
        if !hasSameConversation { certainty -= 0.15 }
        return change.kind == .decision && certainty < Self.decisionThreshold ? 0 : min(certainty, 1)
    }

    private func mayReplace(_ change: ValueChange, _ likeness: SubjectLikeness) -> Bool {
        if change.kind != .place, !newer.movesPlace, havePlaces { return false }
        if [.place, .person].contains(change.kind), likeness.weight == 0, !isReply { return false }
        if change.namesFormer { return true }
        // What was only proposed is not taken back by "now" alone.
        if older.isOpen, newer.cue < .strong { return false }
        // An accepted proposal says itself what it is about.
        if newer.cue < .strong, likeness.weight - likeness.contextWeight < 0.5 { return false }
        if newer.isConclusion, likeness.weight < Self.conclusionWeight { return false }
        return newer.cue == .strong || isAccepted || change.isClear
    }

    /// Whether a decision may be replaced: it needs more of the same words, because there is no value to compare.
    private func mayEnd(_ change: ValueChange, _ likeness: SubjectLikeness, isPronoun: Bool) -> Bool {
        if older.isRequest, !older.isDecision { return false }
        if isPronoun, !isReply, !older.isDecision { return false }
        // "Not" is compared in one language.
        if older.reading.language != newer.reading.language, !older.isDecision, !change.namesFormer { return false }
        let isWhole = likeness.wholeShare >= (isReply ? 0.3 : haveSameDay ? 0.5 : 0.6)
        let isEnd = newer.isEnding && (older.isDecision || older.isChoice) && likeness.share >= 0.9
        let isNamed = change.namesFormer && likeness.weight >= 0.9
        return isWhole || isEnd || isNamed || likeness.weight >= 1.8 && older.isDecision
    }

    /// Whether all that was chosen is said to be no longer so.
    private var takesBackChoice: Bool {
        guard older.isChoice, newer.cue == .strong, hasSameConversation else { return false }
        let former = newer.words(newer.former.sorted())
        return older.words(older.subject).allSatisfy { word in former.contains { WordLikeness.of(word, $0) >= 0.75 } }
    }

    private var haveSameDay: Bool {
        let comparison = ValueComparison(older: older, newer: newer)
        return older.days.contains { day in newer.days.contains { comparison.isSameDay(day, $0) } }
    }

    /// Whether both name places, and not the same: the offices of two towns.
    private var havePlaces: Bool {
        guard !older.placeNames.isEmpty, !newer.placeNames.isEmpty else { return false }
        return ValueComparison(older: older, newer: newer).place != nil
    }
}
