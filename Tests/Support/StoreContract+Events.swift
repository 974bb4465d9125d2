import ChatCore

extension StoreContract {
    /// Of `EventIntake`.
    package static let events: [StoreContract] = [
        StoreContract("an event counts once, and is forgotten after a week") { store in
            _ = try await store.furnish()
            try demand(try await store.tell("e1", 1, .short("c", "m", "one")), .stored)
            try demand(try await store.tell("e1", 9, .short("c", "m", "nine")), .duplicate)
            try demand(try await store.tell("e1", 2, .short("c", "m", "two"), source: "other"), .stored)
            try demand(try await store.text(of: "m"), "two")
            try demand(try await store.tell("e1", 3, .short("c", "m", "three"), at: 604_800), .duplicate)
            try demand(try await store.tell("e1", 3, .short("c", "m", "three"), at: 604_801), .stored)
        },
        StoreContract("the later state counts, in whatever order events come") { store in
            let generation = try await store.furnish()
            try demand(try await store.tell("e2", 20, .short("c", "m", "later")), .stored)
            try demand(try await store.tell("e1", 10, .short("c", "m", "earlier")), .outdated)
            try demand(try await store.text(of: "m"), "later")
            try demand(try await store.tell("e3", 20, .short("c", "m", "later")), .stored)
            try demand(try await store.tell("e4", 30, .short("c", "m", "latest")), .stored)
            let found = try await store.message("m")
            try demand(found?.text, "latest")
            try demand(found?.editedAt, .second(30))
            try demand(try await store.tellDeleted("e5", 25, "m"), .outdated)
            try demand(try await store.tellDeleted("e6", 40, "m"), .deleted)
            try demand(try await store.message("m"), nil)
            try demand(try await store.tell("e7", 50, .short("c", "m", "again")), .deletedBefore)
            try demand(try await store.pendingCount(of: generation), 0)
        },
        StoreContract("a message that was deleted before it came does not come") { store in
            _ = try await store.furnish()
            try demand(try await store.tellDeleted("e2", 20, "m"), .deleted)
            try demand(try await store.tellDeleted("e3", 20, "m"), .deleted)
            try demand(try await store.tell("e1", 10, .short("c", "m")), .deletedBefore)
            let outcomes = try await store.accept(
                [.short("c", "m")], source: "history", mode: .importing, at: .second(60))
            try demand(outcomes, [.deletedBefore])
            let strange = SourceEvent(
                id: "e", source: "s", stateTime: .second(1), subject: .message(.of("x", "y"), nil))
            try demand(try await store.take(strange, authorSource: "api", at: .second(1)), .deleted)
        },
        StoreContract("a conversation that was deleted before it came comes only with a later state") { store in
            let deletion = SourceEvent(
                id: "e2", source: "s", stateTime: .second(20), subject: .conversation("c", nil))
            try demand(try await store.take(deletion, authorSource: "api", at: .second(60)), .deleted)
            let earlier = SourceEvent(
                id: "e0", source: "s", stateTime: .second(15), subject: .conversation("c", nil))
            try demand(try await store.take(earlier, authorSource: "api", at: .second(60)), .outdated)
            try demand(try await store.tell("e1", 10, ["ada"], name: "Pier"), .outdated)
            try await demandFailure(.noSuchConversation("c")) {
                _ = try await store.roster(of: "c", asker: "ada", at: .second(99))
            }
            try demand(try await store.tell("e3", 19, .short("c", "m")), .outdated)
            try demand(try await store.tell("e4", 21, .short("c", "n")), .noSuchConversation)
            try demand(try await store.tell("e5", 30, ["ada"], name: "Quay"), .stored)
            try demand(try await store.tell("e4", 21, .short("c", "n")), .stored)
            try demand(try await store.roster(of: "c", asker: "ada", at: .second(99)).conversation.name, "Quay")
        },
        StoreContract("an event keeps what it does not tell of") { store in
            _ = try await store.furnish()
            let full = Message.complete("c", "m", by: "ada")
            _ = try await store.accept([full], source: "api", mode: .posting, at: .second(0))
            var told = Message.short("c", "m", "told", at: 7)
            told.senderName = ""
            try demand(try await store.tell("e1", 10, told), .stored)
            var wanted = full
            (wanted.text, wanted.timestamp, wanted.editedAt) = ("told", .second(7), .second(10))
            try demand(try await store.message("m"), wanted)
            var unnamed = Message.short("c", "n", by: "bob")
            unnamed.senderName = ""
            try demand(try await store.tell("e2", 10, unnamed), .stored)
            try demand(try await store.message("n")?.senderName, "Name of bob")
        },
        StoreContract("an event that cannot be taken can be sent again") { store in
            try demand(try await store.tell("e1", 1, .short("c", "m")), .noSuchConversation)
            _ = try await store.furnish()
            try demand(
                try await store.tell("e1", 1, .short("c", "m", "a\0b")),
                .invalid(field: "text", reason: "holds a NUL character"))
            try demand(try await store.tell("e1", 1, .short("c", "m")), .stored)
            try demand(
                try await store.tell("", 1, .short("c", "m")),
                .invalid(field: "id", reason: "must have 1 to 1024 bytes"))
        },
        StoreContract("another system reports a conversation: members come and go") { store in
            try demand(try await store.tell("e1", 10, ["ada", "bob"], name: "Pier"), .stored)
            try demand(try await store.tell("e3", 30, ["ada", "eve"], name: "Quay"), .stored)
            try demand(try await store.tell("e2", 20, ["ada", "bob", "dan"], name: "Old"), .outdated)
            let roster = try await store.roster(of: "c", asker: "ada", at: .second(99))
            try demand(roster.conversation.name, "Quay")
            try demand(roster.members.map(\.userID), ["ada", "bob", "eve"])
            try demand(roster.members.map(\.joinedAt), [.second(-100), .second(-100), .second(30)])
            try demand(roster.members.map(\.leftAt), [nil, .second(30), nil])
            try demand(roster.members.map(\.displayName), ["ada", "bob", "eve"])
            try demand(try await store.tell("e4", 40, ["ada", "bob"], name: nil), .stored)
            let back = try await store.roster(of: "c", asker: "ada", at: .second(99))
            try demand(back.conversation.name, "Quay")
            try demand(back.members.map(\.leftAt), [nil, nil, .second(40)])
            let deletion = SourceEvent(
                id: "e5", source: "s", stateTime: .second(50), subject: .conversation("c", nil))
            try demand(try await store.take(deletion, authorSource: "api", at: .second(60)), .deleted)
            try await demandFailure(.noSuchConversation("c")) {
                _ = try await store.roster(of: "c", asker: "ada", at: .second(99))
            }
        },
    ]
}

extension Store {
    fileprivate func tell(
        _ id: String, _ stateSecond: Int, _ message: Message, source: String = "s", at second: Int = 0
    ) async throws -> EventOutcome {
        let event = SourceEvent(
            id: id, source: source, stateTime: .second(stateSecond), subject: .message(message.key, message))
        return try await take(event, authorSource: "api", at: .second(second))
    }

    fileprivate func tellDeleted(_ id: String, _ stateSecond: Int, _ message: MessageID) async throws -> EventOutcome {
        let event = SourceEvent(
            id: id, source: "s", stateTime: .second(stateSecond), subject: .message(.of("c", message), nil))
        return try await take(event, authorSource: "api", at: .second(60))
    }

    fileprivate func tell(
        _ id: String, _ stateSecond: Int, _ members: [UserID], name: String?
    ) async throws -> EventOutcome {
        var roster = ConversationRoster.of("c", members, name: name)
        for index in roster.members.indices { roster.members[index].displayName = "" }
        let event = SourceEvent(
            id: id, source: "s", stateTime: .second(stateSecond), subject: .conversation("c", roster))
        return try await take(event, authorSource: "api", at: .second(60))
    }

    fileprivate func message(_ id: MessageID) async throws -> Message? {
        let key = MessageKey.of("c", id)
        let scope = SearchScope(asker: "ada", conversations: .all)
        return try await messages([key], in: scope, at: .second(99))[key]
    }

    fileprivate func text(of id: MessageID) async throws -> String? { try await message(id)?.text }
}
