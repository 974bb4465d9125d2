package import ChatCore

/// Who put a member into a conversation.
struct Invitation {
    let person: UserID
    let moment: Timestamp
    /// Whether the two share no accepted conversation.
    let isByStranger: Bool
}

/// A person who puts members into conversations, with those of them whom the person knows.
struct KnownAdding {
    let adding: MemberAdding
    let known: Set<UserID>

    /// Returns the invitation of a member; nil for the person.
    func invitation(of user: UserID, at moment: Timestamp) -> Invitation? {
        guard user != adding.person else { return nil }
        return Invitation(person: adding.person, moment: moment, isByStranger: !known.contains(user))
    }
}

/// Counts what one person made and added, within one transaction.
struct GroupShares {
    let db: any SQLSession
    let adding: MemberAdding
    let moment: Timestamp

    /// Values: person, the time after which it counts, the most that are counted.
    private static let conversations = """
        SELECT COUNT(*) FROM (SELECT 1 FROM conversations WHERE made_by = ? AND made_at > ? LIMIT ?) AS counted
        """
    private static let members = """
        SELECT COUNT(*) FROM (SELECT 1 FROM members WHERE added_by = ? AND added_at > ? LIMIT ?) AS counted
        """
    private static let presentMembers = """
        SELECT COUNT(*) FROM (
            SELECT 1 FROM members WHERE added_by = ? AND added_at > ? AND left_at IS NULL LIMIT ?) AS counted
        """

    /// Checks that the person may make one more conversation.
    func checkMaking() throws {
        let limits = adding.limits
        guard try count(Self.conversations, since: day, upTo: limits.conversationsPerDay) < limits.conversationsPerDay
        else { throw GroupLimitError.conversationsPerDay(limits.conversationsPerDay) }
        guard try count(Self.conversations, upTo: limits.conversations) < limits.conversations else {
            throw GroupLimitError.conversations(limits.conversations)
        }
    }

    /// Checks that the person may add so many members.
    func checkAdding(_ count: Int) throws {
        guard count > 0 else { return }
        let limits = adding.limits
        guard count <= limits.membersPerRequest else {
            throw GroupLimitError.membersPerRequest(limits.membersPerRequest)
        }
        guard try self.count(Self.members, since: day, upTo: limits.membersPerDay) + count <= limits.membersPerDay
        else {
            throw GroupLimitError.membersPerDay(limits.membersPerDay)
        }
        guard try self.count(Self.presentMembers, upTo: limits.members) + count <= limits.members else {
            throw GroupLimitError.members(limits.members)
        }
    }

    /// Notes who made a conversation.
    func recordMaker(_ id: ConversationID) throws {
        try db.run(
            "UPDATE conversations SET made_by = ?, made_at = ? WHERE id = ?",
            [adding.person.rawValue, moment.microseconds, id.rawValue])
    }

    private var day: Int64 { moment.microseconds - GroupLimits.day.components.seconds * 1_000_000 }

    private func count(_ sql: String, since: Int64 = 0, upTo limit: Int) throws -> Int {
        Int(try db.number(sql, [adding.person.rawValue, since, limit]) ?? 0)
    }
}

extension SQLStore {
    /// Values: person, a list of users.
    static let acquainted = """
        SELECT DISTINCT b.user_id FROM members b CROSS JOIN members a ON a.conversation = b.conversation
        WHERE b.user_id IN (SELECT value FROM json_each(?2, '$')) AND a.user_id = ?1
            AND a.left_at IS NULL AND b.left_at IS NULL AND a.is_invited = 0 AND b.is_invited = 0
        """

    /// Finds out whom a person knows; outside of the transaction, because users may be in many conversations.
    func known(to adding: MemberAdding, among users: [UserID], source: String) async throws -> KnownAdding {
        try await read { db in
            let ids = users.map(\.rawValue)
            let mapped = try db.rows(Authors.byIDs, [source, ids]).map { $0[1] as String }
            let rows = try db.rows(Self.acquainted, [adding.person.rawValue, Array(Set(ids + mapped)).sorted()])
            return KnownAdding(adding: adding, known: Set(rows.map { $0.identifier(0) }))
        }
    }

    package func create(
        _ roster: ConversationRoster, adding: MemberAdding, source: String, at moment: Timestamp
    ) async throws -> Bool {
        let others = roster.members.map(\.userID).filter { $0 != adding.person }
        guard others.count <= adding.limits.membersPerRequest else {
            throw GroupLimitError.membersPerRequest(adding.limits.membersPerRequest)
        }
        let known = try await known(to: adding, among: others, source: source)
        return try await create(roster, by: adding.person, adding: known, source: source, at: moment)
    }

    package func setMember(
        _ member: Member, in id: ConversationID, adding: MemberAdding, source: String, at moment: Timestamp
    ) async throws {
        let known = try await known(to: adding, among: [member.userID], source: source)
        try await setMember(member, in: id, adding: known, source: source, at: moment)
    }
}
