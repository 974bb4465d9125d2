import ChatCore

extension StoreContract {
    /// Of `WorkQueue`.
    public static let queue: [StoreContract] = [
        StoreContract("the newest is claimed first, the repeated last") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1", at: 1), .short("c", "3", at: 3), .short("c", "2", at: 2)])
            func claim(_ limit: Int, _ second: Int) async throws -> [WorkItem] {
                try await store.claim(limit, for: generation, until: .second(second + 10), at: .second(second))
            }
            let first = try await claim(1, 0)
            try demand(first.map(\.messageKey.messageID), ["3"])
            try demand(first.map(\.senderName), ["Name of ada"])
            try demand(first.map(\.attempts), [0])
            try await store.park(
                first.map { ParkedItem(item: $0, errorCode: "failed", retryAt: .second(5)) }, at: .second(1))
            try demand(try await claim(0, 4).count, 0)
            let later = try await claim(9, 6)
            try demand(later.map(\.messageKey.messageID), ["2", "1", "3"])
            try demand(later.map(\.attempts), [0, 0, 1])
            try demand(try await claim(9, 7).count, 0)
        },
        StoreContract("what people write now is claimed before the backlog") { store in
            let generation = try await store.furnish()
            _ = try await store.accept(
                [.short("c", "old", at: 9), .short("c", "older", at: 8)], source: "history", mode: .importing,
                at: .second(0))
            try await store.post([.short("c", "new", at: 1)])
            let items = try await store.claim(9, for: generation, until: .second(5), at: .second(1))
            try demand(items.map(\.messageKey.messageID), ["new", "old", "older"])
            try demand(items.map(\.isBacklog), [false, true, true])
            try await store.park(
                items.map { ParkedItem(item: $0, errorCode: "failed", retryAt: .second(2)) }, at: .second(1))
            let again = try await store.claim(9, for: generation, until: .second(5), at: .second(3))
            try demand(again.map(\.messageKey.messageID), ["new", "old", "older"])
        },
        StoreContract("a lease that ended can be claimed again, and counts once") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "m")])
            let first = try await store.claim(9, for: generation, until: .second(5), at: .second(0))
            try demand(try await store.claim(9, for: generation, until: .second(9), at: .second(4)).count, 0)
            let second = try await store.claim(9, for: generation, until: .second(9), at: .second(5))
            try demand(second, first)
            try demand(try await store.commit(second.map { .of($0) }, at: .second(6)), 1)
            try demand(try await store.commit(first.map { .of($0) }, at: .second(6)), 0)
            try demand(
                try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9).count, 1)
        },
        StoreContract("what was edited or deleted since is passed over") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2"), .short("c", "3")])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            _ = try await store.edit(.of("c", "1"), text: "other", at: .second(1))
            try await store.delete(.of("c", "2"), at: .second(1))
            try await store.park(
                items.filter { $0.messageKey.messageID == "1" }.map {
                    ParkedItem(item: $0, errorCode: "failed", retryAt: nil)
                }, at: .second(2))
            try demand(try await store.commit(items.map { .of($0) }, at: .second(2)), 1)
            try demand(
                try await store.status(of: generation),
                QueueStatus(
                    embeddableCount: 2, embeddedCount: 1, pendingCount: 1, failedCount: 0, oldestPending: .second(1)))
            let again = try await store.claim(9, for: generation, until: .second(60), at: .second(3))
            try demand(again.map(\.searchableText), ["other"])
            try demand(again.map(\.attempts), [0])
        },
        StoreContract("a batch with an unusable vector is refused as a whole") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            let bad = RepositoryError.invalid(field: "vector", reason: "has the wrong length or is not finite")
            for vector in [[1], [Float.nan, 0], [0, Float.infinity]] {
                try await demandFailure(bad) {
                    _ = try await store.commit([.of(items[0]), .of(items[1], vector: vector)], at: .second(1))
                }
            }
            let status = try await store.status(of: generation)
            try demand([status.embeddedCount, status.pendingCount], [0, 2])
        },
        StoreContract("given-up items are counted by their codes and can be put back") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2"), .short("c", "3")])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            try await store.park(
                zip(items, ["rejected", "too_long", "rejected"]).map {
                    ParkedItem(item: $0, errorCode: $1, retryAt: nil)
                }, at: .second(1))
            try demand(try await store.failures(of: generation), ["rejected": 2, "too_long": 1])
            try demand(try await store.claim(9, for: generation, until: .second(99), at: .second(90)).count, 0)
            try demand(try await store.status(of: generation).failedCount, 3)
            try demand(try await store.pendingCount(of: generation), 0)
            try demand(try await store.retryFailed(of: generation, at: .second(91)), 3)
            try demand(try await store.status(of: generation).oldestPending, .second(91))
            try demand(try await store.pendingCount(of: generation), 3)
            try demand(try await store.failures(of: generation), [:])
            let again = try await store.claim(9, for: generation, until: .second(99), at: .second(92))
            try demand(again.map(\.attempts), [0, 0, 0])
            try demand(try await store.pendingCount(of: generation), 3)
            try demand(try await store.pendingCount(of: GenerationNumber(rawValue: 9)), 0)
        },
        StoreContract("leases can be given back") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            func claim() async throws -> [WorkItem] {
                try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            }
            let items = try await claim()
            try await store.release([items[0]])
            try demand(try await claim(), [items[0]])
            try await store.releaseAllLeases()
            try demand(try await claim(), items)
        },
        StoreContract("what has nothing to embed is not queued") { store in
            let generation = try await store.furnish()
            var system = Message.short("c", "system")
            system.kind = .system
            var picture = Message.short("c", "picture", "")
            picture.attachments = [Message.Attachment(name: "p.png", caption: "a berth")]
            try await store.post([system, .short("c", "blank", " \n"), picture])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            try demand(items.map(\.messageKey.messageID), ["picture"])
            try demand(try await store.commit([.of(items[0], passages: 0)], at: .second(1)), 1)
            try demand(
                try await store.status(of: generation),
                QueueStatus(
                    embeddableCount: 0, embeddedCount: 0, pendingCount: 0, failedCount: 0, oldestPending: nil))
        },
    ]

    /// Of `GenerationRepository`.
    public static let generations: [StoreContract] = [
        StoreContract("the first generation serves, a later one fills and takes over") { store in
            let old = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            try await store.embedAll(of: old)
            let new = try await store.beginGeneration(.tiny("b"), baseURL: "http://x", refilling: false, at: .second(2))
            try demand(new.state, .filling)
            try demand(try await store.generations().map(\.state), [.serving, .filling])
            try demand(try await store.generations()[1], new)
            try await store.post([.short("c", "3")])
            try demand(try await store.status(of: new.number).pendingCount, 3)
            try demand(try await store.status(of: old).pendingCount, 1)
            try await store.embedAll(of: new.number)
            let latest = try await store.latestChange()

            try await store.switchTo(new.number, at: .second(3))

            try demand(try await store.generations().map(\.state), [.retired, .serving])
            try demand(try await store.subjects(after: latest), [.generation(old), .generation(new.number)])
            try demand(try await store.indexedPassages(of: old, after: .init(rawValue: 0), limit: 9), [])
            try demand(try await store.status(of: old).pendingCount, 0)
            try demand(try await store.status(of: new.number).embeddedCount, 3)
            try await demandFailure(.invalid(field: "generation", reason: "is unknown or retired")) {
                try await store.switchTo(old, at: .second(4))
            }
            try await store.switchTo(new.number, at: .second(4))
            try demand(try await store.generations().map(\.state), [.retired, .serving])
        },
        StoreContract("a generation of the same space is not begun twice") { store in
            let first = try await store.furnish()
            func begin(_ refilling: Bool, url: String? = nil) async throws -> Int64 {
                let generation = try await store.beginGeneration(
                    EmbeddingSpace.tiny(), baseURL: url, refilling: refilling, at: Timestamp.second(1))
                return generation.number.rawValue
            }
            try demand(try await begin(false), first.rawValue)
            try demand(try await begin(true), first.rawValue + 1)
            try demand(try await begin(true), first.rawValue + 1)
            try demand(try await begin(false, url: "http://x"), first.rawValue + 2)
        },
        StoreContract("a new generation takes the place of one that is being filled") { store in
            let serving = try await store.furnish()
            try await store.post([.short("c", "1")])
            let given = try await store.beginGeneration(.tiny("a"), baseURL: nil, refilling: true, at: .second(1))
            try await store.embedAll(of: given.number)
            let latest = try await store.latestChange()

            let next = try await store.beginGeneration(.tiny("b"), baseURL: nil, refilling: true, at: .second(2))

            try demand(try await store.generations().map(\.state), [.serving, .retired, .filling])
            try demand(
                try await store.subjects(after: latest), [.generation(given.number), .generation(next.number)])
            try demand(try await store.indexedPassages(of: given.number, after: .init(rawValue: 0), limit: 9), [])
            try demand(try await store.status(of: serving).pendingCount, 1)
            try await demandFailure(.invalid(field: "generation", reason: "is unknown or retired")) {
                try await store.switchTo(given.number, at: .second(3))
            }
        },
    ]

    /// Of `ChangeFeed`.
    public static let feed: [StoreContract] = [
        StoreContract("changes are numbered in order and read page by page") { store in
            try demand(try await store.latestChange(), ChangeNumber(rawValue: 0))
            let generation = try await store.furnish()
            try await store.post([.short("c", "m")])
            try await store.embedAll(of: generation)
            let all = try await store.changes(after: ChangeNumber(rawValue: 0), limit: 99)
            try demand(
                all.map(\.subject),
                [
                    .conversation, .generation(generation), .message("m"),
                    .embedded(PassageNumber(rawValue: 1), generation),
                ])
            try demand(all.map(\.conversationID), ["c", nil, "c", "c"])
            try demand(all.map(\.number), all.map(\.number).sorted())
            try demand(try await store.latestChange(), all[3].number)
            try demand(try await store.changes(after: all[0].number, limit: 2), Array(all[1...2]))
            try demand(try await store.changes(after: all[3].number, limit: 2), [])
        },
        StoreContract("passages are read page by page and by number") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1", at: 1), .short("c", "2", by: "bob", at: 2)])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            _ = try await store.commit(
                [.of(items[0], passages: 2, vector: [1, 0]), .of(items[1], vector: [-0.6, 0.8])], at: .second(1))
            let all = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(all.map(\.messageKey.messageID), ["2", "2", "1"])
            try demand(all.map(\.senderID), ["bob", "bob", "ada"])
            try demand(all.map(\.timestamp), [.second(2), .second(2), .second(1)])
            try demand(all.map(\.vector), [[1, 0], [1, 0], [-0.6, 0.8]])
            let scope = SearchScope(asker: "ada", conversations: .all)
            try demand(
                Set(all.map(\.conversation)), Set(try await store.permitted(scope, at: .second(1)).map(\.number)))
            let page = try await store.indexedPassages(of: generation, after: all[0].number, limit: 1)
            try demand(page, [all[1]])
            let numbers = [all[2].number, all[0].number, PassageNumber(rawValue: 999), all[0].number]
            try demand(try await store.indexedPassages(numbers, of: generation), [all[0], all[2]])
            try demand(try await store.indexedPassages(numbers, of: GenerationNumber(rawValue: 9)), [])
        },
        StoreContract("the passages of messages are known by generation") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1", at: 1), .short("c", "2", at: 2), .short("c", "late", at: 3)])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            _ = try await store.commit(
                [.of(items[1]), .of(items[2], passages: 2)], at: .second(1))
            func numbers(_ keys: [MessageKey], _ generation: GenerationNumber) async throws -> [Int64] {
                try await store.passages(of: keys, in: generation).map(\.rawValue)
            }
            try demand(try await numbers([.of("c", "1"), .of("c", "2"), .of("c", "1")], generation), [1, 2, 3])
            try demand(
                try await numbers(
                    [.of("c", "1"), .of("c", "late"), .of("c", "x"), .of("x", "2"), .of("c", "2\u{0}x")], generation),
                [2, 3])
            try demand(try await numbers([], generation), [])
            try demand(try await numbers([.of("c", "1")], GenerationNumber(rawValue: 9)), [])
            let (three, latest) = (try await store.census(of: generation), try await store.latestChange())
            try demand(three, IndexCensus(count: 3, change: latest))
            try await store.delete(.of("c", "1"), at: .second(2))
            try demand(try await numbers([.of("c", "1"), .of("c", "2")], generation), [1])
            let one = try await store.census(of: generation)
            try demand(one.count, 1)
            try demand(one.change > latest, true)
            try demand(try await store.census(of: GenerationNumber(rawValue: 9)).count, 0)
        },
        StoreContract("the messages that have content are counted") { store in
            try demand(try await store.messageCensus(), IndexCensus(count: 0, change: ChangeNumber(rawValue: 0)))
            _ = try await store.furnish()
            try await store.post([.short("c", "1", at: 1), .short("c", "2", at: 2), .short("c", "3", at: 3)])
            let three = try await store.messageCensus()
            try demand(three, IndexCensus(count: 3, change: try await store.latestChange()))
            try await store.delete(.of("c", "1"), at: .second(2))
            let two = try await store.messageCensus()
            try demand(two, IndexCensus(count: 2, change: try await store.latestChange()))
            try demand(two.change > three.change, true)
            let found = try await store.indexedMessages(after: MessageNumber(rawValue: 0), limit: 9)
            try demand(found.count { $0.content != nil }, 2)
        },
    ]

    /// Of `SnapshotRegister`.
    public static let snapshots: [StoreContract] = [
        StoreContract("a snapshot's name is remembered until its generation is retired") { store in
            let old = try await store.furnish()
            try demand(try await store.snapshotNames(), [:])
            try demand(try await store.setSnapshotName("a", of: old), true)
            try demand(try await store.setSnapshotName("b", of: old), true)
            try demand(try await store.setSnapshotName("x", of: GenerationNumber(rawValue: 9)), false)
            try demand(try await store.snapshotNames(), [old: "b"])
            let latest = try await store.latestChange()
            let new = try await store.beginGeneration(.tiny("b"), baseURL: nil, refilling: false, at: .second(2)).number
            try demand(try await store.setSnapshotName("c", of: new), true)
            try demand(try await store.snapshotNames(), [old: "b", new: "c"])

            try await store.switchTo(new, at: .second(3))

            try demand(try await store.snapshotNames(), [new: "c"])
            try demand(try await store.setSnapshotName("d", of: old), false)
            try demand(try await store.setSnapshotName(nil, of: new), true)
            try demand(try await store.snapshotNames(), [:])
            // A name is no news for those who follow.
            try demand(
                try await store.subjects(after: latest), [.generation(new), .generation(old), .generation(new)])
        },
        StoreContract("the name of the file of words is remembered beside the others") { store in
            let generation = try await store.furnish()
            let latest = try await store.latestChange()
            try demand(try await store.wordSnapshotName(), nil)
            try await store.setWordSnapshotName("a")
            try demand(try await store.setSnapshotName("vectors", of: generation), true)
            try demand(try await store.wordSnapshotName(), "a")
            try await store.setWordSnapshotName("b")
            try demand(try await store.wordSnapshotName(), "b")
            try demand(try await store.snapshotNames(), [generation: "vectors"])
            try await store.setWordSnapshotName(nil)
            try demand(try await store.wordSnapshotName(), nil)
            try await store.setWordSnapshotName(nil)
            try demand(try await store.snapshotNames(), [generation: "vectors"])
            try demand(try await store.latestChange(), latest)
        },
    ]

    /// Of `TurnRepository`.
    public static let turns: [StoreContract] = [
        StoreContract("turns are kept, newest first, and redacted with their sources") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            func turn(_ id: TurnID, _ keys: [MessageKey], _ second: Int, asker: UserID = "ada") -> Turn {
                Turn(
                    id: id, askerID: asker, question: "why?", answer: "so", sourceKeys: keys, askedAt: .second(second))
            }
            func redacted(_ turn: Turn) -> Turn {
                var turn = turn
                turn.question = ""
                turn.answer = ""
                return turn
            }
            let first = turn("t1", [.of("c", "2"), .of("c", "1")], 1)
            let second = turn("t2", [.of("c", "2")], 2)
            let late = turn("t3", [.of("c", "1")], 2)
            for turn in [first, second, turn("t4", [], 3, asker: "bob")] { try await store.record(turn) }
            try demand(try await store.turns(of: "ada", limit: 9), [second, first])
            try await demandFailure(.conflict("a turn with this id exists")) { try await store.record(first) }
            try await store.delete(.of("c", "1"), at: .second(4))
            try await store.record(late)
            try demand(try await store.turns(of: "ada", limit: 9), [redacted(late), second, redacted(first)])
            try demand(try await store.turns(of: "ada", limit: 1), [redacted(late)])
        }
    ]
}
