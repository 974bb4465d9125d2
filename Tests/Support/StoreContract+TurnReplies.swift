import ChatCore

extension StoreContract {
    /// Of turns with their sources, and of single turns.
    package static let turnReplies: [StoreContract] = [
        StoreContract("a turn's sources are read from the messages as they are, for what its asker sees now") { store in
            _ = try await store.furnish()
            _ = try await store.store([.of("d", ["ada"], name: "Docks")], source: "api", mode: .posting, at: .second(0))
            try await store.post([.short("c", "1"), .short("c", "2"), .short("d", "1", by: "ada")])
            var turn = Turn.of("t", "why", from: [.of("c", "1"), .of("d", "1")], at: 1)
            turn.reply = TurnReply(
                sources: [
                    .init(key: .of("d", "1"), number: 1, rank: 1, relevance: 0.5, place: 3..<9),
                    .init(key: .of("c", "2"), number: nil, rank: 2, relevance: 0.25),
                    .init(key: .of("c", "1"), number: 2, rank: 3, relevance: 0),
                ], citations: [.init(number: 1, start: 3, end: 6), .init(number: 2, start: 3, end: 6)],
                notices: ["extractive"], noAnswerReason: "below_threshold", mode: "hybrid")
            try await store.record(turn)
            try demand(try await store.turns(of: "ada", limit: 9), [turn])
            func shown() async throws -> ReadableTurn {
                try await store.readable([try await store.turn("t", of: "ada")], at: .second(9))[0]
            }
            var found = try await shown()
            try demand(found.turn.reply, turn.reply)
            try demand(found.sources.map(\.message.key), [.of("d", "1"), .of("c", "2"), .of("c", "1")])
            try demand(found.sources.map(\.number), [1, nil, 2])
            try demand(found.sources.map(\.rank), [1, 2, 3])
            try demand(found.sources.map(\.relevance), [0.5, 0.25, 0])
            try demand(found.sources.map(\.place), [3..<9, nil, nil])
            try demand(found.sources.map(\.conversationName), ["Docks", "Harbor", "Harbor"])
            try demand(found.sources[0].message.text, "hello")

            try await store.delete(.of("c", "2"), at: .second(2))
            found = try await shown()
            try demand(found.isWhole, true)
            try demand(found.sources.map(\.message.key), [.of("d", "1"), .of("c", "1")])
            try demand(found.turn.reply?.sources.map(\.number), [1, 2])
            try await store.removeMember("ada", from: "c", at: .second(3))
            found = try await shown()
            try demand(found.isWhole, false)
            try demand(found.turn.reply?.citations, [])
            try demand(found.sources.map(\.message.key), [.of("d", "1")])
            try await store.delete(.of("d", "1"), at: .second(4))
            try demand(try await store.turn("t", of: "ada").reply, nil)
            try demand(try await shown().sources, [])
        },
        StoreContract("a turn of before has its sources in the order of their numbers") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            let turn = Turn.of("t", "why", from: [.of("c", "2"), .of("c", "1")], at: 1)
            try await store.record(turn)
            let found = try await store.readable([turn], at: .second(9))[0]
            try demand(found.sources.map(\.message.key), [.of("c", "2"), .of("c", "1")])
            try demand(found.sources.map(\.number), [1, 2])
            try demand(found.sources.map(\.relevance), [nil, nil])
        },
        StoreContract("a turn is read and deleted by who asked it alone") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1")])
            try await store.record(.of("t", "why", from: [.of("c", "1")], at: 1), trace: .of([.of("c", "1")]))
            try demand(try await store.turn("t", of: "ada").question, "why")
            for (id, user) in [("t", "bob"), ("none", "ada")] as [(TurnID, UserID)] {
                try await demandFailure(.noSuchTurn(id)) { _ = try await store.turn(id, of: user) }
                try await demandFailure(.noSuchTurn(id)) { try await store.deleteTurn(id, of: user) }
            }
            try await store.deleteTurn("t", of: "ada")
            try demand(try await store.turns(of: "ada", limit: 9), [])
            try await demandFailure(.noSuchTurn("t")) { try await store.deleteTurn("t", of: "ada") }
            try await demandFailure(.noSuchTurn("t")) {
                _ = try await store.trace(of: "t", user: nil, at: .second(9))
            }
        },
        StoreContract("what came after a deleted turn is still based on its messages") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2"), .short("c", "3")])
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(0)))
            try await store.record(.of("t1", "one", from: [.of("c", "1")], at: 1, in: "h"))
            try await store.record(.of("t2", "two", from: [.of("c", "2")], at: 2, in: "h", after: ["t1"]))
            try await store.record(.of("t3", "three", from: [.of("c", "3")], at: 3, in: "h", after: ["t2"]))
            try await store.deleteTurn("t2", of: "ada")
            try demand(try await store.turn("t3", of: "ada").historyIDs, ["t1"])
            try demand(try await store.turn("t3", of: "ada").sourceKeys, [.of("c", "3"), .of("c", "2")])
            try await store.deleteTurn("t1", of: "ada")
            try demand(try await store.turn("t3", of: "ada").historyIDs, [])
            try await store.delete(.of("c", "1"), at: .second(9))
            try demand(try await store.turn("t3", of: "ada").answer, "")
        },
        StoreContract("followers of an exchange see the deletion of a turn") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            let thread = try await store.openExchange(of: "ada", in: "c", id: "x", at: .second(0)).id
            var first = Turn.of("t1", "one", at: 1, in: thread)
            first.wholeConversationID = "c"
            try await store.record(first)
            try await store.record(.of("t2", "two", at: 2, in: thread, after: ["t1"]))
            let known = try await store.exchangeChanges(of: "ada", in: "c", after: nil, limit: 9, at: .second(3))
            try demand(known.items.map(\.id), ["t1", "t2"])
            try await store.deleteTurn("t1", of: "ada")
            let told = try await store.exchangeChanges(of: "ada", in: "c", after: known.next, limit: 9, at: .second(3))
            try demand(told.removedIDs.map(\.rawValue), ["t1"])
            try demand(try await store.threads(of: "ada", after: nil, limit: 1).map(\.turnCount), [1])
            try await store.delete(.of("c", "2"), at: .second(9))
            try demand(try await store.turn("t2", of: "ada").answer, "")
        },
    ]
}
