package import ChatCore
import Synchronization

extension SQLStore: ScheduleRepository {
    package func schedules(of owner: UserID) async throws -> [Schedule] {
        try await read { db in try db.rows(ScheduleRows.ofOwner, [owner.rawValue]).map(ScheduleRows.schedule) }
    }

    package func create(_ schedule: Schedule, limit: Int) async throws -> Bool {
        try await write { db in
            let known = try db.number("SELECT COUNT(*) FROM schedules WHERE owner_id = ?", [schedule.ownerID.rawValue])
            guard known ?? 0 < Int64(limit) else { return false }
            try db.run(
                """
                INSERT INTO schedules (id, owner_id, pause, next_at, due_at, created_at, question, conversation_id, parts,
                    days, minute, time_zone, language)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    schedule.id.rawValue, schedule.ownerID.rawValue, schedule.pause?.rawValue,
                    schedule.next?.microseconds, schedule.next?.microseconds, schedule.createdAt.microseconds,
                ] + ScheduleRows.values(schedule))
            return true
        }
    }

    package func change(_ schedule: Schedule) async throws {
        try await write { db in
            try db.run(
                """
                UPDATE schedules SET question = ?, conversation_id = ?, parts = ?, days = ?, minute = ?, time_zone = ?,
                    language = ?, pause = ?, next_at = ?, due_at = ?, attempts = 0, fence = fence + 1, last_basis = NULL
                WHERE id = ? AND owner_id = ?
                """,
                ScheduleRows.values(schedule) + [
                    schedule.pause?.rawValue, schedule.next?.microseconds, schedule.next?.microseconds,
                    schedule.id.rawValue, schedule.ownerID.rawValue,
                ])
            guard db.changedRowCount > 0 else { throw RepositoryError.noSuchSchedule(schedule.id) }
        }
    }

    package func deleteSchedule(_ id: ScheduleID, of owner: UserID) async throws {
        try await write { db in
            try db.run("DELETE FROM schedules WHERE id = ? AND owner_id = ?", [id.rawValue, owner.rawValue])
            guard db.changedRowCount > 0 else { throw RepositoryError.noSuchSchedule(id) }
        }
    }

    package func assistantConversation(of owner: UserID) async throws -> ConversationID? {
        try await read { db in
            try Self.direct(Self.pair(owner, MentionRows.assistant), in: db)?.conversation.id
        }
    }

    package func beginSchedules() async throws {
        try await write { db in
            try db.run("UPDATE schedules SET due_at = next_at WHERE due_at IS NOT NULL AND attempts > 0")
        }
    }

    package func nextScheduleDue() async throws -> Timestamp? {
        try await read { try $0.row(ScheduleRows.nextDue, [])?.momentIfAny(0) }
    }

    package func claimSchedule(until lease: Timestamp, at moment: Timestamp) async throws -> ScheduleClaim? {
        let due = ScheduleRows.due
        guard try await read({ try $0.row(due, [moment.microseconds]) }) != nil else { return nil }
        return try await write { db in
            while let row = try db.row(due, [moment.microseconds]) {
                let schedule = try ScheduleRows.schedule(row)
                if let pause = try ScheduleRows.pause(of: schedule, at: moment, in: db) {
                    try ScheduleRows.pause(schedule.id, pause, in: db)
                    continue
                }
                try db.run(
                    """
                    UPDATE schedules SET attempts = attempts + 1, fence = fence + 1, due_at = ?, claimed_at = ? WHERE id = ?
                    """, [lease.microseconds, moment.microseconds, schedule.id.rawValue])
                let (attempts, fence): (Int, Int64) = (row[14], row[15])
                return ScheduleClaim(
                    schedule: schedule, attempts: attempts + 1, fence: fence + 1, claimedAt: moment, lastBasis: row[16])
            }
            return nil
        }
    }

    package func settle(_ claim: ScheduleClaim, run: Schedule.Run, next: Timestamp?) async throws {
        try await write { db in try ScheduleRows.settle(claim, run: run, next: next, in: db) }
    }

    package func retry(_ claim: ScheduleClaim, at moment: Timestamp) async throws {
        try await write { db in
            try db.run(
                "UPDATE schedules SET due_at = ? WHERE id = ? AND fence = ?",
                [moment.microseconds, claim.schedule.id.rawValue, claim.fence])
        }
    }

    package func deliver(
        _ delivery: ScheduleDelivery, of claim: ScheduleClaim, run: Schedule.Run, next: Timestamp?, at moment: Timestamp
    ) async throws -> ScheduleDelivering {
        let excludesDirect = excludesDirect.withLock { $0 }
        return try await write { db in
            guard let schedule = try ScheduleRows.claimed(claim, in: db) else { return .outdated }
            if let pause = try ScheduleRows.pause(of: schedule, at: moment, in: db) {
                try ScheduleRows.pause(schedule.id, pause, in: db)
                return .paused(pause)
            }
            let posting = SchedulePosting(db: db, owner: schedule.ownerID, moment: moment)
            guard let basis = try posting.basis(of: delivery, since: claim.claimedAt) else { return .basisChanged }
            let place = try posting.openConversation(excludesDirect: excludesDirect)
            guard try posting.post(delivery, standingOn: basis, in: place) else { return .outdated }
            try ScheduleRows.settle(claim, run: run, next: next, in: db)
            try db.run(
                "UPDATE schedules SET last_basis = ? WHERE id = ?", [delivery.basis, schedule.id.rawValue])
            return .delivered
        }
    }
}

/// Posts what a schedule delivers, within one transaction.
private struct SchedulePosting {
    let db: any SQLSession
    let owner: UserID
    let moment: Timestamp

    /// The conversation of a person with the assistant.
    struct Place {
        let id: ConversationID
        let number: Int64
    }

    /// Returns the numbers of all messages that a delivery is based on; nil if one of them changed after `start`, or if
    /// the owner does not see it.
    func basis(of delivery: ScheduleDelivery, since start: Timestamp) throws -> [Int64]? {
        var reading = TurnReading(db: db, moment: moment)
        var numbers: [Int64] = []
        for key in Set(delivery.sources).sorted() {
            guard let stored = try StoredMessage.find(key, in: db), try reading.sees(key, owner) else { return nil }
            numbers.append(stored.number)
        }
        let isEdited = try db.number(Self.edited, [numbers, start.microseconds]) != nil
        return isEdited ? nil : try MentionRows.basis(of: numbers, in: db)
    }

    /// Values: a list of numbers, the moment.
    private static let edited = """
        SELECT 1 FROM json_each(?) j CROSS JOIN messages m ON m.number = j.value WHERE m.text_changed_at > ? LIMIT 1
        """

    /// Returns the owner's conversation with the assistant, and makes it the first time.
    func openConversation(excludesDirect: Bool) throws -> Place {
        let pair = SQLStore.pair(owner, MentionRows.assistant)
        if let known = try SQLStore.direct(pair, in: db),
            let number = try SQLStore.directNumber(owner, MentionRows.assistant, in: db)
        {
            return Place(id: known.conversation.id, number: number)
        }
        let id = ConversationID(rawValue: "nexus-\(MentionRows.digest([owner.rawValue]))")
        // As the person is called in the oldest conversation.
        let name: String? = try db.row(
            "SELECT display_name FROM members WHERE user_id = ? ORDER BY conversation LIMIT 1", [owner.rawValue])?[0]
        let members = [
            Member(userID: owner, displayName: name ?? owner.rawValue, joinedAt: moment),
            Member(userID: MentionRows.assistant, displayName: MentionRows.assistantName, joinedAt: moment),
        ]
        let roster = ConversationRoster(
            conversation: Conversation(id: id, kind: .direct, createdAt: moment, updatedAt: moment),
            members: members.sorted { $0.userID < $1.userID })
        let stored = try SQLStore.insertDirect(
            roster, of: pair, by: ConversationWriter(db: db, moment: moment), excludesDirect: excludesDirect)
        return Place(id: id, number: stored.number)
    }

    /// Returns false if the message was posted before.
    func post(_ delivery: ScheduleDelivery, standingOn basis: [Int64], in place: Place) throws -> Bool {
        let message = Message(
            key: MessageKey(conversationID: place.id, messageID: delivery.messageID), senderID: MentionRows.assistant,
            senderName: delivery.senderName, text: delivery.text, kind: .assistant, timestamp: moment,
            extra: delivery.extra)
        guard let conversation = try MessagePlace.find(place.number, in: db),
            try StoredMessage.find(message.key, in: db) == nil, try !Tombstones.contain(message.key, in: db)
        else { return false }
        let (number, after) = try MessageWriter(db, at: moment).insert(
            message, in: conversation, source: MentionRows.source, authorID: message.senderID.rawValue)
        try MessagePlace.storePositions(of: [after], in: db)
        try db.run(
            "INSERT INTO schedule_posts (answer, owner_id) VALUES (?, ?)", [number, owner.rawValue])
        for source in basis {
            try db.run("INSERT INTO mention_sources (source, answer) VALUES (?, ?)", [source, number])
        }
        try DigestRows.insert(delivery.lines, of: number, in: db)
        if let turn = delivery.turn { try TurnRows.insert(turn, trace: nil, in: db) }
        if delivery.isDelivered {
            try db.run(
                "INSERT INTO mention_deliveries (answer, attempts, due_at) VALUES (?, 0, ?)",
                [number, moment.microseconds])
        }
        return true
    }
}
