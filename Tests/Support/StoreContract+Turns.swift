import ChatCore

extension StoreContract {
    /// Of `TurnRepository`.
    package static let turns: [StoreContract] = [
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
                turn.redaction = .sourceDeleted
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
            try demand(try await store.turns(of: "ada", in: nil, before: "t3", limit: 1), [second])
            try demand(try await store.turns(of: "ada", in: nil, before: "t2", limit: 9), [redacted(first)])
            try demand(try await store.turns(of: "ada", in: nil, before: "t1", limit: 9), [])
            for unknown in ["t4", "t5"] as [TurnID] {
                try await demandFailure(.invalid(field: "before", reason: "names no turn")) {
                    _ = try await store.turns(of: "ada", in: nil, before: unknown, limit: 9)
                }
            }
            let bobs = turn("t4", [], 3, asker: "bob")
            try demand(try await store.recentTurns(limit: 9), [bobs, second])
            try demand(try await store.recentTurns(limit: 1), [bobs])
        }
    ]
}
