import ChatCore

/// Collects who could read a Matrix room at which time, from the events of the room.
///
/// The rules are those of the specification of the client-server API, version 1.13, section "Room History Visibility":
/// https://spec.matrix.org/v1.13/client-server-api/#room-history-visibility. A room without a rule has `shared`. An
/// export that does not contain the room's beginning may lack the rule; then the strictest one counts, `joined`.
struct ElementRights {
    /// Who may read what is written under a rule.
    private enum Rule: String {
        /// Everybody who may see the room, members of later times too.
        case world = "world_readable"
        case shared
        /// Who was invited or a member.
        case invited
        /// Who was a member.
        case joined

        /// A rule that is not known counts as the strictest.
        init(named name: String?) { self = name.flatMap(Rule.init) ?? .joined }
    }

    private struct RuleChange {
        var at: Timestamp
        var rule: Rule
        var before: Rule?
    }

    private struct MembershipChange {
        var at: Timestamp
        var state: String
        var before: String?
    }

    private var hasBeginning = false
    /// The time of the first event.
    private var start: Timestamp?
    private var last: Timestamp?
    private var rules: [RuleChange] = []
    private var memberships: [String: [MembershipChange]] = [:]

    /// Processes an event.
    ///
    /// - Throws: ``ImportLineError`` for a rule or membership without a time.
    mutating func apply(_ fields: JSONFields) throws(ImportLineError) {
        if let moment = try? ElementEvent.moment(of: fields) {
            (start, last) = (min(start ?? moment, moment), max(last ?? moment, moment))
        }
        let content = fields.object("content")
        let before = (fields.object("unsigned") ?? fields).object("prev_content")
        switch fields.text("type") {
        // Anybody may send an event of the type of a state: only the key makes it one.
        case "m.room.create" where fields["state_key"] == .string(""): hasBeginning = true
        case "m.room.history_visibility" where fields["state_key"] == .string(""):
            let change = RuleChange(
                at: try ElementEvent.moment(of: fields), rule: Rule(named: content?.text("history_visibility")),
                before: before.map { Rule(named: $0.text("history_visibility")) })
            rules.append(change)
        case "m.room.member":
            guard let person = fields.id("state_key"), let state = content?.text("membership") else { return }
            let change = MembershipChange(
                at: try ElementEvent.moment(of: fields), state: state, before: before?.text("membership"))
            memberships[person, default: []].append(change)
        default: break
        }
    }

    /// The end of what the events tell: just after the last one.
    var end: Timestamp? { last.map { $0 + .microseconds(1) } }

    /// The reading rights of the room; nil if every member may read all of it.
    ///
    /// An export without the room's beginning changes nothing that is known of the time before it.
    ///
    /// - Parameters:
    ///   - writers: Those who wrote. Without a membership in the events they were members before an export that lacks the
    ///     room's beginning.
    ///   - naming: Names users.
    ///   - isContinuing: Whether the room continues a conversation that is stored.
    /// - Returns: The rights, and since when they are known.
    private func rights(of writers: [UserID], naming: HistoryNaming, isContinuing: Bool) -> ReadingRights? {
        let spans = ruleSpans
        let knowsAll = hasBeginning && !isContinuing
        guard !knowsAll || spans.contains(where: { !$0.isShared }) else { return nil }
        let isRuleKnown = hasBeginning || !rules.isEmpty
        var rights = ReadingRights(
            since: knowsAll ? nil : start, until: end, shared: isRuleKnown ? spans.filter(\.isShared).map(\.span) : nil)
        let limited = spans.filter { !$0.isShared }
        if !hasBeginning { for writer in writers { rights.own[writer] = limited.map(\.span) } }
        for user in memberships.keys.map(naming.user) { rights.own[user] = [] }
        for person in memberships.keys {
            let present = periods(of: person, countingInvitations: false)
            let invited = periods(of: person, countingInvitations: true)
            let own = limited.flatMap { limit in
                (limit.rule == .invited ? invited : present).compactMap { limit.span.intersection($0) }
            }
            rights.own[naming.user(person), default: []] += own
        }
        return rights
    }

    /// One of several rooms that are one conversation, with the time of its end.
    struct Part {
        let rights: ElementRights
        let until: Timestamp?
        /// The people who alone may read what its rule lets every member read; nil for everybody in the conversation.
        let readers: Set<String>?

        init(_ rights: ElementRights, until: Timestamp? = nil, readers: Set<String>? = nil) {
            self.rights = rights
            self.until = until
            self.readers = readers
        }
    }

    /// Returns the rights in rooms that follow each other: each counts from the end of the one before to its own end.
    ///
    /// - Parameters:
    ///   - writers: Those who wrote in one of them.
    ///   - parts: The rooms.
    ///   - naming: Names users.
    ///   - isContinuing: Whether they continue a conversation that is stored, of which they do not know the beginning.
    /// - Returns: The rights; nil if every member may read everything.
    static func rights(
        of writers: [UserID], in parts: [Part], naming: HistoryNaming, isContinuing: Bool
    ) -> ReadingRights? {
        let found = parts.map { part in
            let readers = part.readers.map { Set($0.map(naming.user)) }
            // Who wrote in a later room was no member of this one for that.
            let present = writers.filter { readers?.contains($0) ?? true }
            return part.rights.rights(of: present, naming: naming, isContinuing: isContinuing)
        }
        guard found.contains(where: { $0 != nil }) || parts.contains(where: { $0.readers != nil }) else { return nil }
        guard parts.count > 1 else { return found.first ?? nil }
        // What the first room does not know stays, as for a single room.
        var joined = ReadingRights(since: found.first.flatMap { $0 }?.since, until: parts.last?.rights.end)
        var start = Timestamp.distantPast
        for (part, rights) in zip(parts, found) {
            let time = ReadingSpan(since: start, until: part.until)
            let rights = rights ?? ReadingRights(shared: [ReadingSpan()])
            let shared = (rights.shared ?? []).compactMap { $0.intersection(time) }
            if let readers = part.readers {
                for user in readers.map(naming.user) { joined.own[user, default: []] += shared }
            } else {
                joined.shared? += shared
            }
            for (user, spans) in rights.own {
                joined.own[user, default: []] += spans.compactMap { $0.intersection(time) }
            }
            start = part.until ?? start
        }
        return joined
    }

    private struct RuleSpan {
        var span: ReadingSpan
        var rule: Rule

        var isShared: Bool { rule == .shared || rule == .world }
    }

    /// The rules of all times, in order.
    private var ruleSpans: [RuleSpan] {
        let changes = rules.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
        let first = changes.first?.before ?? (hasBeginning ? .shared : .joined)
        var spans = [RuleSpan(span: ReadingSpan(), rule: first)]
        for change in changes {
            spans[spans.count - 1].span.until = change.at
            spans.append(RuleSpan(span: ReadingSpan(since: change.at), rule: change.rule))
        }
        return spans
    }

    /// The times in which somebody was a member, or invited too.
    private func periods(of person: String, countingInvitations: Bool) -> [ReadingSpan] {
        let changes = (memberships[person] ?? []).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
        let present: Set<String> = countingInvitations ? ["join", "invite"] : ["join"]
        var spans: [ReadingSpan] = []
        // Who leaves or is renamed first was there before the export began.
        let isLeaving = changes.first?.state == "leave" && !hasBeginning
        if let before = changes.first?.before ?? (isLeaving ? "join" : nil), present.contains(before) {
            spans.append(ReadingSpan())
        }
        for change in changes {
            let isOpen = spans.last.map { $0.until == nil } ?? false
            if present.contains(change.state) {
                if !isOpen { spans.append(ReadingSpan(since: change.at)) }
            } else if isOpen {
                spans[spans.count - 1].until = change.at
            }
        }
        return spans
    }
}
