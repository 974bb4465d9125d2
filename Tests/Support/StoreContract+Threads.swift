import ChatCore

extension StoreContract {
    /// Of `ThreadRepository`, and of turns in threads.
    package static let threads: [StoreContract] = [
        StoreContract("a turn that stands on a whole conversation is redacted with each message that was there") {
            store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", at: 1), .short("c", "m2", at: 2)])
            func turn(_ id: TurnID, askedAt second: Int, history: [TurnID] = []) -> Turn {
                Turn(
                    id: id, askerID: "ada", question: "what is it about", answer: "the pier [1]",
                    sourceKeys: [.of("c", "m1")], wholeConversationID: "c", askedAt: .second(second),
                    historyIDs: history)
            }
            let early = turn("t1", askedAt: 10)
            try await store.record(early)
            try await store.post([.short("c", "m3", at: 1)])
            let late = turn("t2", askedAt: 11)
            try await store.record(late)
            try demand(try await store.turns(of: "ada", limit: 9), [late, early])
            try demand(try await store.readable([late], at: .second(12)).map(\.isWhole), [true])

            try await store.delete(.of("c", "m3"), at: .second(13))
            try demand(try await store.turns(of: "ada", limit: 9).map(\.question), ["", "what is it about"])
            try await store.record(turn("t3", askedAt: 13))
            try demand(try await store.turns(of: "ada", limit: 1).map(\.answer), [""])
            try await store.record(turn("t4", askedAt: 14))
            try demand(try await store.turns(of: "ada", limit: 1).map(\.answer), ["the pier [1]"])
            try await store.delete(.of("c", "m2"), at: .second(15))
            try demand(try await store.turns(of: "ada", limit: 9).map(\.answer), ["", "", "", ""])
        },
        StoreContract("who left a conversation is not shown what stands on all of it") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "m1", at: 1)])
            let turn = Turn(
                id: "t", askerID: "ada", question: "what is it about", answer: "nothing", sourceKeys: [],
                wholeConversationID: "c", askedAt: .second(10))
            try await store.record(turn)
            try demand(try await store.readable([turn], at: .second(11)).map(\.isWhole), [true])
            try await store.removeMember("ada", from: "c", at: .second(12))
            try demand(try await store.readable([turn], at: .second(13)).map(\.isWhole), [false])
            try demand(try await store.readable([turn], at: .second(13)).map(\.turn.answer), [""])
        },
        StoreContract("a thread can begin with a turn that had none") { store in
            _ = try await store.furnish()
            try await store.record(
                Turn(
                    id: "t1", askerID: "ada", question: "when does it sail", answer: "at noon", sourceKeys: [],
                    askedAt: .second(5)))
            let start = try await store.threadChanges(of: "ada", after: nil, limit: 9).next
            let thread = AssistantThread(id: "h1", ownerID: "ada", createdAt: .second(6))
            try await store.create(thread, beginningWith: "t1")
            try demand(try await store.turns(of: "ada", in: "h1", before: nil, limit: 9).map(\.id), ["t1"])
            try demand(try await store.turn("t1", of: "ada").threadID, "h1")
            try demand(try await store.thread("h1", of: "ada").firstQuestion, "when does it sail")
            let changes = try await store.threadChanges(of: "ada", after: start, limit: 9)
            try demand(changes.items.map(\.turnCount), [1])
            let other = AssistantThread(id: "h2", ownerID: "ada", createdAt: .second(7))
            try await demandFailure(.conflict("the turn has a thread")) {
                try await store.create(other, beginningWith: "t1")
            }
            try await demandFailure(.noSuchTurn("t1")) {
                try await store.create(
                    AssistantThread(id: "h3", ownerID: "bob", createdAt: .second(7)), beginningWith: "t1")
            }
            try demand(try await store.threads(of: "ada", after: nil, limit: 9).map(\.id), ["h1"])
        },
        StoreContract("threads belong to one user and are listed by their last use") { store in
            _ = try await store.furnish()
            for (id, second) in [("h1", 1), ("h2", 2), ("h3", 2)] as [(ThreadID, Int)] {
                try await store.create(AssistantThread(id: id, ownerID: "ada", createdAt: .second(second)))
            }
            try await store.create(
                AssistantThread(id: "b", ownerID: "bob", givenTitle: " Mine ", createdAt: .second(1)))
            try demand(try await store.threads(of: "ada", after: nil, limit: 9).map(\.id), ["h3", "h2", "h1"])
            try await store.record(.of("t1", "when does\nit sail", at: 5, in: "h1"))
            let page = try await store.threads(of: "ada", after: nil, limit: 2)
            try demand(page.map(\.id), ["h1", "h3"])
            try demand(try await store.threads(of: "ada", after: page[1].place, limit: 2).map(\.id), ["h2"])
            try demand(try await store.threads(of: "ada", after: page[0].place, limit: 2).map(\.id), ["h3", "h2"])
            try demand(try await store.threads(of: "eve", after: nil, limit: 2), [])
            var first = AssistantThread(
                id: "h1", ownerID: "ada", firstQuestion: "when does\nit sail", turnCount: 1, createdAt: .second(1),
                updatedAt: .second(5))
            try demand(try await store.thread("h1", of: "ada"), first)
            try demand(page[0], first)
            try demand(try await store.thread("b", of: "bob").givenTitle, "Mine")
            first.givenTitle = "Ferries"
            try demand(try await store.rename("h1", of: "ada", title: "Ferries "), first)
            try demand(try await store.thread("h1", of: "ada"), first)
            try demand(try await store.rename("h1", of: "ada", title: nil).title, "when does it sail")
            for title in ["", " ", "a\nb", String(repeating: "x", count: 201)] {
                let reason =
                    title.contains("\n") ? "must not contain control characters" : "must have 1 to 200 characters"
                try await demandFailure(.invalid(field: "title", reason: reason)) {
                    _ = try await store.rename("h1", of: "ada", title: title)
                }
            }
            try await demandFailure(.conflict("a thread with this id exists")) {
                try await store.create(AssistantThread(id: "h1", ownerID: "bob", createdAt: .second(1)))
            }
        },
        StoreContract("a thread of another user is like none") { store in
            _ = try await store.furnish()
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(1)))
            for id in ["h", "none"] as [ThreadID] {
                let missing = RepositoryError.noSuchThread(id)
                try await demandFailure(missing) { _ = try await store.thread(id, of: "bob") }
                try await demandFailure(missing) { _ = try await store.rename(id, of: "bob", title: "x") }
                try await demandFailure(missing) { try await store.delete(id, of: "bob") }
                try await demandFailure(missing) {
                    _ = try await store.turns(of: "bob", in: id, before: nil, limit: 1)
                }
                try await demandFailure(missing) {
                    try await store.record(.of("t", "why", by: "bob", at: 2, in: id))
                }
            }
            try demand(try await store.turns(of: "bob", limit: 9), [])
            try demand(try await store.thread("h", of: "ada").updatedAt, .second(1))
        },
        StoreContract("a thread's turns are its own, and go with it") { store in
            _ = try await store.furnish()
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(1)))
            let turns = [
                Turn.of("t1", "first", at: 1, in: "h"), .of("t2", "alone", at: 2), .of("t3", "second", at: 3, in: "h"),
            ]
            for turn in turns { try await store.record(turn) }
            try demand(
                try await store.turns(of: "ada", in: "h", before: nil, limit: 9), [turns[2], turns[0]])
            try demand(try await store.turns(of: "ada", in: "h", before: "t3", limit: 9), [turns[0]])
            try await demandFailure(.invalid(field: "before", reason: "names no turn")) {
                _ = try await store.turns(of: "ada", in: "h", before: "t2", limit: 9)
            }
            try await store.delete("h", of: "ada")
            try demand(try await store.turns(of: "ada", limit: 9), [turns[1]])
            try await demandFailure(.noSuchThread("h")) { _ = try await store.thread("h", of: "ada") }
        },
        StoreContract("there is one thread with each conversation's assistant") { store in
            _ = try await store.furnish()
            try demand(try await store.exchange(of: "ada", in: "c", at: .second(1)), nil)
            let opened = try await store.openExchange(of: "ada", in: "c", id: "x1", at: .second(1))
            try demand(
                opened, AssistantThread(id: "x1", ownerID: "ada", conversationID: "c", createdAt: .second(1)))
            try demand(try await store.openExchange(of: "ada", in: "c", id: "x2", at: .second(2)), opened)
            try demand(try await store.openExchange(of: "bob", in: "c", id: "x3", at: .second(2)).id, "x3")
            try demand(try await store.exchange(of: "ada", in: "c", at: .second(1)), opened)
            try await demandFailure(.conflict("a thread with this assistant exists")) {
                try await store.create(
                    AssistantThread(id: "x4", ownerID: "ada", conversationID: "c", createdAt: .second(3)))
            }
            for id in ["c", "nowhere"] as [ConversationID] {
                try await demandFailure(.noSuchConversation(id)) {
                    _ = try await store.openExchange(of: "eve", in: id, id: "x5", at: .second(2))
                }
                try await demandFailure(.noSuchConversation(id)) {
                    _ = try await store.exchange(of: "eve", in: id, at: .second(2))
                }
            }
            try await store.delete("x1", of: "ada")
            try demand(try await store.openExchange(of: "ada", in: "c", id: "x6", at: .second(9)).id, "x6")
        },
        StoreContract("a turn with a conversation's assistant opens its thread") { store in
            _ = try await store.furnish()
            let first = Turn.of("t1", "one", at: 2)
            try await store.record(first, trace: nil, inExchangeWith: "c", newID: "x1", at: .second(1))
            let opened = try await store.exchange(of: "ada", in: "c", at: .second(3))
            try demand(opened?.id, "x1")
            try demand(opened?.createdAt, .second(1))
            try demand(opened?.updatedAt, .second(2))
            let second = Turn.of("t2", "two", at: 4, after: ["t1"])
            try await store.record(second, trace: nil, inExchangeWith: "c", newID: "x2", at: .second(3))
            let turns = try await store.turns(of: "ada", in: "x1", before: nil, limit: 9)
            try demand(turns.map(\.id), ["t2", "t1"])
            try demand(turns.map(\.threadID), ["x1", "x1"])
            try demand(turns[0].historyIDs, ["t1"])
            try demand(try await store.thread("x1", of: "ada").turnCount, 2)
            try await demandFailure(.conflict("a turn with this id exists")) {
                try await store.record(first, trace: nil, inExchangeWith: "c", newID: "x2", at: .second(5))
            }
            try await demandFailure(.noSuchConversation("nowhere")) {
                try await store.record(
                    .of("t3", "three", at: 6), trace: nil, inExchangeWith: "nowhere", newID: "x2", at: .second(6))
            }
            try await demandFailure(.noSuchTurn("t3")) { _ = try await store.turn("t3", of: "ada") }
        },
        StoreContract("an answer in a conversation begins with what its asker may see") { store in
            _ = try await store.furnish()
            func beginning(of user: UserID, in id: ConversationID) async throws -> ExchangeBeginning {
                try await store.beginning(of: user, in: id, at: .second(2))
            }
            try demand(try await beginning(of: "ada", in: "c").thread, nil)
            let opened = try await store.openExchange(of: "ada", in: "c", id: "x1", at: .second(1))
            let begun = try await beginning(of: "ada", in: "c")
            try demand(begun.thread, opened)
            try demand(begun.roster, try await store.roster(of: "c", asker: "ada", at: .second(2)))
            let scope = SearchScope(asker: "ada", conversations: .only(["c"]))
            try demand(begun.conversation, try await store.permitted(scope, at: .second(2)).first)
            for (user, id) in [("eve", "c"), ("ada", "nowhere")] as [(UserID, ConversationID)] {
                try await demandFailure(.noSuchConversation(id)) { _ = try await beginning(of: user, in: id) }
            }
        },
        StoreContract("what is shown of a turn, or enters a prompt, follows permission") { store in
            _ = try await store.furnish()
            _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("c", "1"), .short("c", "2"), .short("d", "1", by: "ada")])
            let exchange = try await store.openExchange(of: "ada", in: "c", id: "x", at: .second(0)).id
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(0)))
            var turns = [
                Turn.of("t1", "one", from: [.of("c", "1"), .of("d", "1")], at: 1, in: "h"),
                .of("t2", "two", from: [.of("c", "2")], at: 2, in: "h"), .of("t3", "three", at: 3, in: "h"),
                .of("t4", "four", at: 4, in: exchange),
            ]
            for turn in turns { try await store.record(turn) }
            func whole() async throws -> [Bool] { try await store.readable(turns, at: .second(10)).map(\.isWhole) }
            try demand(try await whole(), [true, true, true, true])
            try demand(
                try await store.history(of: "h", user: "ada", limit: 2, at: .second(10)).map(\.question),
                ["two", "three"])
            try await store.delete(.of("c", "2"), at: .second(5))
            turns = try await store.turns(of: "ada", limit: 9).reversed()
            try demand(try await whole(), [true, false, true, true])
            try demand(
                try await store.history(of: "h", user: "ada", limit: 2, at: .second(10)).map(\.question),
                ["one", "three"])
            try await store.removeMember("ada", from: "c", at: .second(6))
            try demand(try await whole(), [false, false, true, false])
            let shown = try await store.readable(turns, at: .second(10)).map(\.turn)
            try demand(shown.map(\.question), ["one", "", "three", ""])
            try demand(shown.map(\.answer), ["", "", "answer to three", ""])
            try demand(shown.map(\.sourceKeys), [[.of("d", "1")], [], [], []])
            try demand(
                try await store.history(of: "h", user: "ada", at: .second(10)).map(\.question), ["three"])
            try demand(try await store.history(of: exchange, user: "ada", at: .second(10)), [])
            try demand(try await store.thread("h", of: "ada").title, "one")
        },
        StoreContract("a turn stands on what the turns before it in its prompt stand on") { store in
            _ = try await store.furnish()
            _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("c", "1"), .short("d", "1", by: "ada"), .short("d", "2", by: "ada")])
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(0)))
            let turns = [
                Turn.of("t1", "one", from: [.of("d", "1")], at: 1, in: "h"),
                .of("t2", "two", from: [.of("c", "1")], at: 2, in: "h", after: ["t1"]),
                .of("t3", "three", from: [.of("d", "2")], at: 3, in: "h", after: ["t1", "t2"]),
                .of("t4", "four", from: [.of("d", "2")], at: 4, in: "h", after: ["t3"]),
                .of("t5", "five", from: [.of("d", "2")], at: 5, in: "h", after: ["t1"]),
            ]
            for turn in turns { try await store.record(turn, trace: .of([.of("c", "1"), .of("d", "2")])) }
            try demand(try await store.turns(of: "ada", limit: 9).reversed(), turns)
            func whole() async throws -> [TurnID] {
                try await store.readable(turns, at: .second(10)).filter(\.isWhole).map(\.turn.id)
            }
            try demand(try await whole(), ["t1", "t2", "t3", "t4", "t5"])
            try await store.removeMember("ada", from: "c", at: .second(6))
            try demand(try await whole(), ["t1", "t5"])
            let shown = try await store.readable([turns[3]], at: .second(10))[0].turn
            try demand(shown.answer, "")
            try demand(shown.sourceKeys, [.of("d", "2")])
            let trace = try await store.trace(of: "t4", user: "ada", at: .second(10))
            try demand(trace?.hits.map(\.rank), [2])
            try demand(trace?.searchedQuestion, nil)
            try await store.setMember(
                Member(userID: "ada", displayName: "Ada", joinedAt: .second(7)), in: "c", source: "api", at: .second(7))
            try await store.delete(.of("c", "1"), at: .second(8))
            try demand(try await whole(), ["t1", "t5"])
            try demand(
                try await store.turns(of: "ada", limit: 9).reversed().map(\.question), ["one", "", "", "", "five"])
            try demand(try await store.trace(of: "t4", user: "ada", at: .second(10)), nil)
            try await store.record(.of("t6", "six", at: 9, in: "h", after: ["t2"]))
            try await store.record(.of("t7", "seven", at: 9, in: "h", after: ["none"]))
            try demand(try await store.turns(of: "ada", limit: 2).map(\.question), ["", ""])
        },
        StoreContract("feedback is the asker's last word, and its reason goes with the turn") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1")])
            for (id, second) in [("t1", 1), ("t2", 2), ("t3", 3)] as [(TurnID, Int)] {
                try await store.record(.of(id, "why", from: [.of("c", "1")], at: second))
            }
            let down = TurnFeedback(rating: .down, reason: "not the pier", givenAt: .second(5))
            try demand(try await store.setFeedback(down, on: "t2", of: "ada").feedback, down)
            let up = TurnFeedback(rating: .up, givenAt: .second(6))
            try demand(try await store.setFeedback(up, on: "t2", of: "ada").feedback, up)
            _ = try await store.setFeedback(down, on: "t1", of: "ada")
            _ = try await store.setFeedback(up, on: "t3", of: "ada")
            try demand(try await store.turns(of: "ada", limit: 9).map(\.feedback), [up, up, down])
            try demand(try await store.judgedTurns(after: nil, limit: 2).map(\.id), ["t1", "t2"])
            try demand(try await store.judgedTurns(after: "t2", limit: 2).map(\.id), ["t3"])
            try demand(try await store.setFeedback(nil, on: "t3", of: "ada").feedback, nil)
            try demand(try await store.judgedTurns(after: nil, limit: 9).map(\.id), ["t1", "t2"])
            for (id, user) in [("t1", "bob"), ("none", "ada")] as [(TurnID, UserID)] {
                try await demandFailure(.noSuchTurn(id)) { _ = try await store.setFeedback(up, on: id, of: user) }
            }
            let long = TurnFeedback(
                rating: .up, reason: String(repeating: "x", count: 1_001), givenAt: .second(6))
            try await demandFailure(.invalid(field: "reason", reason: "must have at most 1000 characters")) {
                _ = try await store.setFeedback(long, on: "t1", of: "ada")
            }
            try await store.delete(.of("c", "1"), at: .second(7))
            try demand(try await store.judgedTurns(after: nil, limit: 9), [])
            let redacted = TurnFeedback(rating: .down, givenAt: .second(5))
            try demand(try await store.turns(of: "ada", limit: 9).map(\.feedback), [nil, up, redacted])
            try demand(try await store.setFeedback(down, on: "t3", of: "ada").feedback, redacted)
        },
        StoreContract("a trace is kept with its turn, and shows what may be seen") { store in
            _ = try await store.furnish()
            _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("c", "1"), .short("c", "2"), .short("d", "1", by: "ada")])
            let whole = TurnTrace.of([.of("c", "1"), .of("c", "2"), .of("d", "1")])
            try await store.record(.of("t1", "why", from: [.of("d", "1")], at: 1), trace: whole)
            try await store.record(.of("t2", "why", at: 2))
            var bare = whole
            bare.searchedQuestion = nil
            try demand(try await store.trace(of: "t1", user: "ada", at: .second(9)), whole)
            try demand(try await store.trace(of: "t1", user: nil, at: .second(9)), bare)
            try demand(try await store.trace(of: "t2", user: "ada", at: .second(9)), nil)
            for (id, user) in [("t1", "bob"), ("none", nil)] as [(TurnID, UserID?)] {
                try await demandFailure(.noSuchTurn(id)) {
                    _ = try await store.trace(of: id, user: user, at: .second(9))
                }
            }
            try await store.delete(.of("c", "2"), at: .second(3))
            try demand(
                try await store.trace(of: "t1", user: "ada", at: .second(9)),
                .of([.of("c", "1"), .of("d", "1")], gap: true))
            try await store.removeMember("ada", from: "c", at: .second(4))
            let own = try await store.trace(of: "t1", user: "ada", at: .second(9))
            try demand(own?.hits.map(\.key), [.of("d", "1")])
            try demand(own?.searchedQuestion, "why on earth")
            try await store.delete(.of("d", "1"), at: .second(5))
            try demand(try await store.trace(of: "t1", user: nil, at: .second(9)), nil)
        },
        StoreContract("a turn of many messages is kept whole, unless one of them changed since it was asked") { store in
            _ = try await store.furnish()
            let keys = (1...23).map { MessageKey.of("c", MessageID(rawValue: "\($0)")) }
            try await store.post(keys.map { .short("c", $0.messageID) })
            let sources = Array(keys.prefix(6))
            try await store.record(.of("t1", "why", from: sources, at: 1), trace: .of(keys))
            _ = try await store.edit(keys[4], text: "another text", at: .second(4))
            try await store.record(.of("t2", "why", from: sources, at: 3, after: ["t1"]), trace: .of(keys))
            try await store.record(.of("t3", "why", from: sources.reversed(), at: 5), trace: .of(keys))

            let turns = try await store.turns(of: "ada", limit: 9)
            try demand(turns.map(\.id), ["t3", "t2", "t1"])
            try demand(turns.map(\.sourceKeys), [sources.reversed(), sources, sources])
            try demand(turns.map(\.historyIDs), [[], ["t1"], []])
            try demand(turns.map(\.redaction), [nil, .sourceEdited, .sourceEdited])
            try demand(try await store.trace(of: "t3", user: "ada", at: .second(9)), .of(keys))
            try demand(try await store.trace(of: "t2", user: nil, at: .second(9)), nil)
        },
    ]
}

extension TurnTrace {
    /// A trace with every field set; with `gap` the second hit is missing.
    static func of(_ keys: [MessageKey], asked: String? = "why on earth", gap: Bool = false) -> TurnTrace {
        TurnTrace(
            conversationIDs: ["c", "d"], senderIDs: ["bob"], from: .second(1), to: .second(2), limit: 3,
            timeZone: "Europe/Berlin", searchedQuestion: asked, mode: "hybrid",
            generation: GenerationNumber(rawValue: 1), configuration: "abcd", notes: ["rewritten"],
            noAnswerReason: "none",
            hits: keys.enumerated().map { place, key in
                let rank = gap && place > 0 ? place + 2 : place + 1
                return TurnTrace.Hit(
                    key: key, rank: rank, score: 1.5 / Double(rank), relevance: 0.1,
                    signals: [.init(name: "cosine", value: 0.3, contribution: 0.1, rank: rank)])
            }, prompts: [TurnTrace.Prompt(name: "question", version: 2, fingerprint: "0123")], model: "m",
            promptTokenCount: 12, completionTokenCount: 3, durations: ["search": 1_500])
    }
}

extension Turn {
    /// A turn of Ada, in a thread or alone.
    static func of(
        _ id: TurnID, _ question: String, by asker: UserID = "ada", from keys: [MessageKey] = [], at second: Int,
        in thread: ThreadID? = nil, after history: [TurnID] = []
    ) -> Turn {
        Turn(
            id: id, askerID: asker, question: question, answer: "answer to \(question)", sourceKeys: keys,
            askedAt: .second(second), threadID: thread, historyIDs: history)
    }
}
