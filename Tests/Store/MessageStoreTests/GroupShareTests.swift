import ChatCore
import MessageStore
import SQLiteStore
import TestSupport
import Testing

/// What one person can make of conversations and members, and whom it concerns.
@Suite struct GroupShareTests {
    private static let all = SearchScope(asker: "bob", conversations: .all)
    private static let limits = GroupLimits(
        conversationsPerDay: 3, conversations: 4, membersPerRequest: 5, membersPerDay: 7, members: 9)
    private static let adding = MemberAdding(by: "ada", limits: limits)

    private func make(
        _ store: SQLStore, _ id: ConversationID, _ users: [UserID], by adding: MemberAdding = adding, at second: Int = 0
    ) async throws {
        #expect(
            try await store.create(
                .of(id, [adding.person] + users), adding: adding, source: "api", at: .second(second)))
    }

    private func found(_ store: SQLStore, _ user: UserID = "bob") async throws -> [ConversationID] {
        try await store.permitted(SearchScope(asker: user, conversations: .all), at: .second(9)).map(\.id)
    }

    @Test func conversationsOfAPersonAreLimited() async throws {
        try await DataFolder.with { _, store in
            for number in 0..<3 { try await make(store, ConversationID(rawValue: "c\(number)"), []) }
            await #expect(throws: GroupLimitError.conversationsPerDay(3)) { try await make(store, "c3", []) }
            await #expect(throws: GroupLimitError.conversationsPerDay(3)) {
                _ = try await store.openDirect(
                    "ada", "bob", names: [:], newID: "d", limits: Self.limits, at: .second(1))
            }
            // Others, and the chat application, are not concerned.
            try await make(store, "e", [], by: MemberAdding(by: "bob", limits: Self.limits))
            #expect(try await store.create(.of("f", ["ada"]), by: "ada", source: "api", at: .second(1)))

            try await make(store, "c3", [], at: 90_000)
            await #expect(throws: GroupLimitError.conversations(4)) { try await make(store, "c4", [], at: 90_001) }
            // The same conversation again is not another one.
            #expect(
                try await !store.create(
                    store.roster(of: "c3"), adding: Self.adding, source: "api", at: .second(90_002)))
        }
    }

    @Test func membersThatAPersonAddsAreLimited() async throws {
        try await DataFolder.with { _, store in
            let users = (0..<20).map { UserID(rawValue: "u\($0)") }
            func add(_ place: Int, at second: Int) async throws {
                try await store.setMember(
                    Member(userID: users[place], displayName: "U", joinedAt: .second(second)), in: "c",
                    adding: Self.adding, source: "api", at: .second(second))
            }
            await #expect(throws: GroupLimitError.membersPerRequest(5)) {
                try await make(store, "c", Array(users.prefix(6)))
            }
            try await make(store, "c", Array(users.prefix(5)))
            try await add(5, at: 1)
            try await add(6, at: 1)
            await #expect(throws: GroupLimitError.membersPerDay(7)) { try await add(7, at: 2) }
            // Present members may be renamed, and who joins alone is not added.
            try await add(6, at: 2)
            try await store.setMember(
                Member(userID: "ada", displayName: "Ada", joinedAt: .second(2)), in: "c", adding: Self.adding,
                source: "api", at: .second(2))

            try await add(7, at: 90_000)
            try await add(8, at: 90_000)
            await #expect(throws: GroupLimitError.members(9)) { try await add(9, at: 90_000) }
            // Who leaves makes room.
            try await store.removeMember("u8", from: "c", at: .second(90_001))
            try await add(9, at: 90_002)
        }
    }

    @Test func whoIsAddedByAStrangerSearchesThereOnlyAfterAccepting() async throws {
        try await DataFolder.with { _, store in
            try await make(store, "c", ["bob", "cy"])
            _ = try await store.post([.short("c", "m", by: "ada")], source: "api", at: .second(1))

            #expect(try await found(store) == [])
            #expect(try await found(store, "ada") == ["c"])
            #expect(try await store.view(of: Self.all, at: .second(9)).permitted.isEmpty)
            // It is in the list, can be read and searched by its name.
            #expect(
                try await store.inbox(of: "bob", matching: nil, at: .second(9)).entries.map(\.conversation.id) == ["c"])
            let named = SearchScope(asker: "bob", conversations: .only(["c"]))
            #expect(try await store.permitted(named, at: .second(9)).map(\.id) == ["c"])
            #expect(try await store.page(of: "c", asker: "bob", before: nil, limit: 1, at: .second(9)).count == 1)
            // Others do not search for the names of invited people.
            let people = try await store.view(of: SearchScope(asker: "ada", conversations: .all), at: .second(9)).people
            #expect(people.map(\.userID) == ["ada"])

            _ = try await store.markRead(["m"], in: "c", by: "bob", at: .second(2))
            #expect(try await found(store) == ["c"])
            #expect(try await found(store, "cy") == [])
            _ = try await store.post([.short("c", "own", by: "cy")], source: "api", at: .second(3))
            #expect(try await found(store, "cy") == ["c"])
        }
    }

    @Test func reactingAndJoiningAcceptToo() async throws {
        try await DataFolder.with { _, store in
            for id in ["c", "d"] as [ConversationID] { try await make(store, id, ["bob"]) }
            _ = try await store.post([.short("c", "m", by: "ada")], source: "api", at: .second(1))
            _ = try await store.react("👍", isSet: true, to: .of("c", "m"), by: "bob", at: .second(2))
            #expect(try await found(store) == ["c"])

            try await store.setMember(
                Member(userID: "bob", displayName: "Bob", joinedAt: .second(0)), in: "d",
                adding: MemberAdding(by: "bob", limits: Self.limits), source: "api", at: .second(3))
            #expect(try await found(store) == ["c", "d"])
        }
    }

    @Test func whoSharesAnAcceptedConversationIsNoStranger() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("known", ["ada", "bob"])], source: "slack", mode: .importing, at: .second(0))
            try await make(store, "c", ["bob", "cy"])
            #expect(try await found(store) == ["c", "known"])
            #expect(try await found(store, "cy") == [])

            // A conversation that only one of them accepted is none.
            try await make(store, "d", ["cy"])
            #expect(try await found(store, "cy") == [])
            // Nor is a direct one, but it is searched at once.
            _ = try await store.openDirect(
                "ada", "eve", names: [:], newID: "direct", limits: GroupLimits(), at: .second(1))
            try await make(store, "e", ["eve"], at: 90_000)
            #expect(try await found(store, "eve") == ["direct"])
        }
    }

    @Test func theChatApplicationAndImportsInviteNobody() async throws {
        try await DataFolder.with { _, store in
            #expect(try await store.create(.of("c", ["ada", "bob"]), by: "ada", source: "api", at: .second(0)))
            _ = try await store.store([.of("d", ["ada", "bob"])], source: "matrix", mode: .importing, at: .second(0))
            try await store.setMember(
                Member(userID: "bob", displayName: "Bob", joinedAt: .second(0)), in: "d", source: "api", at: .second(1))

            #expect(try await found(store) == ["c", "d"])
        }
    }

    @Test func anErasedPersonIsNoLongerKnownAsMaker() async throws {
        try await DataFolder.with { _, store in
            try await make(store, "c", ["bob"])
            _ = try await store.erase(.user("ada"), at: .second(1))

            #expect(try await store.inspect("SELECT COUNT(*) FROM conversations WHERE made_by IS NOT NULL") == ["0"])
            #expect(try await store.inspect("SELECT COUNT(*) FROM members WHERE added_by IS NOT NULL") == ["0"])
        }
    }
}

/// Searches and lists look names of large groups up, and keep little of them in memory.
@Suite struct LargeGroupTests {
    private static let scope = SearchScope(asker: "ada", conversations: .all)

    private static func crowd(_ id: ConversationID, _ count: Int) -> ConversationRoster {
        var roster = ConversationRoster.of(id, ["ada"])
        roster.members += (0..<count).map {
            Member(userID: UserID(rawValue: "u\($0)"), displayName: "Robin Number\($0)", joinedAt: .second(0))
        }
        return roster
    }

    @Test func peopleOfALargeGroupAreFoundByTheWordsOfTheQuestion() async throws {
        try await DataFolder.with { _, store in
            var crowd = Self.crowd("c", 600)
            crowd.members.append(Member(userID: "zoë", displayName: "Zoë  Lindqvist-Őry", joinedAt: .second(0)))
            _ = try await store.store(
                [crowd, .of("small", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))

            let view = try await store.view(of: Self.scope, at: .second(1))
            #expect(view.large.count == 1 && view.people.map(\.userID) == ["ada", "bob"])
            func named(_ text: String) async throws -> [UserID] {
                try await store.people(named: text, in: view.large, at: .second(1)).map(\.userID)
            }
            #expect(try await named("what did Lindqvist say") == ["zoë"])
            #expect(try await named("ask ZOE, please") == ["zoë"])
            #expect(try await named("Orys Plan") == ["zoë"])
            #expect(try await named("when did Robin Number77 write").contains("u77"))
            #expect(try await named("where is the crane") == [])
            // A name that all have finds a few.
            let robins = try await named("what did Robin say")
            #expect(!robins.isEmpty && robins.count <= 40)
            let found = try await store.people(named: "Lindqvist", in: view.large, at: .second(1)).first
            #expect(found?.conversations == Set(view.large) && found?.names == ["Zoë  Lindqvist-Őry"])
        }
    }

    @Test func namesOfManyMembersAreMadeByAFewSearchesInTurn() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [Self.crowd("c", 600), Self.crowd("d", 600)], source: "api", mode: .posting, at: .second(0))
            let large = try await store.view(of: Self.scope, at: .second(1)).large.map(\.rawValue)
            func namedCount() async throws -> [String] {
                try await store.inspect("SELECT COUNT(*) FROM members WHERE is_named = 1")
            }

            try await store.makeNames(of: large, within: .zero)

            #expect(try await namedCount() == ["200"])

            for _ in 0..<7 { try await store.makeNames(of: large, within: .zero) }

            #expect(try await namedCount() == ["1202"])
        }
    }

    @Test func searchesInManyLargeGroupsReadAndKeepLittle() async throws {
        let counter = RowCounter()
        var options = StoreOptions()
        options.connected = { counter.watch($0) }
        try await DataFolder.with(options) { _, store in
            let rosters = (0..<6).map { Self.crowd(ConversationID(rawValue: "c\($0)"), 505) }
            let small = (0..<14).map { Self.crowd(ConversationID(rawValue: "s\($0)"), 400) }
            for roster in rosters + small {
                _ = try await store.store([roster], source: "api", mode: .posting, at: .second(0))
            }
            let large = try await store.view(of: Self.scope, at: .second(1)).large.map(\.rawValue)
            try await store.makeNames(of: large, within: .seconds(3_600))
            _ = try await store.store([.of("x", ["ada"])], source: "api", mode: .posting, at: .second(1))
            counter.reset()

            let view = try await store.view(of: Self.scope, at: .second(2))
            _ = try await store.people(
                named: "what did Robin Number7 say about the crane", in: view.large, at: .second(2))

            // The members of all conversations are more than 8,000.
            #expect(counter.count("display_name") <= SQLStore.readPeopleLimit + 1_000)
            #expect(counter.count("FROM member_names") <= 1_000 * 20)
            #expect(view.large.count == 8)
            #expect(store.rememberedScopes.byteCount < 8 << 20)
        }
        withExtendedLifetime(counter) {}
    }

    @Test func aListWithATextDoesNotReadMembers() async throws {
        let counter = RowCounter()
        var options = StoreOptions()
        options.connected = { counter.watch($0) }
        try await DataFolder.with(options) { _, store in
            for number in 0..<10 {
                var roster = Self.crowd(ConversationID(rawValue: "c\(number)"), 300)
                roster.conversation.name = "Quay \(number)"
                if number == 4 { roster.members[7].displayName = "Ida Ölmez" }
                _ = try await store.store([roster], source: "api", mode: .posting, at: .second(0))
            }
            func ids(_ query: String) async throws -> [ConversationID] {
                try await store.inbox(of: "ada", matching: query, at: .second(1)).entries.map(\.conversation.id)
            }
            try await store.makeNames(of: Array(1...10), within: .seconds(3_600))
            #expect(try await ids("olm") == ["c4"])
            counter.reset()

            #expect(try await ids("ida ö") == ["c4"])
            #expect(try await ids("UAY 3") == ["c3"])
            #expect(try await ids("nobody") == [])
            #expect(try await ids("robin number9").count == 10)
            #expect(counter.count("display_name") == 0)
            // One row for each conversation that matches.
            #expect(counter.count("member_names") <= 11)
        }
        withExtendedLifetime(counter) {}
    }
}
