import ChatCore

extension StoreContract {
    /// Of `ConversationRepository`: kinds of users.
    package static let userKinds: [StoreContract] = [
        StoreContract("guests and bots see what is open only where they are members") { store in
            try await fillOpenPlaces(store)
            for kind in [UserKind.guest, .bot] {
                try await store.setKind(kind, of: "gast")
                try demand(try await seen(store, "gast"), ["within"])
                try demand(
                    try await store.conversations(asker: "gast", after: nil, limit: 9, at: .second(1)).map(\.id),
                    ["within"])
                try await demandFailure(.noSuchConversation("open")) {
                    _ = try await store.roster(of: "open", asker: "gast", at: .second(1))
                }
                try await demandFailure(.noSuchConversation("open")) {
                    _ = try await store.page(of: "open", asker: "gast", before: nil, limit: 9, at: .second(1))
                }
                let found = try await store.messages(
                    [.of("open", "1")], in: SearchScope(asker: "gast", conversations: .all), at: .second(1))
                try demand(found.count, 0)
                let people = try await store.people(
                    in: SearchScope(asker: "gast", conversations: .all), at: .second(1))
                try demand(people.map(\.userID), ["bob", "gast"])
            }
        },
        StoreContract("a change of kind counts from the next call on, in both directions") { store in
            try await fillOpenPlaces(store)
            try demand(try await seen(store, "gast"), ["open", "within"])
            try await store.setKind(.guest, of: "gast")
            try demand(try await seen(store, "gast"), ["within"])
            try await store.setKind(.member, of: "gast")
            try demand(try await seen(store, "gast"), ["open", "within"])
            try await store.storeAuthors([author("gast", kind: .guest)])
            try demand(try await seen(store, "gast"), ["open", "within"])
            try await store.setKind(nil, of: "gast")
            try demand(try await seen(store, "gast"), ["within"])
            try demand(try await store.users(), [User(id: "gast", kind: .guest, isStated: false)])
        },
        StoreContract("what sources say makes guests and bots, also of the users whom authors are mapped to") { store in
            try await fillOpenPlaces(store)
            try await store.storeAuthors([
                author("U1", kind: .guest), author("U2", kind: .member), author("B1", isBot: true), author("U3"),
            ])
            func kinds(_ ids: [UserID]) async throws -> [UserKind] {
                var kinds: [UserKind] = []
                for id in ids { kinds.append(try await store.kind(of: id)) }
                return kinds
            }
            try demand(try await kinds(["U1", "U2", "B1", "U3", "nobody"]), [.guest, .member, .bot, .member, .member])

            _ = try await store.map(
                ["U1", "U2"].map { Identity(source: "slack", externalID: $0, userID: "ada") }, at: .second(1))
            try demand(try await kinds(["U1", "U2", "ada"]), [.member, .member, .guest])
            try demand(try await seen(store, "ada"), [])

            // No longer a guest there.
            try await store.storeAuthors([author("U1", kind: .member)])
            try demand(try await seen(store, "ada"), ["open"])
            // A source that does not tell leaves what is known.
            try await store.storeAuthors([author("B1")])
            try demand(try await kinds(["B1", "ada"]), [.member, .member])
        },
        StoreContract("several authors are mapped together or not at all") { store in
            try await store.storeAuthors([author("U1"), author("U2")])
            try await demandFailure(.invalid(field: "externalId", reason: "no author of this source has this id")) {
                _ = try await store.map(
                    ["U1", "U9"].map { Identity(source: "slack", externalID: $0, userID: "ada") }, at: .second(1))
            }
            try demand(try await store.identities().map(\.userID), ["U1", "U2"])
        },
        StoreContract("the kind of an unusable id is refused") { store in
            try await demandFailure(.invalid(field: "userId", reason: "is not a usable id")) {
                try await store.setKind(.guest, of: "")
            }
            try demand(try await store.users(), [])
        },
    ]

    /// Of `ConversationRepository`: who is present after imports.
    package static let importedMembers: [StoreContract] = [
        StoreContract("a later complete list ends and begins the memberships that imports gave") { store in
            try await list(store, ["ada", "bob"], at: 10)
            try await list(store, ["bob", "eve"], at: 20)
            try demand(try await present(store), ["bob", "eve"])
            let roster = try await store.roster(of: "c")
            try demand(roster.members.first { $0.userID == "ada" }?.leftAt, .second(20))
            try await list(store, ["ada", "bob"], at: 30)
            try demand(try await present(store), ["ada", "bob"])
        },
        StoreContract("an older list changes no present membership") { store in
            try await list(store, ["bob"], at: 20)
            try await list(store, ["ada", "bob", "carl"], at: 30)
            try await list(store, ["bob", "ada"], at: 40)
            try await list(store, ["carl", "dora"], at: 35)
            try demand(try await present(store), ["ada", "bob"])
        },
        StoreContract("imports leave memberships alone that were given or ended by hand") { store in
            try await list(store, ["ada", "bob"], at: 10)
            let eve = Member(userID: "eve", displayName: "Eve", joinedAt: .second(11))
            try await store.setMember(eve, in: "c", source: "api", at: .second(11))
            try await store.setMember(eve.of("ada"), in: "c", source: "api", at: .second(11))
            try await store.removeMember("bob", from: "c", at: .second(12))
            try await list(store, ["bob"], at: 20)
            try demand(try await present(store), ["ada", "eve"])
            var roster = ConversationRoster.of("c", ["eve"])
            roster.members[0].leftAt = .second(21)
            _ = try await store.store([roster], source: "slack", mode: .importing, at: .second(99))
            try demand(try await present(store), ["ada", "eve"])
        },
        StoreContract("a departure that an import tells ends a membership at its time") { store in
            try await list(store, ["ada", "bob"], at: 10)
            var roster = ConversationRoster.of("c", ["ada"])
            roster.members[0].leftAt = .second(15)
            _ = try await store.store([roster], source: "slack", mode: .importing, at: .second(99))
            try demand(try await present(store), ["bob"])
            try await list(store, ["ada", "bob"], at: 30)
            // The departure that an older export tells is over.
            _ = try await store.store([roster], source: "slack", mode: .importing, at: .second(99))
            try demand(try await present(store), ["ada", "bob"])
        },
        StoreContract("a list of the future counts as of now") { store in
            try await list(store, ["ada", "bob"], at: 10)
            try await list(store, ["bob"], at: 5_000)
            try demand(try await present(store), ["bob"])
        },
    ]

    private static func author(_ id: String, isBot: Bool = false, kind: UserKind? = nil) -> Identity {
        Identity(
            source: "slack", externalID: id, userID: UserID(rawValue: id), isBot: isBot, kind: kind)
    }

    private static func seen(_ store: any Store, _ asker: UserID) async throws -> [ConversationID] {
        try await store.permitted(SearchScope(asker: asker, conversations: .all), at: .second(1)).map(\.id)
    }

    /// A closed conversation of Bob, an open one of his, and an open one that the guest is in.
    private static func fillOpenPlaces(_ store: any Store) async throws {
        _ = try await store.store(
            [
                .of("closed", ["bob"]), .of("open", ["bob"], visibility: .everyone),
                .of("within", ["bob", "gast"], visibility: .members),
            ], source: "api", mode: .posting, at: .second(0))
        try await store.post([.short("open", "1", by: "bob")])
    }

    /// Imports a complete list of members.
    private static func list(_ store: any Store, _ members: [UserID], at second: Int) async throws {
        var roster = ConversationRoster.of("c", members)
        roster.listedAt = .second(second)
        _ = try await store.store([roster], source: "slack", mode: .importing, at: .second(100))
    }

    private static func present(_ store: any Store) async throws -> [UserID] {
        try await store.roster(of: "c").members.filter { $0.leftAt.map { $0 > .second(200) } ?? true }.map(\.userID)
    }
}

extension Member {
    fileprivate func of(_ user: UserID) -> Member {
        Member(userID: user, displayName: displayName, joinedAt: joinedAt)
    }
}
