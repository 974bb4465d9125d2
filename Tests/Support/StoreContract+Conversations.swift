import ChatCore

extension StoreContract {
    /// Of `ConversationRepository`: storing.
    package static let conversations: [StoreContract] = [
        StoreContract("a conversation is kept with its members") { store in
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.members[0].aliases = ["Lady A", "Ää"]
            roster.members[1].leftAt = .second(9)
            let count = try await store.store([roster], source: "api", mode: .posting, at: .second(3))
            try demand(count, 1)

            let found = try await store.roster(of: "c", asker: "ada", at: .second(20))
            roster.conversation.updatedAt = .second(3)
            try demand(found, roster)
        },
        StoreContract("posting the same conversation again changes nothing, another one is a conflict") { store in
            _ = try await store.furnish()
            let latest = try await store.latestChange()
            let again = try await store.store(
                [.of("c", ["bob", "ada"])], source: "api", mode: .posting, at: .second(8))
            try demand(again, 0)
            try await demandFailure(.conflict("the conversation differs")) {
                _ = try await store.store(
                    [.of("new", ["ada"]), .of("c", ["ada", "bob"], name: "Other")], source: "api", mode: .posting,
                    at: .second(8))
            }
            try demand(try await store.latestChange(), latest)
            try await demandFailure(.noSuchConversation("new")) {
                _ = try await store.roster(of: "new", asker: "ada", at: .second(9))
            }
        },
        StoreContract("importing renews a conversation and removes nobody") { store in
            _ = try await store.furnish()
            let latest = try await store.latestChange()
            let count = try await store.store(
                [.of("c", ["eve"], name: "Pier")], source: "api", mode: .importing, at: .second(7))
            try demand(count, 0)
            let found = try await store.roster(of: "c", asker: "ada", at: .second(8))
            try demand(found.conversation.name, "Pier")
            try demand(found.conversation.updatedAt, .second(7))
            try demand(found.members.map(\.userID), ["ada", "bob", "eve"])
            try demand(try await store.subjects(after: latest), [.conversation])
        },
        StoreContract("in another time zone messages were written on other days: they are announced") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2"), .short("c", "3")])
            try await store.delete(.of("c", "2"), at: .second(6))
            let latest = try await store.latestChange()
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.conversation.timeZone = "Asia/Tokyo"
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(7))
            try demand(try await store.subjects(after: latest), [.message("1"), .message("3"), .conversation])
        },
        StoreContract("an import does not bring back who has left") { store in
            _ = try await store.furnish()
            try await store.removeMember("ada", from: "c", at: .second(5))
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .importing, at: .second(6))
            try await demandFailure(.noSuchConversation("c")) {
                _ = try await store.roster(of: "c", asker: "ada", at: .second(6))
            }
            let member = Member(userID: "ada", displayName: "Ada", joinedAt: .second(7))
            try await store.setMember(member, in: "c", source: "api", at: .second(7))
            try demand(try await store.roster(of: "c", asker: "ada", at: .second(7)).members.first, member)
        },
        StoreContract("bad fields are refused") { store in
            try await demandFailure(.invalid(field: "id", reason: "is not a usable id")) {
                _ = try await store.store([.of("", ["ada"])], source: "api", mode: .posting, at: .second(0))
            }
            try await demandFailure(.invalid(field: "userId", reason: "is not a usable id")) {
                _ = try await store.store([.of("c", ["a\u{1}"])], source: "api", mode: .posting, at: .second(0))
            }
            try await demandFailure(.noSuchConversation("none")) {
                try await store.removeMember("ada", from: "none", at: .second(0))
            }
        },
        StoreContract("an author becomes a user") { store in
            let generation = try await store.furnish()
            _ = try await store.store([.of("old", ["U1", "ada"])], source: "slack", mode: .importing, at: .second(1))
            _ = try await store.store([.of("only", ["U1"])], source: "slack", mode: .importing, at: .second(1))
            _ = try await store.accept(
                [.short("old", "m1", by: "U1"), .short("old", "m2", by: "ada")], source: "slack", mode: .importing,
                at: .second(1))
            try await store.embedAll(of: generation)
            let latest = try await store.latestChange()

            let identity = Identity(source: "slack", externalID: "U1", userID: "ada")
            try demand(try await store.map(identity, at: .second(2)), 1)

            try demand(try await store.identities().filter { $0.externalID == "U1" }, [identity])
            let page = try await store.page(of: "old", asker: "ada", before: nil, limit: 9, at: .second(3))
            try demand(page.map(\.senderID), ["ada", "ada"])
            try demand(try await store.roster(of: "old", asker: "ada", at: .second(3)).members.map(\.userID), ["ada"])
            try demand(try await store.roster(of: "only", asker: "ada", at: .second(3)).members.map(\.userID), ["ada"])
            try demand(try await store.subjects(after: latest), [.conversation, .conversation, .message("m1")])
            let indexed = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(indexed.map(\.senderID), ["ada", "ada"])
            let outcomes = try await store.accept(
                [.short("old", "m1", by: "U1")], source: "slack", mode: .importing, at: .second(4))
            try demand(outcomes, [.unchanged("m1")])
            try await demandFailure(
                .invalid(field: "externalId", reason: "no author of this source has this id")
            ) {
                _ = try await store.map(Identity(source: "slack", externalID: "U9", userID: "ada"), at: .second(4))
            }
        },
    ]

    /// Of `ConversationRepository`: what histories tell about authors.
    package static let authors: [StoreContract] = [
        StoreContract("what a history tells of authors is kept, and does not undo who they are") { store in
            func author(_ id: String, _ name: String?, _ email: String?, isBot: Bool = false) -> Identity {
                Identity(
                    source: "slack", externalID: id, userID: UserID(rawValue: id), name: name, email: email,
                    isBot: isBot)
            }
            try await store.storeAuthors([
                author("U1", "Ada", "ada@example.org"), author("B1", "Clock", nil, isBot: true),
            ])
            _ = try await store.map(Identity(source: "slack", externalID: "U1", userID: "ada"), at: .second(0))

            try await store.storeAuthors([author("U1", "Ada L.", nil), author("B1", nil, nil, isBot: true)])

            let mapped = Identity(
                source: "slack", externalID: "U1", userID: "ada", name: "Ada L.", email: "ada@example.org")
            try demand(try await store.identities(), [author("B1", "Clock", nil, isBot: true), mapped])
        },
        StoreContract("authors with unusable texts are refused together") { store in
            for author in [
                Identity(source: "s", externalID: "", userID: "ada"),
                Identity(source: "s", externalID: "U1", userID: "", name: "Ada"),
                Identity(source: "s", externalID: "U1", userID: "ada", name: "A\0"),
                Identity(source: "s", externalID: "U1", userID: "ada", email: "\0"),
            ] {
                let good = Identity(source: "s", externalID: "U0", userID: "bob")
                do {
                    try await store.storeAuthors([good, author])
                    try demand(false, true)
                } catch RepositoryError.invalid {}
            }
            try demand(try await store.identities(), [])
        },
    ]

    /// Of `ConversationRepository`: who may see what.
    package static let permissions: [StoreContract] = [
        StoreContract("a person sees where he or she is a member, and what is open") { store in
            try await fillPlaces(store)
            let seen = try await store.permitted(SearchScope(asker: "ada", conversations: .all), at: .second(1))
            try demand(seen.map(\.id), ["direct", "group", "open"])
            try demand(seen.map(\.displayName), ["Name of bob", "Harbor", "open"])
            try demand(seen.map(\.isMember), [true, true, false])
            try demand(seen.map(\.timeZone), ["Europe/Berlin", "Europe/Berlin", "Europe/Berlin"])
            try demand(Set(seen.map(\.number)).count, 3)
            let ids = try await store.conversations(asker: "ada", after: "direct", limit: 1, at: .second(1)).map(\.id)
            try demand(ids, ["group"])
        },
        StoreContract("a view has what a scope grants, its people, and the end of the log") { store in
            try await fillPlaces(store)
            let scopes = [
                SearchScope(asker: "ada", conversations: .all),
                SearchScope(asker: "ada", conversations: .only(["foreign", "group"])),
                SearchScope(asker: "nobody", conversations: .only([])),
            ]
            for second in [1, 5] {
                for scope in scopes + scopes {
                    let view = try await store.view(of: scope, at: .second(second))
                    try demand(view.permitted, try await store.permitted(scope, at: .second(second)))
                    try demand(view.people, try await store.people(in: scope, at: .second(second)))
                    try demand(view.end, try await store.latestChange())
                }
                try await store.removeMember("ada", from: "group", at: .second(5))
            }
        },
        StoreContract("a scope only narrows, and an empty one finds nothing") { store in
            try await fillPlaces(store)
            func seen(_ ids: Set<ConversationID>) async throws -> [ConversationID] {
                try await store.permitted(SearchScope(asker: "ada", conversations: .only(ids)), at: .second(1))
                    .map(\.id)
            }
            try demand(try await seen(["foreign", "open", "unknown"]), ["open"])
            try demand(try await seen([]), [])
        },
        StoreContract("who has left sees nothing from that moment on") { store in
            try await fillPlaces(store)
            try await store.removeMember("ada", from: "group", at: .second(5))
            func sees(_ second: Int) async throws -> Bool {
                let scope = SearchScope(asker: "ada", conversations: .only(["group"]))
                return try await store.permitted(scope, at: .second(second)).isEmpty == false
            }
            try demand(try await sees(4), true)
            try demand(try await sees(5), false)
            let latest = try await store.latestChange()
            try await store.removeMember("ada", from: "group", at: .second(6))
            try await store.removeMember("nobody", from: "group", at: .second(6))
            try demand(try await store.latestChange(), latest)
            try await demandFailure(.noSuchConversation("group")) {
                _ = try await store.page(of: "group", asker: "ada", before: nil, limit: 1, at: .second(6))
            }
        },
    ]

    private static func fillPlaces(_ store: any Store) async throws {
        _ = try await store.store(
            [
                .of("group", ["ada", "bob"]), .of("direct", ["ada", "bob"], kind: .direct, name: nil),
                .of("foreign", ["bob"]), .of("open", ["bob"], visibility: .everyone, name: nil),
            ], source: "api", mode: .posting, at: .second(0))
    }
}
