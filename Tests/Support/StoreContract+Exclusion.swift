import ChatCore

extension StoreContract {
    /// Of conversations that are excluded from embedding.
    package static let exclusion: [StoreContract] = [
        StoreContract("what is excluded has no vectors and no entries, what is included again is queued") { store in
            let generation = try await store.furnish()
            let second = try await store.beginGeneration(
                .tiny("next"), baseURL: nil, refilling: false, at: .second(0)
            ).number
            try await store.post([.short("c", "1"), .short("c", "2", at: 2)])
            let items = try await store.claim(1, for: generation, until: .second(60), at: .second(0))
            try demand(try await store.commit(items.map { .of($0) }, at: .second(1)), 1)
            let change = try await store.latestChange()

            let excluded = try await store.setEmbedding(.excluded, of: "c", at: .second(5))
            try demand(excluded, ConversationEmbedding(choice: .excluded, isExcluded: true))
            try await store.post([.short("c", "3", at: 3)])
            _ = try await store.edit(.of("c", "1"), text: "other", at: .second(6))

            let nothing = QueueStatus(
                embeddableCount: 0, embeddedCount: 0, pendingCount: 0, failedCount: 0, excludedCount: 3,
                oldestPending: nil)
            try demand(try await store.status(of: generation), nothing)
            try demand(try await store.status(of: second), nothing)
            try demand(
                try await store.coverage(of: second), EmbeddingCoverage(messageCount: 3, excludedCount: 3))
            try demand(
                try await store.subjects(after: change),
                [.conversation, .retired(PassageNumber(rawValue: 1)), .message("3"), .message("1")])
            try demand(try await store.messageCensus().count, 3)
            try demand(try await store.census(of: generation).count, 0)

            let included = try await store.setEmbedding(.standard, of: "c", at: .second(7))
            try demand(included, ConversationEmbedding(choice: .standard, isExcluded: false))
            let waiting = QueueStatus(
                embeddableCount: 3, embeddedCount: 0, pendingCount: 3, failedCount: 0, oldestPending: .second(7))
            try demand(try await store.status(of: generation), waiting)
            try demand(try await store.status(of: second), waiting)
            let again = try await store.claim(9, for: generation, until: .second(60), at: .second(8))
            try demand(again.map(\.messageKey.messageID), ["3", "2", "1"])
            try demand(again.map(\.isBacklog), [true, true, true])
        },
        StoreContract("an item in work is passed over when its conversation is excluded") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1")])
            let items = try await store.claim(1, for: generation, until: .second(60), at: .second(0))
            _ = try await store.setEmbedding(.excluded, of: "c", at: .second(1))
            try demand(try await store.commit(items.map { .of($0) }, at: .second(2)), 0)
            try demand(try await store.status(of: generation).embeddedCount, 0)
            let next = try await store.beginGeneration(.tiny("next"), baseURL: nil, refilling: false, at: .second(3))
            try demand(try await store.pendingCount(of: next.number), 0)
        },
        StoreContract("the rule for direct conversations yields to what is said of one") { store in
            _ = try await store.furnish()
            _ = try await store.store(
                [
                    .of("d", ["ada", "bob"], kind: .direct, name: nil),
                    .of("e", ["ada", "eve"], kind: .direct, name: nil),
                ],
                source: "api", mode: .posting, at: .second(0))
            try demand(
                try await store.setEmbedding(.included, of: "e", at: .second(1)),
                ConversationEmbedding(choice: .included, isExcluded: false))
            try demand(try await store.setDirectExclusion(true, at: .second(2)), 1)
            try demand(try await store.setDirectExclusion(true, at: .second(2)), 0)
            _ = try await store.store(
                [.of("f", ["ada", "dan"], kind: .direct, name: nil)], source: "api", mode: .posting, at: .second(3))
            var excluded: [Bool] = []
            for id: ConversationID in ["c", "d", "e", "f"] {
                excluded.append(try await store.embedding(of: id).isExcluded)
            }
            try demand(excluded, [false, true, false, true])
            try demand(try await store.setDirectExclusion(false, at: .second(4)), 2)
            try demand(
                try await store.embedding(of: "f"), ConversationEmbedding(choice: .standard, isExcluded: false))
            try await demandFailure(.noSuchConversation("x")) { _ = try await store.embedding(of: "x") }
            try await demandFailure(.noSuchConversation("x")) {
                _ = try await store.setEmbedding(.excluded, of: "x", at: .second(5))
            }
        },
    ]
}
