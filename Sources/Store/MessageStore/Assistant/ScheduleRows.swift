import ChatCore

/// The rows of `schedules`.
enum ScheduleRows {
    private static let columns = """
        id, owner_id, question, conversation_id, parts, days, minute, time_zone, language, pause, next_at, last_at,
            last_outcome, created_at
        """

    /// Values: owner.
    static let ofOwner = "SELECT \(columns) FROM schedules WHERE owner_id = ? ORDER BY created_at, id"

    /// Values: the present time.
    static let due = """
        SELECT \(columns), attempts, fence, last_basis FROM schedules WHERE due_at <= ? ORDER BY due_at, id LIMIT 1
        """

    static let nextDue = "SELECT MIN(due_at) FROM schedules WHERE due_at IS NOT NULL"

    /// Values: id, fence.
    private static let claimed = "SELECT \(columns) FROM schedules WHERE id = ? AND fence = ?"

    static func schedule(_ row: SQLRow) throws -> Schedule {
        let bits: Int = row[5]
        let days = ScheduleTimes.Day.allCases.filter { bits & 1 << $0.rawValue != 0 }
        guard let times = ScheduleTimes(days: Set(days), minute: row[6], timeZone: row[7]) else {
            throw RepositoryError.unavailable(reason: "the times of a stored schedule are unknown")
        }
        let outcome: Schedule.Outcome? = try row.wordIfAny(12)
        return Schedule(
            id: row.identifier(0), ownerID: row.identifier(1), content: try content(row), times: times,
            language: row[8], pause: try row.wordIfAny(9), next: row.momentIfAny(10),
            last: row.momentIfAny(11).flatMap { last in outcome.map { Schedule.Run(occurrence: last, outcome: $0) } },
            createdAt: row.moment(13))
    }

    private static func content(_ row: SQLRow) throws -> Schedule.Content {
        if let question: String = row[2] {
            return .question(question, (row[3] as String?).map { ConversationID(rawValue: $0) })
        }
        let words = (row[4] as String? ?? "").split(separator: ",").map(String.init)
        return .digest(Set(words.compactMap(Schedule.DigestPart.init(rawValue:))))
    }

    /// The values of the columns that a person sets: question, conversation, parts, days, minute, zone and language.
    static func values(_ schedule: Schedule) -> [SQLArgument] {
        let times = schedule.times
        let days = times.days.reduce(0) { $0 | 1 << $1.rawValue }
        let content: [SQLArgument] =
            switch schedule.content {
            case .question(let question, let conversation): [question, conversation?.rawValue, nil]
            case .digest(let parts): [nil, nil, parts.sorted().map(\.rawValue).joined(separator: ",")]
            }
        return content + [days, times.minute, times.timeZone, schedule.language]
    }

    /// Returns the schedule of a claim; nil if the claim was replaced.
    static func claimed(_ claim: ScheduleClaim, in db: any SQLSession) throws -> Schedule? {
        try db.row(claimed, [claim.schedule.id.rawValue, claim.fence]).map(schedule)
    }

    /// Returns why the owner of a schedule may not ask now; nil if nothing prevents it.
    static func pause(of schedule: Schedule, at moment: Timestamp, in db: any SQLSession) throws -> Schedule.Pause? {
        let owner = schedule.ownerID
        let account = try db.row("SELECT is_disabled FROM accounts WHERE user_id = ?", [owner.rawValue])
        if account?[0] ?? false { return .accountDisabled }
        if case .question(_, let conversation?) = schedule.content {
            let scope = SearchScope(asker: owner, conversations: .only([conversation]))
            return try Permission.permitted(scope, at: moment, in: db).isEmpty ? .conversationLeft : nil
        }
        let own = try SQLStore.directNumber(owner, MentionRows.assistant, in: db)
        let seen = try Permission.permittedNumbers(
            SearchScope(asker: owner, conversations: .all), at: moment, in: db)
        return seen.allSatisfy { $0 == own } ? .noConversations : nil
    }

    static func pause(_ id: ScheduleID, _ pause: Schedule.Pause, in db: any SQLSession) throws {
        try db.run(
            """
            UPDATE schedules SET pause = ?, next_at = NULL, due_at = NULL, attempts = 0, fence = fence + 1 WHERE id = ?
            """, [pause.rawValue, id.rawValue])
    }

    /// Notes the result of a run; returns false if the claim was replaced.
    static func settle(
        _ claim: ScheduleClaim, run: Schedule.Run, next: Timestamp?, in db: any SQLSession
    ) throws {
        try db.run(
            """
            UPDATE schedules SET next_at = ?1, due_at = ?1, attempts = 0, fence = fence + 1, last_at = ?2,
                last_outcome = ?3
            WHERE id = ?4 AND fence = ?5
            """,
            [
                next?.microseconds, run.occurrence.microseconds, run.outcome.rawValue, claim.schedule.id.rawValue,
                claim.fence,
            ])
    }

    /// Forgets the schedules of an erased person.
    static func forget(user: String, in db: any SQLSession) throws {
        try db.run("DELETE FROM schedules WHERE owner_id = ?", [user])
    }

    /// Forgets the schedules that ask an erased conversation.
    static func forget(conversation: String, in db: any SQLSession) throws {
        try db.run("DELETE FROM schedules WHERE conversation_id = ?", [conversation])
    }
}
