import ChatCore

extension StoreContract {
    /// Of `WorkQueue`.
    package static let queue: [StoreContract] = [
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
        StoreContract("a claimed message that changes but not in its words is embedded as it was claimed") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "m", at: 1)])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(2))
            var changed = Message.short("c", "m", at: 1)
            changed.url = "https://chat.example/m"
            let outcomes = try await store.accept([changed], source: "api", mode: .importing, at: .second(3))
            try demand(outcomes, [.updated])
            try demand(try await store.commit(items.map { .of($0) }, at: .second(4)), 1)
            try demand(try await store.pendingCount(of: generation), 0)
        },
        StoreContract("a lease that is renewed holds for longer") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1", at: 1), .short("c", "2", at: 2), .short("c", "3", at: 3)])
            let items = try await store.claim(9, for: generation, until: .second(5), at: .second(0))
            _ = try await store.edit(.of("c", "1"), text: "other", at: .second(1))
            try await store.release([items[1]])
            try await store.renew(items, until: .second(20))
            let free = try await store.claim(9, for: generation, until: .second(15), at: .second(6))
            try demand(free.map(\.messageKey.messageID), ["2", "1"])
            let ended = try await store.claim(9, for: generation, until: .second(60), at: .second(20))
            try demand(ended.map(\.messageKey.messageID), ["3", "2", "1"])
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
        StoreContract("what people write now can be claimed alone") { store in
            let generation = try await store.furnish()
            _ = try await store.accept(
                [.short("c", "old", at: 9)], source: "history", mode: .importing, at: .second(0))
            try await store.post([.short("c", "new", at: 1)])
            func claim(_ includesBacklog: Bool) async throws -> [MessageID] {
                try await store.claim(
                    9, for: generation, includingBacklog: includesBacklog, until: .second(5), at: .second(1)
                ).map(\.messageKey.messageID)
            }
            try demand(try await claim(false), ["new"])
            try demand(try await claim(false), [])
            try demand(try await claim(true), ["old"])
        },
        StoreContract("given-up items are listed with their reasons and put back one by one") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1", at: 1), .short("c", "2", at: 2), .short("c", "3", at: 3)])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            for (place, item) in items.enumerated() {
                try await store.park(
                    [ParkedItem(item: item, errorCode: "rejected", errorReason: "reason \(place)", retryAt: nil)],
                    at: .second(10 + place))
            }
            func item(_ id: MessageID, _ place: Int) -> FailedItem {
                FailedItem(
                    messageKey: .of("c", id), generation: generation, attempts: 1, errorCode: "rejected",
                    errorReason: "reason \(place)", failedAt: .second(10 + place))
            }
            try demand(try await store.failedItems(of: generation), [item("1", 2), item("2", 1), item("3", 0)])
            try demand(
                try await store.retryFailed(
                    of: generation, only: [.of("c", "2"), .of("c", "other")], at: .second(20)), 1)
            try demand(try await store.failedItems(of: generation), [item("1", 2), item("3", 0)])
            let again = try await store.claim(9, for: generation, until: .second(60), at: .second(21))
            try demand(again.map(\.messageKey.messageID), ["2"])
            try demand(try await store.failedItems(of: GenerationNumber(rawValue: 9)), [])
        },
        StoreContract("every message is counted in one part of the coverage") { store in
            let generation = try await store.furnish()
            try await store.post(
                (1...6).map { .short("c", MessageID(rawValue: "\($0)"), at: $0) } + [.short("c", "blank", " ", at: 7)])
            let items = try await store.claim(4, for: generation, until: .second(60), at: .second(0))
            _ = try await store.commit([.of(items[0]), .of(items[1]), .of(items[2], passages: 0)], at: .second(1))
            try await store.park([ParkedItem(item: items[3], errorCode: "rejected", retryAt: nil)], at: .second(1))
            try await store.delete(.of("c", "1"), at: .second(2))
            let coverage = try await store.coverage(of: generation)
            try demand(
                coverage,
                EmbeddingCoverage(
                    messageCount: 6, embeddedCount: 2, waitingCount: 1, failedCount: 1, excludedCount: 0,
                    emptyCount: 2))
            try demand(coverage.isSound, true)
        },
        StoreContract("usage is counted by day and generation") { store in
            let generation = try await store.furnish()
            let first = Timestamp(microseconds: 86_400_000_000 * 20_000)
            let usage = EmbeddingUsage(requestCount: 1, textCount: 2, tokenCount: 30)
            for moment in [first, first, first + .seconds(86_400)] {
                _ = try await store.commit([], usage: [generation: usage], at: moment)
            }
            let sum = usage + usage
            try demand(
                try await store.usage(on: 20_000),
                [
                    GenerationUsage(generation: generation, today: sum, total: sum + usage)
                ])
            try demand(
                try await store.usage(on: 20_002),
                [GenerationUsage(generation: generation, today: EmbeddingUsage(), total: sum + usage)])
        },
        StoreContract("what questions took is counted by itself") { store in
            let generation = try await store.furnish()
            let moment = Timestamp(microseconds: 86_400_000_000 * 20_000)
            let question = EmbeddingUsage(requestCount: 1, textCount: 1, tokenCount: 7)
            try await store.countQuestions([generation: question], at: moment)
            try demand(
                try await store.usage(on: 20_000),
                [
                    GenerationUsage(
                        generation: generation, today: EmbeddingUsage(), total: EmbeddingUsage(),
                        questionsToday: question, questionsTotal: question)
                ])
            let passages = EmbeddingUsage(requestCount: 1, textCount: 2, tokenCount: 30)
            _ = try await store.commit([], usage: [generation: passages], at: moment)
            try await store.countQuestions([generation: question], at: moment + .seconds(86_400))
            try demand(
                try await store.usage(on: 20_001),
                [
                    GenerationUsage(
                        generation: generation, today: EmbeddingUsage(), total: passages, questionsToday: question,
                        questionsTotal: question + question)
                ])
        },
        StoreContract("usage beyond any sensible count stays countable") { store in
            let generation = try await store.furnish()
            let huge = EmbeddingUsage(requestCount: 1, textCount: 1, tokenCount: .max)
            for day in [20_000, 20_000, 20_001] {
                let moment = Timestamp(microseconds: 86_400_000_000 * Int64(day))
                try await store.countQuestions([generation: huge], at: moment)
                _ = try await store.commit([], usage: [generation: huge], at: moment)
            }
            let usage = try await store.usage(on: 20_001)
            try demand(usage.map { $0.total.tokenCount >= 1_000_000_000_000_000 }, [true])
            try demand(usage.map { $0.questionsTotal.tokenCount >= 1_000_000_000_000_000 }, [true])
            try demand(usage.map(\.total.requestCount), [3])
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

    /// Of `ChangeFeed`.
    package static let feed: [StoreContract] = [
        StoreContract("changes are numbered in order and read page by page") { store in
            let start = try await store.latestChange()
            try demand(start, start.beginning)
            let generation = try await store.furnish()
            try await store.post([.short("c", "m")])
            try await store.embedAll(of: generation)
            let whole = try await store.changes(after: start, limit: 99)
            let all = whole.changes
            try demand(
                all.map(\.subject),
                [
                    .membership("ada"), .membership("bob"), .conversation, .generation(generation), .message("m"),
                    .embedded(PassageNumber(rawValue: 1), generation),
                ])
            try demand(all.map(\.conversationID), ["c", "c", "c", nil, "c", "c"])
            try demand(all.map(\.number), all.map(\.number).sorted())
            try demand(try await store.latestChange(), whole.end)
            try demand(all.allSatisfy { whole.end.contains($0) && !start.contains($0) }, true)
            let first = try await store.changes(after: start, limit: 1)
            let rest = try await store.changes(after: first.end, limit: 2)
            try demand(first.changes + rest.changes, Array(all[0...2]))
            try demand(whole.changes(after: first.end), Array(all[1...]))
            let none = try await store.changes(after: whole.end, limit: 2)
            try demand(none, ChangePage(changes: [], end: whole.end))
            try demand(whole.end.reaches(first.end) && !first.end.reaches(whole.end), true)
        },
        StoreContract("a search reads the first changes that its indexes have not followed") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2", "other")])
            let start = try await store.latestChange()
            try await store.embedAll(of: generation)
            _ = try await store.edit(.of("c", "2"), text: "another one", at: .second(3))
            let scope = SearchScope(asker: "ada", conversations: .all)
            func view(after cursor: ChangeCursor) async throws -> ScopeView {
                try await store.view(
                    of: scope, followed: FollowedPosition(cursor: cursor, generation: generation), at: .second(4))
            }
            let seen = try await view(after: start)
            try demand(seen.permitted, try await store.permitted(scope, at: .second(4)))
            try demand(seen.end, try await store.latestChange())
            try demand(try await view(after: seen.end).page, nil)
            try demand(try await view(after: seen.end.moved(by: 1)).page, nil)
            // A repository whose calls cost nothing does not read them ahead.
            guard let page = seen.page else { return }
            let expected = try await store.changes(after: start, limit: 99)
            try demand(page.changes, expected.changes)
            try demand(page.end, expected.end)
            let keys = Set(page.changes.compactMap(\.messageKey))
            try demand(page.contents?.messages, try await store.indexedMessages(of: Array(keys)))
            try demand(page.contents?.generation, generation)
            let passages = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(page.contents?.passages, passages)
        },
        StoreContract("a cursor of another log, or of changes still to come, is refused") { store in
            _ = try await store.furnish()
            let end = try await store.latestChange()
            let foreign = ChangeCursor(epoch: end.epoch ^ 1, positions: end.positions)
            for cursor in [foreign, end.moved(by: 1)] {
                try await demandFailure(.expiredCursor) { _ = try await store.changes(after: cursor, limit: 9) }
                try await demandFailure(.expiredCursor) {
                    _ = try await store.messagesBeginningWithAt(after: cursor, limit: 9, since: .second(0))
                }
            }
            // There is news for who knows another log.
            try await store.waitForChange(after: foreign)
        },
        StoreContract("it is known when the next failed item is due, and the next lease ends") { store in
            let generation = try await store.furnish()
            try demand(try await store.nextDue(of: generation, after: .second(0)), nil)
            try await store.post([.short("c", "1", at: 1), .short("c", "2", at: 2)])
            try demand(try await store.nextDue(of: generation, after: .second(0)), nil)
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(10))
            try demand(try await store.nextDue(of: generation, after: .second(10)), .second(60))
            try demand(try await store.nextDue(of: generation, after: .second(60)), nil)
            try await store.park(
                [ParkedItem(item: items[0], errorCode: "busy", retryAt: .second(30))], at: .second(11))
            try demand(try await store.nextDue(of: generation, after: .second(11)), .second(30))
            try demand(try await store.nextDue(of: generation, after: .second(30)), .second(60))
            try await store.park([ParkedItem(item: items[1], errorCode: "refused", retryAt: nil)], at: .second(12))
            try demand(try await store.nextDue(of: generation, after: .second(30)), nil)
            try demand(try await store.nextDue(of: GenerationNumber(rawValue: 9), after: .second(0)), nil)
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
            try demand(three, IndexCensus(count: 3, cursor: latest))
            try await store.delete(.of("c", "1"), at: .second(2))
            try demand(try await numbers([.of("c", "1"), .of("c", "2")], generation), [1])
            let one = try await store.census(of: generation)
            try demand(one.count, 1)
            try demand(latest.reaches(one.cursor), false)
            try demand(try await store.census(of: GenerationNumber(rawValue: 9)).count, 0)
        },
        StoreContract("the messages that have content are counted") { store in
            let start = try await store.latestChange()
            try demand(try await store.messageCensus(), IndexCensus(count: 0, cursor: start))
            _ = try await store.furnish()
            try await store.post([.short("c", "1", at: 1), .short("c", "2", at: 2), .short("c", "3", at: 3)])
            let three = try await store.messageCensus()
            try demand(three, IndexCensus(count: 3, cursor: try await store.latestChange()))
            try await store.delete(.of("c", "1"), at: .second(2))
            let two = try await store.messageCensus()
            try demand(two, IndexCensus(count: 2, cursor: try await store.latestChange()))
            try demand(three.cursor.reaches(two.cursor), false)
            let found = try await store.indexedMessages(after: MessageNumber(rawValue: 0), limit: 9)
            try demand(found.count { $0.content != nil }, 2)
        },
    ]
}
