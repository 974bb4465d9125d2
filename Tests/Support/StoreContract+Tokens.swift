import ChatCore

extension StoreContract {
    /// Of `TokenUsageRepository`.
    package static let tokens: [StoreContract] = [
        StoreContract("tokens of users add up by day") { store in
            try demand(try await store.usedTokens(of: "ada", on: 20_000), 0)
            try await store.addUsedTokens(["ada": 5, "bob": 7], on: 20_000)
            try await store.addUsedTokens(["ada": 6], on: 20_000)
            try await store.addUsedTokens(["ada": 1], on: 20_001)
            try demand(try await store.usedTokens(of: "ada", on: 20_000), 11)
            try demand(try await store.usedTokens(of: "bob", on: 20_000), 7)
            try demand(try await store.usedTokens(of: "ada", on: 20_001), 1)
            try demand(try await store.usedTokens(of: "eve", on: 20_000), 0)
        },
        StoreContract("tokens beyond any sensible count stay countable") { store in
            for _ in 0..<3 { try await store.addUsedTokens(["ada": .max], on: 20_000) }
            try demand(try await store.usedTokens(of: "ada", on: 20_000) >= 1_000_000_000_000_000, true)
        },
        StoreContract("days that lie more than 30 back are forgotten") { store in
            for day in [19_969, 19_970] { try await store.addUsedTokens(["ada": 3], on: day) }
            try await store.addUsedTokens([:], on: 20_000)
            try demand(try await store.usedTokens(of: "ada", on: 19_969), 0)
            try demand(try await store.usedTokens(of: "ada", on: 19_970), 3)
        },
    ]
}
