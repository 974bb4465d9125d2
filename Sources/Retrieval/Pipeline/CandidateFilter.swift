import ChatCore

/// Which messages may become candidates: what the asker wants, without what was found too much of.
struct CandidateFilter: Sendable {
    /// What the asker wants.
    let wanted: SearchFilter
    /// Authors who are left out, as rows tell them apart.
    var excluded: Set<Int64> = []

    /// Whether every message passes.
    var isEmpty: Bool { wanted.isEmpty && excluded.isEmpty }

    /// Lets through the numbers of senders and the times in microseconds of all messages that pass, and hardly any others.
    var numberPredicate: @Sendable (_ sender: Int64, _ time: Int64) -> Bool {
        let senders = wanted.senderIDs.map { Set($0.map(\.rowNumber)) }
        let excluded = excluded
        let (first, end) = (wanted.from?.microseconds, wanted.to?.microseconds)
        return { sender, time in
            if let senders, !senders.contains(sender) { return false }
            if let first, time < first { return false }
            if let end, time >= end { return false }
            return excluded.isEmpty || !excluded.contains(sender)
        }
    }
}
