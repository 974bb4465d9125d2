import ChatCore

extension StoreContract {
    /// Of `ImportedChatRepository`.
    package static let importedChats: [StoreContract] = [
        StoreContract("imported conversations have the times of their messages, by source") { store in
            try await importChat(store, "a", [.short("a", "1", at: 5), .short("a", "2", at: 9)])
            _ = try await store.store([.of("b", ["bob"])], source: "slack", mode: .importing, at: .second(0))
            _ = try await store.store([.of("c", ["ada"])], source: "other", mode: .importing, at: .second(0))
            try demand(
                try await store.importedChats(of: "slack"),
                [
                    ImportedChat(id: "a", name: "Harbor", first: .second(5), last: .second(9)),
                    ImportedChat(id: "b", name: "Harbor", first: nil, last: nil),
                ])
            try demand(try await store.importedChats(of: "none"), [])
        },
        StoreContract("lines come by time and arrival, page by page, deleted ones apart") { store in
            var withFile = Message.short("a", "3", by: "bob", "", at: 7)
            withFile.attachments = [Message.Attachment(name: "plan.pdf")]
            try await importChat(
                store, "a",
                [.short("a", "1", "one", at: 9), .short("a", "2", "two", at: 7), withFile, .short("a", "4", at: 8)])
            try await store.delete(.of("a", "4"), at: .second(20))
            _ = try await store.map(Identity(source: "slack", externalID: "bob", userID: "bob.b"), at: .second(21))

            let first = try await store.importedLines(of: "a", after: .start, limit: 2)
            try demand(first.map(\.id), ["2", "3"])
            try demand(first.map(\.text), ["two", ""])
            try demand(first.map(\.hasFiles), [false, true])
            // The author of the source, whoever it was mapped to.
            try demand(first.map(\.authorID), ["ada", "bob"])
            try demand(first.map(\.authorName), ["Name of ada", "Name of bob"])
            try demand(first.map(\.source), ["slack", "slack"])
            try demand(first.map(\.place.timestamp), [.second(7), .second(7)])
            guard let last = first.last else { return }
            try demand(try await store.importedLines(of: "a", after: last.place, limit: 2).map(\.id), ["1"])
            let deleted = try await store.deletedLines(of: "a")
            try demand(deleted.map(\.id), ["4"])
            try demand(deleted.map(\.isDeleted), [true])
            try demand(deleted.map(\.place.timestamp), [.second(8)])
            try demand(try await store.importedLines(of: "none", after: .start, limit: 2), [])
            try demand(try await store.deletedLines(of: "none"), [])
        },
        StoreContract("an author is in the conversations with a membership or a message of it") { store in
            try await importChat(store, "a", [.short("a", "1", by: "eve"), .short("a", "2", by: "eve")])
            _ = try await store.store([.of("b", ["eve"])], source: "slack", mode: .importing, at: .second(0))
            _ = try await store.store([.of("c", ["eve"])], source: "other", mode: .importing, at: .second(0))
            let places = try await store.places(of: "eve", source: "slack")
            try demand(places.map(\.id), ["a", "b"])
            try demand(places.map(\.messageCount), [2, 0])
            try demand(try await store.places(of: "nobody", source: "slack"), [])
        },
        StoreContract("an author of one conversation is mapped without that of another one") { store in
            for id: ConversationID in ["a", "b"] {
                try await importChat(
                    store, id, [.short(id, "1", by: "mum"), .short(id, "2", by: "bob")], ["bob", "mum"])
            }
            let mum = Identity(source: "slack", externalID: "mum", userID: "mum.of.bob")
            try demand(try await store.map(mum, in: "a", as: "mum-a", at: .second(30)), 1)

            try demand(try await readers(store, "a"), ["bob", "mum.of.bob"])
            try demand(try await readers(store, "b"), ["bob", "mum"])
            try demand(
                try await store.importedLines(of: "a", after: .start, limit: 9).map(\.authorID), ["mum-a", "bob"])
            try demand(try await store.places(of: "mum", source: "slack").map(\.id), ["b"])
            try demand(try await store.places(of: "mum-a", source: "slack").map(\.id), ["a"])
            let scope = SearchScope(asker: "mum.of.bob", conversations: .all)
            try demand(try await store.permitted(scope, at: .second(31)).map(\.id), ["a"])
            // Again, now as a separate author.
            let again = Identity(source: "slack", externalID: "mum-a", userID: "mum.b")
            try demand(try await store.map(again, in: "a", as: "mum-a", at: .second(32)), 1)
            try demand(try await readers(store, "a"), ["bob", "mum.b"])
        },
        StoreContract("an author who is not in the conversation is not mapped") { store in
            try await importChat(store, "a", [.short("a", "1", by: "bob")], ["bob"])
            try await importChat(store, "b", [.short("b", "1", by: "mum")], ["mum"])
            let mum = Identity(source: "slack", externalID: "mum", userID: "eve")
            let reason = "this author is not in the conversation"
            try await demandFailure(.invalid(field: "externalId", reason: reason)) {
                _ = try await store.map(mum, in: "a", as: "mum-a", at: .second(30))
            }
            try await demandFailure(.noSuchConversation("none")) {
                _ = try await store.map(mum, in: "none", as: "mum-a", at: .second(30))
            }
            let nobody = Identity(source: "slack", externalID: "nobody", userID: "eve")
            try await demandFailure(.invalid(field: "externalId", reason: "no author of this source has this id")) {
                _ = try await store.map(nobody, in: "a", as: "nobody-a", at: .second(30))
            }
            try demand(try await store.identities().map(\.externalID), ["bob", "mum"])
        },
    ]

    private static func importChat(
        _ store: any Store, _ id: ConversationID, _ messages: [Message], _ members: [UserID] = ["ada", "bob"]
    ) async throws {
        _ = try await store.store([.of(id, members)], source: "slack", mode: .importing, at: .second(0))
        _ = try await store.accept(messages, source: "slack", mode: .importing, at: .second(1))
    }

    private static func readers(_ store: any Store, _ id: ConversationID) async throws -> [UserID] {
        try await store.roster(of: id).members.map(\.userID)
    }
}
