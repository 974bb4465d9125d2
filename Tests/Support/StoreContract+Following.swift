import ChatCore

extension StoreContract {
    /// Of `ThreadRepository`: lists of threads, and exchanges, that are followed.
    package static let followedThreads: [StoreContract] = [
        StoreContract("a follower of threads sees which came, were used or renamed, and which were removed") { store in
            let start = try await store.latestChange()
            for id in ["h1", "h2"] as [ThreadID] {
                try await store.create(AssistantThread(id: id, ownerID: "ada", createdAt: .second(1)))
            }
            try await store.create(AssistantThread(id: "hb", ownerID: "bob", createdAt: .second(1)))
            let all = try await store.threadChanges(of: "ada", after: start, limit: 9)
            try demand(all.items.map(\.id), ["h1", "h2"])
            // Bob's thread came later, and is nothing to Ada.
            try demand(all.next, try await store.latestChange().moved(by: -1))
            try demand(try await store.threadChanges(of: "ada", after: all.next, limit: 9).isEmpty, true)
            try demand(try await store.subjects(after: start), [.threads("ada"), .threads("ada"), .threads("bob")])
            try await store.record(.of("t1", "first", at: 2, in: "h1"))
            _ = try await store.rename("h2", of: "ada", title: "named")
            let used = try await store.threadChanges(of: "ada", after: all.next, limit: 9)
            try demand(used.items.map(\.title), ["first", "named"])
            try demand(used.items, [try await store.thread("h1", of: "ada"), try await store.thread("h2", of: "ada")])
            try await store.delete("h2", of: "ada")
            try await store.delete("hb", of: "bob")
            let left = try await store.threadChanges(of: "ada", after: used.next, limit: 9)
            try demand(left.items, [])
            try demand(left.removedIDs, ["h2"])
            try demand(try await store.threadChanges(of: "bob", after: start, limit: 9).removedIDs, ["hb"])
            let parts = try await store.threadChanges(of: "ada", after: nil, limit: 1)
            try demand(parts.items.map(\.id), ["h1"])
            let end = try await store.latestChange()
            for cursor in [end.moved(by: 1), ChangeCursor(epoch: end.epoch ^ 1, positions: end.positions)] {
                try await demandFailure(.expiredCursor) {
                    _ = try await store.threadChanges(of: "ada", after: cursor, limit: 9)
                }
            }
        },
        StoreContract("a follower of threads does not see how much happens elsewhere") { store in
            try await store.create(AssistantThread(id: "h1", ownerID: "ada", createdAt: .second(1)))
            let before = try await store.threadChanges(of: "ada", after: nil, limit: 9)
            let none = try await store.threadChanges(of: "ada", after: before.next, limit: 9)
            let nobody = try await store.threadChanges(of: "cleo", after: nil, limit: 9)
            for id in ["hb", "hc"] as [ThreadID] {
                try await store.create(AssistantThread(id: id, ownerID: "bob", createdAt: .second(1)))
            }
            try await store.delete("hb", of: "bob")
            try demand(try await store.threadChanges(of: "ada", after: nil, limit: 9), before)
            try demand(try await store.threadChanges(of: "ada", after: before.next, limit: 9), none)
            try demand(none.next, before.next)
            try demand(try await store.threadChanges(of: "cleo", after: nil, limit: 9), nobody)
        },
        StoreContract("a turn of no thread, and feedback, change no list of threads") { store in
            try await store.create(AssistantThread(id: "h", ownerID: "ada", createdAt: .second(1)))
            try await store.record(.of("t1", "first", at: 2, in: "h"))
            let start = try await store.latestChange()
            try await store.record(.of("t2", "alone", at: 3))
            try demand(try await store.latestChange(), start)
            _ = try await store.setFeedback(TurnFeedback(rating: .up, givenAt: .second(4)), on: "t1", of: "ada")
            try demand(try await store.threadChanges(of: "ada", after: start, limit: 9).items, [])
        },
        StoreContract("a follower of an exchange sees turns that came, were judged, redacted or cleared") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            let thread = try await store.openExchange(of: "ada", in: "c", id: "x", at: .second(1)).id
            let other = try await store.openExchange(of: "bob", in: "c", id: "y", at: .second(1)).id
            try await store.record(.of("tb", "bob's own", by: "bob", at: 2, in: other))
            var place: ChangeCursor?
            func followed() async throws -> ListChanges<Turn> {
                let found = try await store.exchangeChanges(of: "ada", in: "c", after: place, limit: 9, at: .second(9))
                place = found.next
                return found
            }
            try demand(try await followed().isEmpty, true)
            let turns = [
                Turn.of("t1", "one", from: [.of("c", "1")], at: 2, in: thread),
                .of("t2", "two", at: 3, in: thread, after: ["t1"]), .of("t3", "three", at: 4, in: thread),
            ]
            for turn in turns { try await store.record(turn) }
            try demand(try await followed().items, turns)
            let up = TurnFeedback(rating: .up, givenAt: .second(5))
            _ = try await store.setFeedback(up, on: "t3", of: "ada")
            try demand(try await followed().items.map(\.feedback), [up])
            try await store.delete(.of("c", "1"), at: .second(6))
            let before = place
            try demand(try await followed().items.map(\.question), ["", ""])
            try demand(
                try await store.threadChanges(of: "ada", after: before, limit: 9).items.map(\.title), ["three"])
            try await store.delete(.of("c", "2"), at: .second(6))
            try demand(try await followed().isEmpty, true)
            try await store.delete(thread, of: "ada")
            let cleared = try await followed()
            try demand(cleared.items, [])
            try demand(cleared.removedIDs, ["t1", "t2", "t3"])
            let anew = try await store.openExchange(of: "ada", in: "c", id: "z", at: .second(7)).id
            try await store.record(.of("t4", "four", at: 8, in: anew))
            try demand(try await followed().items.map(\.id), ["t4"])
        },
        StoreContract("nobody follows an exchange where he or she may not read any more") { store in
            _ = try await store.furnish()
            let thread = try await store.openExchange(of: "bob", in: "c", id: "x", at: .second(1)).id
            try await store.record(.of("t1", "one", by: "bob", at: 2, in: thread))
            try await store.removeMember("bob", from: "c", at: .second(3))
            for (user, id) in [("bob", "c"), ("eve", "c"), ("ada", "none")] as [(UserID, ConversationID)] {
                try await demandFailure(.noSuchConversation(id)) {
                    _ = try await store.exchangeChanges(
                        of: user, in: id, after: nil, limit: 9, at: .second(4))
                }
            }
            let own = try await store.exchangeChanges(
                of: "ada", in: "c", after: nil, limit: 9, at: .second(4))
            try demand(own.isEmpty, true)
        },
    ]
}
