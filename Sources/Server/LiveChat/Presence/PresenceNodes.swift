import ChatCore

/// The knowledge of a ``PresenceBoard`` about other nodes, and its reports to them that are due.
///
/// Times are steady times, except for those of ``Recent``.
struct PresenceNodes: Sendable {
    struct Other {
        /// The number of its last report; nil before the first one.
        var lastNumber: Int64?
        /// The people who are connected to it.
        var people: Set<UserID> = []
        var lastText: Timestamp?
        /// Whether the reports of all ranges began without a gap since.
        var hasBegun = false
        /// Whether all its people are known.
        var isComplete = false
    }

    /// Something that is repeated, because it would not be noticed if its report were lost.
    struct Recent {
        /// Nil if the person was not erased.
        var forgottenAt: Timestamp?
        /// Whether this node repeats it.
        var isOwn: Bool
        var end: Timestamp
    }

    /// How long an erasure or a hidden time of the last contact is repeated.
    private static let repetition = Duration.seconds(600)
    /// The least time between two questions, and between two answers.
    static let questionInterval = Duration.seconds(1)
    /// How long after its last text a node counts as living although it has no heartbeat.
    static let grace = Duration.seconds(5)

    let node: NodeID
    var others: [NodeID: Other] = [:]
    /// When the people of a node are removed without another sign.
    var ends = DueQueue<NodeID>()
    /// The people whose state has changed here.
    var untold: Set<UserID> = []
    var lastNumber: Int64 = 0
    var lastReport: Timestamp?
    /// When the next report of everything is due; nil without other nodes.
    var allDue: Timestamp?
    var lastAll: Timestamp?
    /// Whether the next report of everything includes people who are not connected.
    var tellsAbsent = false
    /// When the others are asked; nil if nothing is missing.
    var questionDue: Timestamp?
    var lastQuestion: Timestamp?
    /// Whether nobody was asked yet.
    var isNew = true
    var recent: [UserID: Recent] = [:]
    /// Reports that were not sent yet.
    var outbox: [PresenceReport] = []

    init(node: NodeID) { self.node = node }

    func nextDue(reportInterval: Duration) -> Timestamp? {
        let report = untold.isEmpty ? nil : lastReport.map { $0 + reportInterval } ?? Timestamp(microseconds: 0)
        return [report, allDue, questionDue, ends.next].compactMap(\.self).min()
    }

    /// Repeats the state of a person for a while.
    mutating func remember(_ user: UserID, isForgotten: Bool, isOwn: Bool = true, at moment: Timestamp) {
        recent = recent.filter { $0.value.end > moment }
        let known = recent[user]?.forgottenAt
        recent[user] = Recent(
            forgottenAt: isForgotten ? moment : known, isOwn: isOwn || recent[user]?.isOwn == true,
            end: moment + Self.repetition)
    }

    /// Notes that no other node has a person.
    mutating func forget(_ user: UserID) {
        for id in others.keys { others[id]?.people.remove(user) }
    }

    /// Asks for what is missing, soon.
    mutating func ask(at now: Timestamp) {
        questionDue = questionDue ?? max(now, lastQuestion.map { $0 + Self.questionInterval } ?? now)
    }

    /// Tells everything, soon.
    mutating func answer(at now: Timestamp) {
        let due = max(now, lastAll.map { $0 + Self.questionInterval } ?? now)
        allDue = min(allDue ?? due, due)
        tellsAbsent = true
    }

    /// Notes a sign of a node, of which everything is asked if it is new.
    mutating func recordSign(
        of id: NodeID, isText: Bool, lifetime: Duration, repairInterval: Duration, at now: Timestamp
    ) {
        if others[id] == nil {
            others[id] = Other()
            ask(at: now)
            allDue = allDue ?? now + repairInterval
        }
        if isText { others[id]?.lastText = now }
        ends.set(id, due: now + lifetime)
    }

    /// Adds entries to the outbox, in reports that each fit into a text.
    ///
    /// - Parameters:
    ///   - entries: The entries; by ascending user if they are all people.
    ///   - areAll: Whether nobody else is connected.
    mutating func report(_ entries: [PresenceReport.Entry], areAll: Bool) {
        var part: [PresenceReport.Entry] = []
        var byteCount = 0
        var after: UserID?
        func end(_ isLast: Bool, _ nodes: inout PresenceNodes) {
            let through = isLast ? nil : part.last?.user
            nodes.lastNumber += 1
            nodes.outbox.append(
                PresenceReport(
                    number: nodes.lastNumber, range: areAll ? .init(after: after, through: through) : nil,
                    entries: part))
            after = through
            (part, byteCount) = ([], 0)
        }
        for entry in entries {
            if byteCount + entry.byteCount > PresenceReport.byteLimit, !part.isEmpty { end(false, &self) }
            part.append(entry)
            byteCount += entry.byteCount
        }
        if areAll || !part.isEmpty { end(true, &self) }
    }
}
