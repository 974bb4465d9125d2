import ChatCore

extension StoreContract {
    /// Of `GenerationRepository`.
    package static let generations: [StoreContract] = [
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

            try demand(try await store.generations().map(\.state), [.standby, .serving])
            try demand(try await store.generations().map(\.servedAt), [.second(0), .second(3)])
            try demand(try await store.subjects(after: latest), [.generation(old), .generation(new.number)])
            try demand(try await store.status(of: new.number).embeddedCount, 3)
            try await store.switchTo(new.number, at: .second(4))
            try demand(try await store.generations().map(\.servedAt), [.second(0), .second(3)])
        },
        StoreContract("the scale of a space is kept, and followers of the log hear of it") { store in
            let number = try await store.furnish()
            try demand(try await store.generations()[0].scale, nil)
            let latest = try await store.latestChange()

            try await store.setScale(CosineScale(mean: 0.7782, contrast: 221), of: number)

            try demand(try await store.generations()[0].scale, CosineScale(mean: 0.7782, contrast: 221))
            try demand(try await store.subjects(after: latest), [.generation(number)])
            let other = try await store.beginGeneration(.tiny("b"), baseURL: nil, refilling: true, at: .second(1))
            try demand(try await store.generations().map(\.scale?.mean), [0.7782, nil])
            try await store.drop(other.number, at: .second(2))
            for unusable in [other.number, GenerationNumber(rawValue: 9)] {
                try await demandFailure(.invalid(field: "generation", reason: "is unknown or retired")) {
                    try await store.setScale(.reference, of: unusable)
                }
            }
        },
        StoreContract("the one that stands by is kept up to date and can serve again") { store in
            let old = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            try await store.embedAll(of: old)
            let new = try await store.beginGeneration(.tiny("b"), baseURL: nil, refilling: true, at: .second(1)).number
            try await store.embedAll(of: new)
            try await store.switchTo(new, at: .second(2))

            try await store.post([.short("c", "3")])
            _ = try await store.edit(.of("c", "1"), text: "other", at: .second(3))
            try await store.delete(.of("c", "2"), at: .second(3))

            for generation in [old, new] {
                let status = try await store.status(of: generation)
                try demand([status.embeddableCount, status.embeddedCount, status.pendingCount], [2, 0, 2])
                try await store.embedAll(of: generation, at: 4)
                let found = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
                try demand(Set(found.map(\.messageKey.messageID)), ["1", "3"])
            }
            try await store.switchTo(old, at: .second(5))
            try demand(try await store.generations().map(\.state), [.serving, .standby])
            try demand(try await store.generations().map(\.servedAt), [.second(5), .second(2)])
        },
        StoreContract("one that does not serve can be dropped, and nothing of it is left") { store in
            let old = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2")])
            try await store.embedAll(of: old)
            try await demandFailure(.conflict("generation 1 serves; switch to another one first")) {
                try await store.drop(old, at: .second(1))
            }
            try await demandFailure(.invalid(field: "generation", reason: "is unknown")) {
                try await store.drop(GenerationNumber(rawValue: 9), at: .second(1))
            }
            let new = try await store.beginGeneration(.tiny("b"), baseURL: nil, refilling: true, at: .second(1)).number
            try await store.embedAll(of: new)
            try await store.switchTo(new, at: .second(2))
            try await store.post([.short("c", "3")])
            let latest = try await store.latestChange()

            try await store.drop(old, at: .second(3))
            try await store.drop(old, at: .second(4))

            try demand(try await store.generations().map(\.state), [.retired, .serving])
            try demand(try await store.subjects(after: latest), [.generation(old)])
            try demand(try await store.indexedPassages(of: old, after: .init(rawValue: 0), limit: 9), [])
            try demand(try await store.pendingCount(of: old), 0)
            try demand(try await store.status(of: new).embeddedCount, 2)
            try await demandFailure(.invalid(field: "generation", reason: "is unknown or retired")) {
                try await store.switchTo(old, at: .second(5))
            }
        },
        StoreContract("vectors that no index can hold begin no generation") { store in
            try await store.post([])
            for dimensions in [-1, 0, 16_385, 2_000_000, .max] {
                let space = EmbeddingSpace(provider: "compatible", model: "m", dimensions: dimensions)
                try await demandFailure(.invalid(field: "dimensions", reason: "must lie in 1...16384")) {
                    _ = try await store.beginGeneration(GenerationPlan(space: space, baseURL: nil), at: .second(1))
                }
            }
            try demand(try await store.generations(), [])
            let space = EmbeddingSpace(provider: "compatible", model: "m", dimensions: 16_384)
            let begun = try await store.beginGeneration(GenerationPlan(space: space, baseURL: nil), at: .second(1))
            try demand(begun.state, .serving)
        },
        StoreContract("one that begins at a moment leaves older messages out") { store in
            _ = try await store.furnish()
            try await store.post([.short("c", "old", at: 9), .short("c", "edge", at: 10), .short("c", "young", at: 11)])
            let generation = try await store.beginGeneration(
                GenerationPlan(space: .tiny("b"), baseURL: nil, since: .second(10)), at: .second(20)
            ).number
            func waiting() async throws -> [MessageID] {
                let items = try await store.claim(9, for: generation, until: .second(99), at: .second(20))
                try await store.release(items)
                return items.map(\.messageKey.messageID)
            }
            try demand(try await waiting(), ["young", "edge"])
            try await store.post([.short("c", "older", at: 8), .short("c", "next", at: 12)])
            _ = try await store.edit(.of("c", "old"), text: "other", at: .second(21))
            _ = try await store.edit(.of("c", "edge"), text: "other", at: .second(21))
            try demand(try await waiting(), ["next", "edge", "young"])
            let status = try await store.status(of: generation)
            try demand([status.embeddableCount, status.pendingCount], [3, 3])
            try await store.embedAll(of: generation, at: 22)
            try demand(try await store.status(of: generation).embeddedCount, 3)

            // Another time makes a message belong to it, or no longer.
            var (old, young) = (Message.short("c", "old", "other", at: 30), Message.short("c", "young", at: 1))
            old.editedAt = .second(21)
            young.localID = nil
            try demand(
                try await store.accept([old, young], source: "api", mode: .importing, at: .second(31)),
                [.updated, .updated])
            try demand(try await waiting(), ["old"])
            let found = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(Set(found.map(\.messageKey.messageID)), ["edge", "next"])
            try demand(try await store.status(of: generation).embeddableCount, 3)
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
            try await store.switchTo(GenerationNumber(rawValue: first.rawValue + 1), at: .second(1))
            // The same wish again, after it was fulfilled.
            try demand(try await begin(true), first.rawValue + 1)
            try await store.switchTo(first, at: .second(2))
            try await demandFailure(
                .conflict("generation 2 of this model is on standby; switch to it, or drop it first")
            ) { _ = try await begin(true) }
            try demand(try await begin(false, url: "http://x"), first.rawValue + 2)
        },
        StoreContract("a generation that is being filled continues with the new options") { store in
            _ = try await store.furnish()
            var plan = GenerationPlan(
                space: .tiny("b"), baseURL: "http://x", requestsDimensions: true, since: .second(5), switchShare: 0.5,
                fillRate: 10)
            let first = try await store.beginGeneration(plan, at: .second(1))
            try demand(first, EmbeddingGeneration(number: first.number, plan: plan, state: .filling))
            plan.since = nil
            plan.switchShare = 0.98
            plan.fillRate = nil
            let again = try await store.beginGeneration(plan, at: .second(2))
            plan.since = .second(5)
            try demand(again, EmbeddingGeneration(number: first.number, plan: plan, state: .filling))
            try demand(try await store.generations().last, again)
            plan.since = .second(6)
            try await demandFailure(
                .conflict("generation 2 is being filled from another moment on; drop it first")
            ) { _ = try await store.beginGeneration(plan, at: .second(3)) }
        },
        StoreContract("the bound of a generation's speed can be forgotten") { store in
            let serving = try await store.furnish()
            let plan = GenerationPlan(space: .tiny("b"), baseURL: nil, fillRate: 10)
            let next = try await store.beginGeneration(plan, at: .second(1))
            let latest = try await store.latestChange()
            try await store.endFill(of: next.number)
            try await store.endFill(of: serving)
            try await store.endFill(of: GenerationNumber(rawValue: 9))
            try demand(try await store.generations().map(\.fillRate), [nil, nil])
            try demand(try await store.latestChange(), latest)
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
}
