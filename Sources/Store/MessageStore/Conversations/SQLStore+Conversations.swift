package import ChatCore
import Synchronization

extension SQLStore {
    /// Stores conversations with their members; all of them or none.
    ///
    /// Times are not compared when a posted conversation exists already. An import does not bring back a member who
    /// left after the joining that it reports.
    package func store(_ rosters: [ConversationRoster], source: String, mode: AcceptMode, at moment: Timestamp)
        async throws -> Int
    {
        let excludesDirect = excludesDirect.withLock { $0 }
        return try await write { db in
            let writer = ConversationWriter(db: db, moment: moment)
            let exclusion = ExclusionWriter(db: db, excludesDirect: excludesDirect, moment: moment)
            return try rosters.filter { roster in
                let isNew = try writer.store(roster, source: source, mode: mode)
                _ = try exclusion.apply(to: roster.conversation.id)
                return isNew
            }.count
        }
    }

    /// Returns the conversations of `scope` that its asker may see at `moment`, by id.
    package func permitted(_ scope: SearchScope, at moment: Timestamp) async throws -> [PermittedConversation] {
        try await roster(of: scope, at: moment, withPeople: false).roster.permitted
    }

    /// Returns present and past members of the conversations that `scope` grants at `moment`; ordered by user id.
    package func people(in scope: SearchScope, at moment: Timestamp) async throws -> [Person] {
        try await read { db in
            let permitted = try Permission.permitted(scope, countsInvited: false, at: moment, in: db)
            return try Self.people(db.rows(Self.membersOfAll, [permitted.map(\.number.rawValue)]))
        }
    }

    /// Returns what a search in `scope` begins with, and the first changes that its indexes have not followed.
    package func view(
        of scope: SearchScope, followed: FollowedPosition?, at moment: Timestamp
    ) async throws -> ScopeView {
        let (roster, end, page) = try await roster(of: scope, at: moment, withPeople: true, followed: followed)
        var view = ScopeView(
            permitted: roster.permitted, people: roster.people ?? [],
            large: roster.large.map { ConversationNumber(rawValue: $0) }, end: end)
        view.page = page
        return view
    }

    /// The number of scopes that the store remembers, and their approximate size in bytes; for tests.
    package var rememberedScopes: (count: Int, byteCount: Int) { rosters.kept }

    /// Reads a roster, unless it is known, the end of the change log, and changes that the caller has not followed.
    private func roster(
        of scope: SearchScope, at moment: Timestamp, withPeople: Bool, followed: FollowedPosition? = nil
    ) async throws -> (roster: RosterMemory.Roster, end: ChangeCursor, page: ChangePage?) {
        var (known, knownVersion) = rosters.known(scope, at: moment)
        if withPeople, known?.people == nil { known = nil }
        if engine.hearsEveryWrite, let known { return (known, try await latestChange(), nil) }
        // Without round trips it costs nothing to read the changes later.
        let followed = engine.hearsEveryWrite ? nil : followed
        let (roster, end, version, isNew, page) = try await read { [known, knownVersion] db in
            try db.ahead(
                { _ = try db.rosterVersion(known: knownVersion) },
                // What is known is most often still so, and is not read again then.
                { if known == nil { _ = try Self.readRoster(of: scope, at: moment, withPeople: withPeople, in: db) } },
                { if let followed { _ = try ChangeLog.part(after: followed, in: db) } })
            let page = try followed.flatMap { try ChangeLog.part(after: $0, in: db) }
            let (version, end) = try db.rosterVersion(known: knownVersion)
            if let known, version == knownVersion { return (known, end, version, false, page) }
            return (
                try Self.readRoster(of: scope, at: moment, withPeople: withPeople, in: db), end, version, true, page
            )
        }
        if isNew { rosters.keep(roster, of: scope, version: version) }
        return (roster, end, page)
    }

    private static func readRoster(
        of scope: SearchScope, at moment: Timestamp, withPeople: Bool, in db: any SQLSession
    ) throws -> RosterMemory.Roster {
        func permitted() throws -> [PermittedConversation] {
            try Permission.permitted(scope, countsInvited: false, at: moment, in: db)
        }
        func divided() throws -> (small: [Int64], large: [Int64]) {
            let places = try Permission.places(scope, countsInvited: false, at: moment, in: db)
            return try bySize(places.map(\.number), in: db)
        }
        try db.ahead(
            { _ = try permitted() }, { _ = try Permission.nextEnd(of: scope.asker, after: moment, in: db) },
            { if withPeople { _ = try db.rows(membersOfAll, [try divided().small]) } })
        var roster = RosterMemory.Roster(
            permitted: try permitted(), people: nil, moment: moment,
            end: try Permission.nextEnd(of: scope.asker, after: moment, in: db))
        if withPeople {
            let (small, large) = try divided()
            roster.people = try people(db.rows(membersOfAll, [small]))
            roster.large = large
        }
        return roster
    }

    /// The most members of a conversation that are all read for a search.
    package static let readMemberLimit = 500
    /// The most members of all conversations that are read for a search.
    package static let readPeopleLimit = 5_000

    /// Values: conversation.
    static let memberCount = """
        SELECT COUNT(*) FROM (SELECT 1 FROM members WHERE conversation = ? LIMIT \(readMemberLimit + 1)) AS counted
        """

    /// Divides conversations into those whose members are read, the smallest first, and the rest, in their order.
    private static func bySize(_ numbers: [Int64], in db: any SQLSession) throws -> (small: [Int64], large: [Int64]) {
        let counts = try db.rows(numbers.map { SQLStatement(memberCount, [$0]) }).map { $0.first?[0] ?? 0 as Int }
        var small: Set<Int64> = []
        var total = 0
        for (number, count) in zip(numbers, counts).sorted(by: { $0.1 < $1.1 }) {
            total += count
            guard count <= readMemberLimit, total <= readPeopleLimit else { break }
            small.insert(number)
        }
        return (numbers.filter(small.contains), numbers.filter { !small.contains($0) })
    }

    /// Values: a list of conversations' numbers.
    static let membersOfAll = """
        SELECT m.conversation, \(Member.columns) FROM json_each(?) j CROSS JOIN members m ON m.conversation = j.value
        WHERE m.is_invited = 0
        """

    /// Joins memberships, each a conversation's number and the columns of a member, to people.
    static func people(_ rows: some Sequence<SQLRow>) throws -> [Person] {
        var people: [UserID: PersonDraft] = [:]
        for row in rows {
            let member = try Member(row, from: 1)
            people[member.userID, default: PersonDraft()].add(member, in: ConversationNumber(rawValue: row[0]))
        }
        return people.sorted { $0.key < $1.key }.map { $0.value.person($0.key) }
    }

    /// Values: user.
    private static let namesOfUser = "SELECT conversation, display_name FROM members WHERE user_id = ?"

    /// Returns the names that users have in the conversations of a scope, each once.
    package func names(
        of users: Set<UserID>, in scope: SearchScope, at moment: Timestamp
    ) async throws -> [UserID: [String]] {
        let users = users.sorted()
        return try await read { db in
            let statements = users.map { SQLStatement(Self.namesOfUser, [$0.rawValue]) }
            try db.ahead(
                { _ = try Permission.permittedNumbers(scope, countsInvited: false, at: moment, in: db) },
                { _ = try db.rows(statements) })
            let permitted = try Permission.permittedNumbers(scope, countsInvited: false, at: moment, in: db)
            let rows = try db.rows(statements)
            let names = rows.map { rows in
                Set(rows.filter { permitted.contains($0[0]) }.map { $0[1] as String }).sorted()
            }
            return Dictionary(zip(users, names).filter { !$1.isEmpty }) { first, _ in first }
        }
    }

    /// Returns a conversation with some of its members.
    package func roster(
        of id: ConversationID, only users: Set<UserID>, asker: UserID?, at moment: Timestamp
    ) async throws -> ConversationRoster {
        let users = users.sorted().map(\.rawValue)
        return try await roster(
            of: id, members: SQLStatement(Member.someOfConversation, [id.rawValue, users]), asker: asker, at: moment)
    }

    /// Returns a conversation with its members.
    package func roster(of id: ConversationID, asker: UserID, at moment: Timestamp) async throws -> ConversationRoster {
        try await roster(
            of: id, members: SQLStatement(Member.ofConversation, [id.rawValue]), asker: asker, at: moment)
    }

    private func roster(
        of id: ConversationID, members: SQLStatement, asker: UserID?, at moment: Timestamp
    ) async throws -> ConversationRoster {
        try await read { db in
            let rows = try db.rows([
                WritingRights.seeing(id, by: asker, at: moment),
                SQLStatement(ConversationWriter.Stored.byID, [id.rawValue]), members,
            ])
            guard !rows[0].isEmpty, let row = rows[1].first else { throw RepositoryError.noSuchConversation(id) }
            return ConversationRoster(
                conversation: try ConversationWriter.Stored(row).conversation,
                members: try rows[2].map { try Member($0, from: 0) })
        }
    }

    /// Returns a page of members.
    package func members(
        of id: ConversationID, after user: UserID?, limit: Int, asker: UserID, at moment: Timestamp
    ) async throws -> [Member] {
        try await roster(
            of: id, members: SQLStatement(Member.page, [id.rawValue, user?.rawValue ?? "", max(0, limit)]),
            asker: asker, at: moment
        ).members
    }

    /// Counts the present members.
    package func memberCount(of id: ConversationID, asMember user: UserID, at moment: Timestamp) async throws -> Int? {
        try await read { db in
            let rows = try db.rows([
                WritingRights.seeing(id, by: user, at: moment),
                SQLStatement(Member.presentCount, [id.rawValue, moment.microseconds, user.rawValue]),
            ])
            guard !rows[0].isEmpty else { throw RepositoryError.noSuchConversation(id) }
            return rows[1].first.map { Int($0[0] as Int64) }
        }
    }

    /// Returns a conversation with its members, without a check of permission.
    package func roster(of id: ConversationID) async throws -> ConversationRoster {
        try await read { db in try Self.roster(of: id, in: db) }
    }

    static func roster(of id: ConversationID, in db: any SQLSession) throws -> ConversationRoster {
        try db.ahead(
            { _ = try ConversationWriter.Stored.find(id, in: db) },
            { _ = try db.rows(Member.ofConversation, [id.rawValue]) })
        guard let stored = try ConversationWriter.Stored.find(id, in: db) else {
            throw RepositoryError.noSuchConversation(id)
        }
        return ConversationRoster(
            conversation: stored.conversation,
            members: try db.rows(Member.ofConversation, [id.rawValue]).map { try Member($0, from: 0) })
    }

    /// Returns the conversations that the asker may see ordered by id, those after `after`, at most `limit`.
    package func conversations(asker: UserID, after: ConversationID?, limit: Int, at moment: Timestamp) async throws
        -> [Conversation]
    {
        try await read { db in
            try db.rows(
                Permission.page, [asker.rawValue, moment.microseconds, after?.rawValue ?? "", max(0, limit)]
            ).map { try Conversation($0, from: 0) }
        }
    }

    /// Adds a member, or updates a present or past one.
    package func setMember(_ member: Member, in id: ConversationID, source: String, at moment: Timestamp) async throws {
        try await setMember(member, in: id, adding: nil, source: source, at: moment)
    }

    /// Adds a member, or updates one; the limits of a person hold for somebody else who is not there.
    func setMember(
        _ member: Member, in id: ConversationID, adding: KnownAdding?, source: String, at moment: Timestamp
    ) async throws {
        try await write { db in
            guard let stored = try ConversationWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            try StoreRules.check(member)
            if let adding {
                let user = try Authors.user(of: member.userID.rawValue, source: source, in: db) ?? member.userID
                let present = try Member.find(user, of: stored.number, in: db)
                if user == adding.adding.person {
                    try LiveRows(db: db).accept(user, in: stored.number)
                } else if present.map({ $0.leftAt != nil }) ?? true {
                    try GroupShares(db: db, adding: adding.adding, moment: moment).checkAdding(1)
                }
            }
            let writer = ConversationWriter(db: db, moment: moment, adding: adding)
            if try writer.set(member, in: stored.number, MembershipGiving(byHandFrom: source)) {
                try writer.touch(stored.number)
            }
        }
    }

    /// Ends a membership at `moment`; a missing member is no error.
    package func removeMember(_ userID: UserID, from id: ConversationID, at moment: Timestamp) async throws {
        try await write { db in
            let leaving = SQLStatement(Member.leaving, [moment.microseconds, id.rawValue, userID.rawValue])
            try db.ahead(
                { _ = try ConversationWriter.Stored.find(id, in: db) },
                { _ = try db.row(leaving.sql, leaving.values) })
            guard let stored = try ConversationWriter.Stored.find(id, in: db) else {
                throw RepositoryError.noSuchConversation(id)
            }
            guard let member = try db.row(leaving.sql, leaving.values) else { return }
            let (isAdmin, readsOn): (Bool, Bool) = (member[0], member[1])
            try db.run(
                """
                UPDATE members SET left_at = ?1, importer = NULL, role = 'member'
                WHERE conversation = ?2 AND user_id = ?3
                """, [moment.microseconds, stored.number, userID.rawValue])
            if readsOn { try ReadingSpanRows(db: db).endOpen(of: userID, in: stored.number, at: moment) }
            if isAdmin { try LiveRows(db: db).appointAdministrator(in: stored.number, at: moment) }
            let writer = ConversationWriter(db: db, moment: moment)
            try writer.logMembership(of: userID, in: stored.number, isPresent: false)
            try writer.touch(stored.number)
        }
    }

    /// Stores the facts that a source reports about authors.
    package func storeAuthors(_ authors: [Identity]) async throws {
        try await write { db in
            for author in authors { try Authors.store(author, in: db) }
        }
    }

    /// Maps an author of a source to a user: memberships and messages of that author become the user's.
    package func map(_ identity: Identity, at moment: Timestamp) async throws -> Int {
        try await map([identity], at: moment)
    }

    /// Maps authors to users, all of them or none.
    package func map(_ identities: [Identity], at moment: Timestamp) async throws -> Int {
        try await write { db in
            var count = 0
            for identity in identities { count += try Self.map(identity, at: moment, in: db) }
            return count
        }
    }

    /// `isLinked` says whether the mapping is a link, which another mapping ends.
    static func map(
        _ identity: Identity, isLinked: Bool = false, at moment: Timestamp, in db: any SQLSession
    ) throws -> Int {
        guard let old = try Authors.user(of: identity.externalID, source: identity.source, in: db) else {
            throw RepositoryError.invalid(field: "externalId", reason: "no author of this source has this id")
        }
        try StoreRules.check(identity)
        if !isLinked {
            try db.run(
                "DELETE FROM person_links WHERE source = ? AND author_id = ?", [identity.source, identity.externalID])
        }
        try db.run(
            "UPDATE identities SET user_id = ? WHERE source = ? AND external_id = ?",
            [identity.userID.rawValue, identity.source, identity.externalID])
        for user in [old, identity.userID] { try UserRows.derive(user, in: db) }
        let writer = ConversationWriter(db: db, moment: moment)
        try writer.moveMemberships(of: identity)
        return try writer.moveMessages(of: identity)
    }

    /// Returns all identities, ordered by source and external id.
    package func identities() async throws -> [Identity] {
        try await read { db in
            try db.rows("SELECT \(Authors.columns) FROM identities ORDER BY source, external_id")
                .map(Authors.identity)
        }
    }
}

/// The joined memberships of one person.
private struct PersonDraft {
    private var names: Set<String> = []
    private var aliases: Set<String> = []
    private var conversations: Set<ConversationNumber> = []

    mutating func add(_ member: Member, in conversation: ConversationNumber) {
        names.insert(member.displayName)
        aliases.formUnion(member.aliases)
        conversations.insert(conversation)
    }

    func person(_ id: UserID) -> Person {
        Person(userID: id, names: names.sorted(), aliases: aliases.sorted(), conversations: conversations)
    }
}
