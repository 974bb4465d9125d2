import ChatCore

extension StoreContract {
    /// Of reading rights with a time.
    package static let histories: [StoreContract] = [
        StoreContract("with a limited history a member reads the messages of the membership") { store in
            try await store.furnishLimited()
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.setMember(.since("eve", 25), in: "c", source: "api", at: .second(25))

            try demand(try await store.read(by: "ada"), ["m1", "m2", "m3", "m4"])
            try demand(try await store.read(by: "eve"), ["m3", "m4"])
            let later = try await store.page(of: "c", asker: "eve", after: "m3", limit: 9, at: .second(90))
            try demand(later.map(\.key.messageID), ["m4"])
            let keys = (1...4).map { MessageKey.of("c", MessageID(rawValue: "m\($0)")) }
            let scope = SearchScope(asker: "eve", conversations: .all)
            let found = try await store.messages(keys, in: scope, at: .second(90))
            try demand(Set(found.keys.map(\.messageID)), ["m3", "m4"])
            let numbers = try await store.indexedMessages(of: keys).map(\.number)
            let visible = try await store.visible(numbers, passagesOf: nil, in: scope, at: .second(90))
            try demand(Set(visible.map(\.message.key.messageID)), ["m3", "m4"])
            let spans = try await store.permitted(scope, at: .second(90)).map(\.spans)
            try demand(spans, [ReadingSpans([ReadingSpan(since: .second(25))])])
        },
        StoreContract("between two memberships nothing can be read, and who left reads nothing") { store in
            try await store.furnishLimited()
            try await store.post((1...5).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.setMember(.since("eve", 15), in: "c", source: "api", at: .second(15))
            try await store.removeMember("eve", from: "c", at: .second(25))
            try await demandFailure(.noSuchConversation("c")) { _ = try await store.read(by: "eve") }
            try await store.setMember(.since("eve", 45), in: "c", source: "api", at: .second(45))

            try demand(try await store.read(by: "eve"), ["m2", "m5"])
        },
        StoreContract("a change of a member's name is no joining") { store in
            try await store.furnishLimited()
            try await store.post((1...2).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.setMember(.since("eve", 15), in: "c", source: "api", at: .second(15))
            var renamed = Member.since("eve", 5)
            renamed.displayName = "Evelyn"
            try await store.setMember(renamed, in: "c", source: "api", at: .second(30))

            try demand(try await store.read(by: "eve"), ["m2"])
        },
        StoreContract("an import that states rights replaces those that follow from memberships") { store in
            try await store.furnishLimited()
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.conversation.history = .joined
            roster.rights = ReadingRights(
                shared: [ReadingSpan(since: .second(20), until: .second(30))],
                own: ["ada": [ReadingSpan(until: .second(15))], "bob": []])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(50))

            try demand(try await store.read(by: "ada"), ["m1", "m2"])
            try demand(try await store.read(by: "bob"), ["m2"])
            // One that states none changes none.
            _ = try await store.store([.of("c", ["ada", "bob"])], source: "api", mode: .importing, at: .second(60))
            try demand(try await store.read(by: "ada"), ["m1", "m2"])
            try demand(try await store.roster(of: "c").conversation.history, .joined)
            // One that states that there is no limit ends it.
            roster.conversation.history = .all
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(70))
            try demand(try await store.read(by: "bob"), ["m1", "m2", "m3", "m4"])
        },
        StoreContract("an import that lacks the beginning leaves what is known of the time before it") { store in
            try await store.furnishLimited()
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.members.append(.since("eve", 35))
            roster.conversation.history = .joined
            roster.rights = ReadingRights(
                since: .second(25), shared: nil, own: ["eve": [ReadingSpan(since: .second(35))], "bob": []])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(50))

            try demand(try await store.read(by: "ada"), ["m1", "m2", "m3", "m4"])
            try demand(try await store.read(by: "bob"), ["m1", "m2"])
            try demand(try await store.read(by: "eve"), ["m4"])
        },
        StoreContract("what everybody could read stays so when an import limits the time after it") { store in
            _ = try await store.furnish()
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            var roster = ConversationRoster.of("c", ["ada", "bob", "eve"])
            roster.conversation.history = .joined
            // Without a rule the stored one counts.
            roster.rights = ReadingRights(
                since: .second(25), shared: nil, own: ["eve": [ReadingSpan(since: .second(35))]])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(50))
            try demand(try await store.read(by: "eve"), ["m1", "m2", "m3", "m4"])
            roster.rights?.shared = []
            roster.rights?.own["ada"] = [ReadingSpan()]
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(60))

            try demand(try await store.read(by: "eve"), ["m1", "m2", "m4"])
            try demand(try await store.read(by: "ada"), ["m1", "m2", "m3", "m4"])
            try demand(try await store.read(by: "bob"), ["m1", "m2"])
        },
        StoreContract("what everybody could read is kept by those alone whom an import names") { store in
            _ = try await store.furnish()
            try await store.post((1...4).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            var roster = ConversationRoster.of("c", ["ada", "eve"])
            roster.listedAt = .second(50)
            roster.conversation.history = .joined
            roster.rights = ReadingRights(since: .second(25), shared: [ReadingSpan(since: .second(25))])
            roster.rights?.earlierReaders = ["ada", "bob"]
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(50))
            try demand(try await store.read(by: "ada"), ["m1", "m2", "m3", "m4"])
            try demand(try await store.read(by: "eve"), ["m3", "m4"])

            // A second time, when only single people have times of their own before.
            roster.members.append(.since("bob", 60))
            roster.listedAt = .second(60)
            roster.rights?.since = .second(35)
            roster.rights?.shared = [ReadingSpan(since: .second(35))]
            roster.rights?.earlierReaders = ["ada"]
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(60))
            try demand(try await store.read(by: "ada"), ["m1", "m2", "m3", "m4"])
            try demand(try await store.read(by: "bob"), ["m1", "m2", "m4"])
            try demand(try await store.read(by: "eve"), ["m4"])
        },
        StoreContract("what happened here after the end of an import stays when it is imported again") { store in
            try await store.furnishLimited()
            try await store.post((1...5).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.removeMember("bob", from: "c", at: .second(25))
            try await store.setMember(.since("eve", 35), in: "c", source: "api", at: .second(35))
            try await store.setMember(.since("bob", 45), in: "c", source: "api", at: .second(45))
            var roster = ConversationRoster.of("c", ["ada", "bob"])
            roster.conversation.history = .joined
            roster.rights = ReadingRights(until: .second(20), own: ["ada": [ReadingSpan()], "bob": [ReadingSpan()]])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(60))

            try demand(try await store.read(by: "ada"), ["m1", "m2", "m3", "m4", "m5"])
            try demand(try await store.read(by: "bob"), ["m1", "m2", "m5"])
            try demand(try await store.read(by: "eve"), ["m4", "m5"])
            // Nor does one of a room that everybody may read lift the limit after its end.
            roster.conversation.history = .all
            roster.rights = ReadingRights(until: .second(15), shared: [ReadingSpan()])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(70))
            try demand(try await store.roster(of: "c").conversation.history, .joined)
            try demand(try await store.read(by: "eve"), ["m1", "m4", "m5"])
        },
        StoreContract("who reads an open conversation reads the times of everybody") { store in
            var roster = ConversationRoster.of("c", ["ada"], visibility: .everyone)
            roster.conversation.history = .joined
            roster.rights = ReadingRights(
                shared: [ReadingSpan(since: .second(15), until: .second(25))], own: ["ada": [ReadingSpan()]])
            _ = try await store.store([roster], source: "api", mode: .importing, at: .second(0))
            try await store.post((1...3).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })

            try demand(try await store.read(by: "zoe"), ["m2"])
            try demand(try await store.read(by: "ada"), ["m1", "m2", "m3"])
        },
        StoreContract("an author who becomes a user brings the times") { store in
            try await store.furnishLimited()
            try await store.post((1...3).map { .short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) })
            try await store.setMember(.since("u7", 15), in: "c", source: "chat", at: .second(15))
            _ = try await store.map(
                Identity(source: "chat", externalID: "u7", userID: "eve"), at: .second(40))

            try demand(try await store.read(by: "eve"), ["m2", "m3"])
        },
    ]

    /// Of what is derived from messages.
    package static let derivedHistories: [StoreContract] = [
        StoreContract("an answer is hidden from whoever may not read all that it is based on") { store in
            try await store.furnishLimited()
            try await store.post([.short("c", "m1", at: 10), .short("c", "m3", "@ai what", at: 30)])
            try await store.setMember(.since("eve", 25), in: "c", source: "api", at: .second(25))
            let start = try await store.beginMentions()
            try await store.queueMentions([.of("c", "m3")], through: start, at: .second(31))
            _ = try await store.claimMention(until: .second(60), at: .second(32))
            let answer = Message(
                key: .of("c", "a1"), senderID: "nexus", senderName: "Nexus", text: "as m1 says", kind: .assistant,
                timestamp: .second(40))
            let posting = try await store.post(
                answer, to: .of("c", "m3"), attempt: nil, as: .answered, standingOn: [.of("c", "m1")],
                isDelivered: true, at: .second(40))
            try demand(posting, .posted)

            try demand(try await store.read(by: "ada"), ["m1", "m3", "a1"])
            try demand(try await store.read(by: "eve"), ["m3"])
        },
        StoreContract("a summary is for those who may read all of its span") { store in
            try await store.furnishLimited()
            let messages = (1...4).map { Message.short("c", MessageID(rawValue: "m\($0)"), at: 10 * $0) }
            try await store.post(messages)
            try await store.setMember(.since("eve", 15), in: "c", source: "api", at: .second(15))
            let (whole, late) = (
                SpanSummary.of(messages[0...1], "one [1]", cited: ["m1"]),
                SpanSummary.of(messages[2...3], "two [1]", cited: ["m3"])
            )
            for summary in [whole, late] {
                try demand(try await store.keep(summary, madeOf: [], asker: "ada", at: .second(50)), true)
            }

            try demand(try await store.summaries(of: "c", by: "r", asker: "ada", at: .second(51)), [whole, late])
            try demand(try await store.summaries(of: "c", by: "r", asker: "eve", at: .second(51)), [late])
            try demand(try await store.keep(whole, madeOf: [], asker: "eve", at: .second(52)), false)
        },
        StoreContract("an item is for those who may read its message") { store in
            try await store.furnishLimited()
            try await store.post([.short("c", "m1", at: 10), .short("c", "m2", at: 20)])
            try await store.setMember(.since("eve", 15), in: "c", source: "api", at: .second(15))
            let lease = try await store.beginExtraction(
                of: .actionItem, in: "c", asker: "ada", leaseID: "l", until: .second(60), at: .second(30))
            var changes = ItemChanges()
            changes.added = [("m1", 10), ("m2", 20)].map { (id: MessageID, second: Int) in
                ExtractedItem(
                    id: ItemID(rawValue: "i-\(id)"), kind: .actionItem, key: .of("c", id), sentAt: .second(second),
                    text: "do it", quote: "hello", extractedAt: .second(30))
            }
            try await store.commit(
                changes, of: lease, through: try await store.latestChange(), until: .second(60), at: .second(31))

            for (user, wanted) in [("ada", ["i-m1", "i-m2"]), ("eve", ["i-m2"])] as [(UserID, [ItemID])] {
                let scope = SearchScope(asker: user, conversations: .all)
                let found = try await store.items(of: .actionItem, in: scope, at: .second(40))
                try demand(Set(found.map(\.id)), Set(wanted))
                let changes = try await store.itemChanges(
                    of: .actionItem, in: "c", asker: user, after: nil, limit: 9, at: .second(40))
                try demand(Set(changes.items.map(\.id)), Set(wanted))
            }
            try await demandFailure(.noSuchItem("i-m1")) {
                try await store.dismiss(
                    "i-m1", kind: .actionItem, in: SearchScope(asker: "eve", conversations: .all), at: .second(41))
            }
        },
    ]
}

extension Store {
    /// Makes a conversation `c` with Ada and Bob whose history is limited, and a generation.
    func furnishLimited() async throws {
        var roster = ConversationRoster.of("c", ["ada", "bob"])
        roster.conversation.history = .joined
        _ = try await store([roster], source: "api", mode: .posting, at: .second(0))
        _ = try await beginGeneration(.tiny(), baseURL: nil, refilling: false, at: .second(0))
    }

    /// The messages of `c` that a person may read, oldest first.
    fileprivate func read(by user: UserID) async throws -> [MessageID] {
        try await page(of: "c", asker: user, before: nil, limit: 99, at: .second(90)).reversed().map(\.key.messageID)
    }
}

extension Member {
    static func since(_ user: UserID, _ second: Int) -> Member {
        Member(userID: user, displayName: "Name of \(user)", joinedAt: .second(second))
    }
}
