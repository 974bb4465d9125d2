package import ChatCore

/// The rows of `member_names`: the names of present members, for mentions, searches and lists.
///
/// They are made when names are first looked up in a conversation. Triggers remove them when a name changes or a
/// membership ends, and mark the member, whose names are then made again.
struct MemberNameRows {
    /// The members whose names are made in one transaction.
    static let portion = 200

    let db: any SQLSession

    /// Values: a list of conversations' numbers.
    static let unnamed = """
        SELECT c.number FROM json_each(?) j CROSS JOIN conversations c ON c.number = j.value
        WHERE EXISTS (SELECT 1 FROM members m INDEXED BY members_unnamed
            WHERE m.conversation = c.number AND m.is_named = 0 AND m.left_at IS NULL)
        """

    /// Values: a list of conversations' ids.
    static let unnamedByID = """
        SELECT c.number FROM conversations c WHERE c.id IN (SELECT value FROM json_each(?, '$'))
            AND EXISTS (SELECT 1 FROM members m INDEXED BY members_unnamed
                WHERE m.conversation = c.number AND m.is_named = 0 AND m.left_at IS NULL)
        """

    /// Makes the names of some members that lack them; returns whether others may lack them still.
    func name(in conversation: Int64) throws -> Bool {
        let members = try db.rows(
            """
            SELECT \(Member.columns) FROM members INDEXED BY members_unnamed
            WHERE conversation = ? AND is_named = 0 AND left_at IS NULL ORDER BY user_id LIMIT ?
            """, [conversation, Self.portion]
        ).map { try Member($0, from: 0) }
        guard !members.isEmpty else { return false }
        var rows: [[SQLValue]] = []
        for member in members {
            let user = SQLValue.text(member.userID.rawValue)
            rows += MemberName.mentionable(member).sorted().map {
                [.integer(conversation), .integer(0), .text($0), user]
            }
            rows += MemberName.parts(of: member).sorted().map {
                [.integer(conversation), .integer(1), .text($0), user]
            }
        }
        try db.insert(rows, into: "member_names", columns: ["conversation", "is_part", "name", "user_id"])
        try db.run(
            """
            UPDATE members SET is_named = 1
            WHERE conversation = ? AND user_id IN (SELECT value FROM json_each(?, '$'))
            """,
            [conversation, members.map(\.userID.rawValue)])
        return members.count == Self.portion
    }

    /// Values: conversation, name.
    ///
    /// One row: the first and the last user of this name, so that its cost does not depend on how many have it.
    static let mentioned = """
        SELECT (SELECT MIN(user_id) FROM member_names WHERE conversation = ?1 AND is_part = 0 AND name = ?2),
            (SELECT MAX(user_id) FROM member_names WHERE conversation = ?1 AND is_part = 0 AND name = ?2)
        """

    /// Returns the statements that look names up.
    static func lookups(_ names: [String], in conversation: Int64) -> [SQLStatement] {
        names.map { SQLStatement(mentioned, [conversation, $0]) }
    }

    /// Returns the users of names that just one has, from the rows of ``lookups(_:in:)``.
    static func users(of names: [String], _ rows: some Sequence<[SQLRow]>) -> [String: UserID] {
        var users: [String: UserID] = [:]
        for (name, found) in zip(names, rows) {
            guard let row = found.first, let first = row[0] as String?, first == row[1] as String? else { continue }
            users[name] = UserID(rawValue: first)
        }
        return users
    }

    /// Returns the members whom a text mentions.
    func mentions(in text: String, of conversation: Int64) throws -> [MemberMention] {
        let places = MentionPlaces(in: text)
        let names = places.names.sorted()
        guard !names.isEmpty else { return [] }
        return places.mentions(of: Self.users(of: names, try db.rows(Self.lookups(names, in: conversation))))
    }

    /// The most people that are read for one word of a question in one conversation.
    static let peoplePerWord = 20

    /// Values: conversation, beginning, the first text after those that begin with it.
    static let beginning = """
        SELECT conversation, user_id FROM member_names
        WHERE conversation = ? AND is_part = 1 AND name >= ? AND name < ?
        ORDER BY name, user_id LIMIT \(peoplePerWord)
        """

    /// The end of the range of texts that begin with a text.
    static func end(of beginning: String) -> String { beginning + "\u{10FFFF}" }
}

extension SQLStore {
    /// The most lookups of names for one question.
    static let nameLookupLimit = 1_000
    /// The most people of large conversations that one question may name.
    static let namedPeopleLimit = 500

    /// How long a search or a list makes names; later ones make the rest.
    ///
    /// A group of 10,000 members takes about 0.4 s.
    package static let nameMakingTime = Duration.seconds(1)

    /// Makes the names of members that lack them, in portions, until a time is over; one portion at least.
    ///
    /// A disk that cannot be written leaves them as they are.
    package func makeNames(of conversations: [Int64], within time: Duration = SQLStore.nameMakingTime) async throws {
        guard !conversations.isEmpty else { return }
        let unnamed = try await read { db in
            try db.rows(MemberNameRows.unnamed, [conversations]).map { $0[0] as Int64 }
        }
        try await makeNames(in: unnamed, until: .now + time)
    }

    /// Makes the names of members that lack them, in conversations that a writer sees and in whose messages somebody may
    /// be mentioned.
    func makeNames(for messages: [Message], by writer: Writer, at moment: Timestamp) async throws {
        let ids = Set(messages.filter(LiveRows.mayMention).map(\.key.conversationID))
        try await makeNames(in: ids, by: writer, at: moment)
    }

    /// Makes them for an edited text.
    func makeNames(
        forText text: String, in conversation: ConversationID, by writer: Writer, at moment: Timestamp
    ) async throws {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return }
        try await makeNames(in: [conversation], by: writer, at: moment)
    }

    /// Checks the writer's right first, because a stranger could make others wait for the names of a large group.
    private func makeNames(in ids: Set<ConversationID>, by writer: Writer, at moment: Timestamp) async throws {
        guard !ids.isEmpty else { return }
        let ids = ids.sorted()
        let unnamed = try await read { db in
            let rows = try db.rows(
                [SQLStatement(MemberNameRows.unnamedByID, [ids.map(\.rawValue)])]
                    + ids.map { WritingRights.seeing($0, by: writer.reader, at: moment) })
            let seen = Set(rows.dropFirst().compactMap { $0.first.map { $0[0] as Int64 } })
            return rows[0].map { $0[0] as Int64 }.filter(seen.contains)
        }
        try await makeNames(in: unnamed)
    }

    private func makeNames(in numbers: [Int64], until end: ContinuousClock.Instant? = nil) async throws {
        do {
            for number in numbers {
                while try await write({ db in try MemberNameRows(db: db).name(in: number) }) {
                    if let end, .now >= end { return }
                }
                if let end, .now >= end { return }
            }
        } catch let error as RepositoryError where error.isAboutStorage {
            // The names that are there are found.
        }
    }

    /// Returns members of large conversations whose names a text may contain; makes names that are missing first.
    package func people(
        named text: String, in conversations: [ConversationNumber], at moment: Timestamp
    ) async throws -> [Person] {
        let beginnings = MemberName.beginnings(in: text)
        guard !beginnings.isEmpty, !conversations.isEmpty else { return [] }
        let numbers = conversations.map(\.rawValue)
        try await makeNames(of: numbers)
        let lookups = beginnings.lazy.flatMap { word in
            numbers.lazy.map {
                SQLStatement(MemberNameRows.beginning, [$0, word, MemberNameRows.end(of: word)])
            }
        }
        let statements = Array(lookups.prefix(Self.nameLookupLimit))
        return try await read { db in
            var found: [UserID: [Int64]] = [:]
            for row in try db.rows(statements).joined() where found.count < Self.namedPeopleLimit {
                let (number, user): (Int64, UserID) = (row[0], row.identifier(1))
                if found[user]?.contains(number) != true { found[user, default: []].append(number) }
            }
            let rows = try db.rows(
                found.sorted { $0.key < $1.key }.flatMap { user, numbers in
                    numbers.map { SQLStatement(Self.acceptedMember, [$0, user.rawValue]) }
                })
            return try Self.people(rows.joined())
        }
    }

    /// Values: conversation, user.
    private static let acceptedMember = """
        SELECT conversation, \(Member.columns) FROM members WHERE conversation = ? AND user_id = ? AND is_invited = 0
        """
}
