import ChatCore

extension StoreContract {
    private static func scope(_ asker: UserID = "ada") -> SearchScope { SearchScope(asker: asker, conversations: .all) }

    /// Of `MessageRepository`: writing.
    package static let messages: [StoreContract] = [
        StoreContract("every field of a message is kept") { store in
            _ = try await store.furnish()
            let message = Message.complete("c", "m", by: "ada")
            try await store.post([message])
            let found = try await store.messages([message.key], in: scope(), at: .second(1))
            try demand(found, [message.key: message])
        },
        StoreContract("each message of a batch succeeds or fails on its own") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "old")])
            let outcomes = try await store.accept(
                [
                    .short("c", "new"), .short("none", "m"), .short("c", ""), .short("c", "old", "other"),
                    .short("c", "old"), .short("c", "new"), .short("c", "nul", "a\u{0}b"),
                    .short("c", "long", String(repeating: "x", count: Message.textByteLimit + 1)),
                ], source: "api", mode: .posting, at: .second(1))
            try demand(
                outcomes,
                [
                    .inserted, .noSuchConversation, .invalid(field: "id", reason: "is not a usable id"), .conflict,
                    .unchanged("old"), .unchanged("new"),
                    .invalid(field: "text", reason: "holds a NUL character"),
                    .invalid(field: "text", reason: "is longer than 262144 bytes"),
                ])
            let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 9, at: .second(2))
            try demand(page.map(\.text), ["hello", "hello"])
        },
        StoreContract("times that no calendar of four digits names are refused") { store in
            _ = try await store.furnish()
            let edges = [Timestamp.calendar.lowerBound, Timestamp.calendar.upperBound]
            let beyond = [
                edges[0].microseconds - 1, edges[1].microseconds + 1, Int64.min, .max,
            ].map { Timestamp(microseconds: $0) }
            for mode in [AcceptMode.posting, .importing] {
                for moment in beyond {
                    var late = Message.short("c", "m")
                    late.timestamp = moment
                    var edited = Message.short("c", "m")
                    edited.editedAt = moment
                    try demand(
                        try await store.accept([late, edited], source: "api", mode: mode, at: .second(1)),
                        ["timestamp", "editedAt"].map { .invalid(field: $0, reason: Timestamp.calendarRule) })
                    try await demandFailure(.invalid(field: "createdAt", reason: Timestamp.calendarRule)) {
                        var roster = ConversationRoster.of("x", ["ada"])
                        roster.conversation.createdAt = moment
                        _ = try await store.store([roster], source: "api", mode: mode, at: .second(1))
                    }
                    try await demandFailure(.invalid(field: "joinedAt", reason: Timestamp.calendarRule)) {
                        try await store.setMember(
                            Member(userID: "eve", displayName: "Eve", joinedAt: moment), in: "c", source: "api",
                            at: .second(1))
                    }
                    try await demandFailure(.invalid(field: "leftAt", reason: Timestamp.calendarRule)) {
                        try await store.setMember(
                            Member(userID: "eve", displayName: "Eve", joinedAt: .second(0), leftAt: moment), in: "c",
                            source: "api", at: .second(1))
                    }
                }
            }
            for (id, moment) in zip(["first", "last"] as [MessageID], edges) {
                var message = Message.short("c", id)
                message.timestamp = moment
                try demand(
                    try await store.accept([message], source: "api", mode: .posting, at: .second(1)), [.inserted])
            }
        },
        StoreContract("an import renews other content") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "m")])
            try await store.embedAll(of: generation)
            let latest = try await store.latestChange()
            let passage = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)[0].number

            let outcomes = try await store.accept(
                [.short("c", "m", "renewed")], source: "api", mode: .importing, at: .second(1))

            try demand(outcomes, [.updated])
            try demand(try await store.subjects(after: latest), [.message("m"), .retired(passage)])
            let item = try await store.claim(9, for: generation, until: .second(9), at: .second(2))
            try demand(item.map(\.searchableText), ["renewed"])
        },
        StoreContract("a reaction costs no vector") { store in
            let generation = try await store.furnish()
            var message = Message.short("c", "m")
            try await store.post([message])
            try await store.embedAll(of: generation)
            message.reactions = [Message.Reaction(emoji: "👍", userIDs: ["bob"])]
            message.timestamp = .second(77)
            let outcomes = try await store.accept([message], source: "api", mode: .importing, at: .second(1))
            try demand(outcomes, [.updated])
            try demand(try await store.status(of: generation).embeddedCount, 1)
            let indexed = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(indexed.map(\.timestamp), [.second(77)])
        },
        StoreContract("messages of one call know of each other") { store in
            _ = try await store.furnish()
            let batch: [Message] = [
                .short("c", "m1", localID: "l"), .short("c", "m2", localID: "l"), .short("c", "m1", localID: "l"),
                .short("c", "m3", by: "bob", localID: "l"), .short("c", "m4"),
            ]
            try demand(
                try await store.accept(batch, source: "api", mode: .posting, at: .second(1)),
                [.inserted, .unchanged("m1"), .unchanged("m1"), .inserted, .inserted])
            let renewals: [Message] = [
                .short("c", "m1", "renewed", localID: "other"), .short("c", "m1", "again", localID: "other"),
                .short("c", "m5", localID: "other"), .short("c", "m6", localID: "l"),
            ]
            try demand(
                try await store.accept(renewals, source: "api", mode: .importing, at: .second(2)),
                [.updated, .updated, .unchanged("m1"), .inserted])
        },
        StoreContract("the same local id of the same sender is the same message") { store in
            _ = try await store.furnish()
            _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("c", "m1", localID: "l")])
            let outcomes = try await store.accept(
                [
                    .short("c", "m2", "other", localID: "l"), .short("c", "m3", by: "bob", localID: "l"),
                    .short("d", "m1", localID: "l"),
                ], source: "api", mode: .posting, at: .second(1))
            try demand(outcomes, [.unchanged("m1"), .inserted, .inserted])
            try await store.delete(.of("c", "m1"), at: .second(2))
            let again = try await store.accept(
                [.short("c", "m9", localID: "l")], source: "api", mode: .posting, at: .second(3))
            try demand(again, [.deletedBefore])
        },
        StoreContract("an edit takes the old vector away at once") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "m")])
            try await store.embedAll(of: generation)
            let latest = try await store.latestChange()

            let edited = try await store.edit(.of("c", "m"), text: "new text", at: .second(4))

            try demand(edited.text, "new text")
            try demand(edited.editedAt, .second(4))
            let found = try await store.messages([edited.key], in: scope(), at: .second(5))
            try demand(found, [edited.key: edited])
            let rest = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(rest, [])
            try demand(
                try await store.subjects(after: latest), [.message("m"), .retired(PassageNumber(rawValue: 1))])
            try demand(try await store.status(of: generation).pendingCount, 1)
            try await demandFailure(.noSuchMessage(.of("c", "x"))) {
                _ = try await store.edit(.of("c", "x"), text: "a", at: .second(5))
            }
            try await demandFailure(.invalid(field: "text", reason: "holds a NUL character")) {
                _ = try await store.edit(.of("c", "m"), text: "a\u{0}", at: .second(5))
            }
        },
        StoreContract("a deleted message is gone for good") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "m"), .short("c", "rest")])
            try await store.embedAll(of: generation)

            try await store.delete(.of("c", "m"), at: .second(4))
            let latest = try await store.latestChange()
            try await store.delete(.of("c", "m"), at: .second(5))

            try demand(try await store.latestChange(), latest)
            let page = try await store.page(of: "c", asker: "ada", before: nil, limit: 9, at: .second(6))
            try demand(page.map(\.key.messageID), ["rest"])
            let rest = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(rest.map(\.messageKey.messageID), ["rest"])
            for mode in [AcceptMode.posting, .importing] {
                let outcomes = try await store.accept(
                    [.short("c", "m")], source: "api", mode: mode, at: .second(6))
                try demand(outcomes, [.deletedBefore])
            }
            try demand(
                try await store.status(of: generation),
                QueueStatus(
                    embeddableCount: 1, embeddedCount: 1, pendingCount: 0, failedCount: 0, oldestPending: nil))
            try await demandFailure(.noSuchMessage(.of("c", "m"))) {
                _ = try await store.edit(.of("c", "m"), text: "a", at: .second(5))
            }
            try await demandFailure(.noSuchMessage(.of("c", "x"))) {
                try await store.delete(.of("c", "x"), at: .second(5))
            }
        },
    ]

    /// Of `MessageRepository`: reading.
    package static let messageReads: [StoreContract] = [
        StoreContract("an id that continues after a NUL is another one") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m")])
            let other = MessageKey(conversationID: "c", messageID: "m\u{0}x")
            try demand(try await store.messages([other], in: scope(), at: .second(1)), [:])
            try await demandFailure(.noSuchMessage(other)) {
                _ = try await store.edit(other, text: "changed", at: .second(1))
            }
            try await demandFailure(.noSuchMessage(other)) { try await store.delete(other, at: .second(1)) }
            let messages = try await store.messages([.of("c", "m")], in: scope(), at: .second(1))
            try demand(messages.values.map(\.text), ["hello"])
        },
        StoreContract("a page holds the newest first, in a stable order") { store in
            _ = try await store.furnish()
            try await store.post([
                .short("c", "z", at: 2), .short("c", "a", at: 2), .short("c", "late", at: 9),
                .short("c", "early", at: 1),
            ])
            func page(before: MessageID?, _ limit: Int) async throws -> [MessageID] {
                try await store.page(of: "c", asker: "bob", before: before, limit: limit, at: .second(10))
                    .map(\.key.messageID)
            }
            try demand(try await page(before: nil, 2), ["late", "a"])
            try demand(try await page(before: "a", 9), ["z", "early"])
            try await store.delete(.of("c", "a"), at: .second(10))
            try demand(try await page(before: "a", 9), ["z", "early"])
            try demand(try await page(before: nil, 0), [])
            try await demandFailure(.noSuchMessage(.of("c", "x"))) { _ = try await page(before: "x", 1) }
        },
        StoreContract("a later page holds the next ones first, in the same order") { store in
            _ = try await store.furnish()
            try await store.post([
                .short("c", "z", at: 2), .short("c", "a", at: 2), .short("c", "late", at: 9),
                .short("c", "early", at: 1),
            ])
            func page(after: MessageID, _ limit: Int) async throws -> [MessageID] {
                try await store.page(of: "c", asker: "bob", after: after, limit: limit, at: .second(10))
                    .map(\.key.messageID)
            }
            try demand(try await page(after: "early", 2), ["z", "a"])
            try demand(try await page(after: "z", 9), ["a", "late"])
            try await store.delete(.of("c", "a"), at: .second(10))
            try demand(try await page(after: "z", 9), ["late"])
            try demand(try await page(after: "late", 9), [])
            try await demandFailure(.noSuchMessage(.of("c", "x"))) { _ = try await page(after: "x", 1) }
            try await demandFailure(.noSuchConversation("c")) {
                _ = try await store.page(of: "c", asker: "eve", after: "z", limit: 1, at: .second(1))
            }
        },
        StoreContract("a time leads to the first message from then on, with its neighbours") { store in
            _ = try await store.furnish()
            try await store.post([
                .short("c", "z", at: 2), .short("c", "a", at: 2), .short("c", "late", at: 9),
                .short("c", "early", at: 1),
            ])
            func found(_ time: Timestamp, _ earlier: Int = 9, _ later: Int = 9) async throws -> [[MessageID]] {
                let found = try await store.messages(
                    of: "c", from: time, asker: "bob", earlier: earlier, later: later, at: .second(10))
                return [found.earlier, [found.message].compactMap(\.self), found.later].map { $0.map(\.key.messageID) }
            }
            try demand(try await found(.second(2)), [["early"], ["z"], ["a", "late"]])
            try demand(try await found(.second(3), 1, 0), [["a"], ["late"], []])
            try demand(try await found(.second(10), 2, 2), [["late", "a"], [], []])
            try demand(try await found(.second(0), 2, 2), [[], ["early"], ["z", "a"]])
            try demand(try await found(Timestamp(microseconds: .min), 2, 0), [[], ["early"], []])
            try demand(try await found(Timestamp(microseconds: .max), 0, 9), [[], [], []])
            try await store.delete(.of("c", "z"), at: .second(10))
            try demand(try await found(.second(2)), [["early"], ["a"], ["late"]])
            for id in ["c", "unknown"] as [ConversationID] {
                try await demandFailure(.noSuchConversation(id)) {
                    _ = try await store.messages(
                        of: id, from: .second(0), asker: "eve", earlier: 1, later: 1, at: .second(10))
                }
            }
        },
        StoreContract("a foreign and an unknown conversation answer alike") { store in
            _ = try await store.furnish()
            for id in ["c", "unknown"] as [ConversationID] {
                try await demandFailure(.noSuchConversation(id)) {
                    _ = try await store.page(of: id, asker: "eve", before: nil, limit: 1, at: .second(1))
                }
            }
        },
        StoreContract("only what the scope holds is read") { store in
            _ = try await store.furnish()
            _ = try await store.store([.of("d", ["bob"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("c", "1"), .short("d", "1", by: "bob")])
            let keys: [MessageKey] = [.of("c", "1"), .of("d", "1"), .of("c", "2"), .of("c", "1")]
            func found(_ scope: SearchScope) async throws -> Set<MessageKey> {
                Set(try await store.messages(keys, in: scope, at: .second(1)).keys)
            }
            try demand(try await found(scope("ada")), [.of("c", "1")])
            try demand(try await found(scope("bob")), [.of("c", "1"), .of("d", "1")])
            try demand(try await found(SearchScope(asker: "bob", conversations: .only(["d"]))), [.of("d", "1")])
            try demand(try await found(SearchScope(asker: "bob", conversations: .only([]))), [])
        },
        StoreContract("candidates are read within a scope, each once, in the order asked for") { store in
            let generation = try await store.furnish()
            _ = try await store.store([.of("d", ["bob"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("c", "1"), .short("c", "2", at: 1), .short("d", "1", by: "bob", at: 2)])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            try demand(items.map(\.messageKey), [.of("d", "1"), .of("c", "2"), .of("c", "1")])
            _ = try await store.commit(items.map { .of($0, passages: 2) }, at: .second(1))
            // c 1, c 2, d 1
            let all = try await store.indexedMessages(after: .init(rawValue: 0), limit: 9).map(\.number)
            let wanted = [all[0], all[2], .init(rawValue: 99), all[1], all[0]]
            func found(
                _ scope: SearchScope, at second: Int = 1, passagesOf generation: GenerationNumber? = generation
            ) async throws -> [[MessageKey: [Int64]]] {
                try await store.visible(wanted, passagesOf: generation, in: scope, at: .second(second)).map {
                    [$0.message.key: $0.passages.map(\.number.rawValue)]
                }
            }
            try demand(
                try await found(scope("bob")),
                [[.of("c", "1"): [5, 6]], [.of("d", "1"): [1, 2]], [.of("c", "2"): [3, 4]]])
            try demand(try await found(scope("ada")), [[.of("c", "1"): [5, 6]], [.of("c", "2"): [3, 4]]])
            try demand(try await found(scope("eve")), [])
            try demand(
                try await found(SearchScope(asker: "bob", conversations: .only(["d", "x"]))), [[.of("d", "1"): [1, 2]]])
            try demand(try await found(SearchScope(asker: "ada", conversations: .only(["d"]))), [])
            try demand(try await found(SearchScope(asker: "bob", conversations: .only([]))), [])
            let seen = try await store.permitted(scope("bob"), at: .second(1))
            let places = try await store.visible(
                wanted, passagesOf: generation, in: scope("bob"), at: .second(1)
            ).map(\.conversation)
            try demand(places, ["c", "d", "c"].compactMap { id in seen.first { $0.id == id }?.number })

            try demand(
                try await found(scope("bob"), passagesOf: nil),
                [[.of("c", "1"): []], [.of("d", "1"): []], [.of("c", "2"): []]])

            try await store.removeMember("ada", from: "c", at: .second(5))
            try await store.delete(.of("c", "2"), at: .second(5))

            try demand(try await found(scope("ada"), at: 4), [[.of("c", "1"): [5, 6]]])
            try demand(try await found(scope("ada"), at: 6), [])
        },
        StoreContract("messages are indexed with what can be found of them, until they are deleted") { store in
            _ = try await store.furnish()
            var reply = Message.short("c", "2", by: "bob", "see below", at: 7)
            reply.threadRootID = "1"
            reply.attachments = [Message.Attachment(name: "a.png", caption: "a map")]
            let notice = Message(
                key: .of("c", "3"), senderID: "ada", senderName: "Ada", text: "Ada joined", kind: .system,
                timestamp: .second(8))
            try await store.post([.short("c", "1"), reply, notice])
            let all = try await store.indexedMessages(after: .init(rawValue: 0), limit: 9)
            try demand(all.map { $0.content?.text }, ["hello", "see below [a map]", nil])
            try demand(all.map { $0.content?.senderID }, ["ada", "bob", nil])
            try demand(all.map { $0.content?.timestamp }, [.second(0), .second(7), nil])
            try demand(all.map { $0.content?.threadRootID }, [nil, "1", nil])
            try demand(all.map { $0.content?.kinds }, [[], ContentKinds([.file, .image]), nil])
            try demand(try await store.indexedMessages(after: all[0].number, limit: 1), [all[1]])

            try await store.delete(.of("c", "2"), at: .second(9))

            let keys: [MessageKey] = [.of("c", "2"), .of("c", "1"), .of("x", "1"), .of("c", "2")]
            let some = try await store.indexedMessages(of: keys)
            try demand(some.map(\.number), [all[0].number, all[1].number])
            try demand(some.map { $0.content?.text }, ["hello", nil])
        },
        StoreContract("the people of a scope have all their names, past members too") { store in
            _ = try await store.furnish()
            let moment = Timestamp.second(0)
            _ = try await store.store([.of("d", ["bob"])], source: "api", mode: .posting, at: moment)
            let bob = Member(userID: "bob", displayName: "Bobby", aliases: ["Rob", "B"], joinedAt: moment)
            try await store.setMember(bob, in: "d", source: "api", at: moment)
            let names = try await store.people(in: scope("bob"), at: moment)
            let inBoth = names.first { $0.userID == "bob" }
            try demand(inBoth?.aliases, ["B", "Rob"])
            try demand(inBoth?.names.count, 2)
            try demand(inBoth?.names.contains("Bobby"), true)
            try demand(names.map(\.userID), names.map(\.userID).sorted())
            try await store.removeMember("bob", from: "c", at: .second(3))
            let seen = try await store.people(in: scope("ada"), at: .second(4))
            try demand(seen.map(\.userID).contains("bob"), true)
            try demand(seen.first { $0.userID == "bob" }?.names.contains("Bobby"), false)
            try demand(try await store.people(in: scope("eve"), at: .second(4)), [])
        },
    ]
}
