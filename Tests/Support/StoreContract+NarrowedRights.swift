import ChatCore

extension StoreContract {
    /// Of what is derived from messages whose readers differ; for databases, the store in memory does not do this.
    package static let narrowedRights: [StoreContract] = [
        StoreContract("an extraction reads messages of the same readers, with what all of these may read") { store in
            try await store.furnishLimited()
            let start = try await store.latestChange()
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.setMember(.since("eve", 25), in: "c", source: "api", at: .second(25))
            let early = try await store.addItem("early", of: "m2", readingThrough: start)
            let lease = try await store.beginExtraction(
                of: .decision, in: "c", asker: "ada", leaseID: "l", until: .second(99), at: .second(50))
            var batches: [ExtractionBatch] = []
            repeat {
                let batch = try await store.nextMessages(for: lease, limit: 10, contextLimit: 9)
                batches.append(batch)
                try await store.commit(
                    ItemChanges(), of: lease, through: batch.end, until: .second(99), at: .second(51))
            } while batches.last?.isLast == false && batches.count < 9

            try demand(batches.map { $0.messages.map(\.key.messageID) }, [["m1", "m2"], ["m3", "m4"]])
            try demand(batches.map { $0.context.map(\.key.messageID) }, [[], []])
            try demand(batches.map(\.unshownIDs), [[], [early]])
            try demand(batches.map(\.apartIDs), [[], [early]])
        },
        StoreContract("what everybody may read is shown beside messages of fewer readers, and stays") { store in
            try await store.furnishLimited()
            try await store.setMember(.since("eve", 5), in: "c", source: "api", at: .second(5))
            let start = try await store.latestChange()
            try await store.post([.short("c", "m1", at: 10)])
            let shared = try await store.addItem("shared", of: "m1", readingThrough: start)
            try await store.removeMember("eve", from: "c", at: .second(15))
            try await store.post([.short("c", "m2", at: 20)])
            let lease = try await store.beginExtraction(
                of: .decision, in: "c", asker: "ada", leaseID: "l", until: .second(99), at: .second(50))
            let first = try await store.nextMessages(for: lease, limit: 10, contextLimit: 9)
            try await store.commit(ItemChanges(), of: lease, through: first.end, until: .second(99), at: .second(51))
            let second = try await store.nextMessages(for: lease, limit: 10, contextLimit: 9)

            try demand(second.messages.map(\.key.messageID), ["m2"])
            try demand(second.context.map(\.key.messageID), ["m1"])
            try demand(second.unshownIDs, [])
            try demand(second.apartIDs, [shared])
        },
        StoreContract("an extraction begins with the items and messages that its asker may read") { store in
            try await store.furnishLimited()
            let start = try await store.latestChange()
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.setMember(.since("eve", 25), in: "c", source: "api", at: .second(25))
            let early = try await store.addItem("early", of: "m2", readingThrough: start)
            let late = try await store.addItem("late", of: "m4", readingThrough: start)
            let limits = ExtractionLimits(messages: 10, context: 9, known: 9)
            var moment = 100
            for (asker, items, shown) in [
                ("ada", [early, late], ["m2", "m4"]), ("eve", [late], ["m4"]),
            ] as [(UserID, Set<ItemID>, Set<MessageID>)] {
                let beginning = try await store.beginExtraction(
                    of: .decision, in: "c", asker: asker, leaseID: "of \(asker)", until: .second(moment + 60),
                    reading: limits, at: .second(moment))
                moment += 100
                try demand(Set(beginning.items.map(\.id)), items)
                try demand(beginning.batch.messages.map(\.key.messageID), ["m1", "m2"])
                try demand(beginning.batch.shownItems(limit: 9).map(\.id), [early, late])
                try demand(Set(beginning.knownMessages.keys.map(\.messageID)), shown)
            }
        },
        StoreContract("an item does not name the one that replaces it to somebody who may not read that") { store in
            try await store.furnishLimited()
            try await store.setMember(.since("eve", 5), in: "c", source: "api", at: .second(5))
            try await store.post([.short("c", "m1", at: 10), .short("c", "m2", at: 20)])
            try await store.removeMember("eve", from: "c", at: .second(15))
            try await store.setMember(.since("eve", 25), in: "c", source: "api", at: .second(25))
            let start = try await store.latestChange()
            _ = try await store.addItem("new", of: "m2", readingThrough: start)
            let old = try await store.addItem("old", of: "m1", replacedBy: "new", readingThrough: start)
            for (user, wanted) in [("ada", "new"), ("eve", nil)] as [(UserID, ItemID?)] {
                let scope = SearchScope(asker: user, conversations: .all)
                let found = try await store.items(of: .decision, in: scope, at: .second(40)).filter { $0.id == old }
                try demand(found.map(\.supersededByID), [wanted])
                let edited = try await store.edit(
                    old, ItemEdit(text: "by \(user)"), kind: .decision, in: scope, at: .second(41))
                try demand(edited.supersededByID, wanted)
                let told = try await store.itemChanges(
                    of: .decision, in: "c", asker: user, after: nil, limit: 9, at: .second(42))
                try demand(told.items.filter { $0.id == old }.map(\.supersededByID), [wanted])
            }
            // Her edit did not take it from others.
            let scope = SearchScope(asker: "ada", conversations: .all)
            let found = try await store.items(of: .decision, in: scope, at: .second(43)).filter { $0.id == old }
            try demand(found.map(\.supersededByID), ["new"])
        },
        StoreContract("an answer about a whole conversation goes when its asker may read less of that") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1", at: 1)])
            for (id, asker) in [("t1", "ada"), ("t2", "bob")] as [(TurnID, UserID)] {
                var turn = Turn.of(id, "what was said", by: asker, at: 2)
                turn.wholeConversationID = "c"
                try await store.record(turn)
            }
            try await store.record(.of("t3", "and then", by: "bob", at: 3, after: ["t2"]))
            let since = try await store.latestChange()
            let basis = ReadBasis(asker: "ada", keys: [], extent: try await store.extent(of: "c"), since: since)
            try demand(try await store.isUnchanged(basis, at: .second(4)), true)

            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.conversation.history = .joined
            roster.rights = ReadingRights(own: ["ada": [ReadingSpan()], "bob": [ReadingSpan(since: .second(2))]])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(9))

            try demand(try await store.turn("t1", of: "ada").answer, "answer to what was said")
            try demand(try await store.turn("t2", of: "bob").redaction, .sourceDeleted)
            try demand(try await store.turn("t3", of: "bob").answer, "")
            try demand(try await store.isUnchanged(basis, at: .second(10)), false)
        },
        StoreContract("messages of another time take no place among those that say the same") { store in
            var roster = ConversationRoster.of("c", ["ada"])
            roster.conversation.history = .joined
            _ = try await store.store([roster], source: "api", mode: .posting, at: .second(0))
            let generation = try await store.beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0))
                .number
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.setMember(.since("eve", 5), in: "c", source: "api", at: .second(5))
            try await store.removeMember("eve", from: "c", at: .second(25))
            try await store.setMember(.since("eve", 50), in: "c", source: "api", at: .second(50))
            for item in try await store.claim(9, for: generation, until: .second(60), at: .second(51)) {
                _ = try await store.commit([.same(item)], at: .second(52))
            }
            let numbers = try await store.indexedMessages(after: .init(rawValue: 0), limit: 9).map(\.number)
            func repeats(for asker: UserID) async throws -> [MessageNumber]? {
                try await store.repeats(of: [numbers[0]], for: asker, in: generation, limit: 1)[numbers[0]]
            }
            try demand(try await repeats(for: "ada"), [numbers[3]])
            try demand(try await repeats(for: "eve"), [numbers[1]])
        },
    ]
}

extension Store {
    /// Stores a decision that a message supports.
    fileprivate func addItem(
        _ id: ItemID, of message: MessageID, replacedBy successor: ItemID? = nil, readingThrough end: ChangeCursor
    ) async throws -> ItemID {
        let key = MessageKey.of("c", message)
        let scope = SearchScope(asker: "ada", conversations: .all)
        let sent = try await messages([key], in: scope, at: .second(29))[key]?.timestamp ?? .second(0)
        var changes = ItemChanges()
        changes.added = [
            ExtractedItem(
                id: id, kind: .decision, key: key, sentAt: sent, text: "hello", quote: "hello",
                supersededByID: successor, extractedAt: .second(29))
        ]
        let lease = try await beginExtraction(
            of: .decision, in: "c", asker: "ada", leaseID: "of \(id)", until: .second(60), at: .second(29))
        try await commit(changes, of: lease, through: end, until: .second(60), at: .second(29))
        try await endExtraction(lease)
        return id
    }
}

extension EmbeddedMessage {
    /// A message whose text is the same as that of all others.
    fileprivate static func same(_ item: WorkItem) -> EmbeddedMessage {
        let hash = [UInt8](repeating: 7, count: 32)
        let draft = PassageDraft(ordinal: 0, range: 0..<5, contentHash: hash, vector: [1, 0])
        return EmbeddedMessage(item: item, passages: [draft])
    }
}
