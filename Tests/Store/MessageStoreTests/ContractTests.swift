import ChatCore
import MessageStore
import TestSupport
import Testing

@Suite struct ContractTests {
    @Test(arguments: StoreContract.all) func inMemoryStoreKeeps(_ contract: StoreContract) async throws {
        try await contract.check(InMemoryStore())
    }

    @Test(arguments: StoreContract.all + StoreContract.narrowedRights)
    func sqliteStoreKeeps(_ contract: StoreContract) async throws {
        try await DataFolder.with { _, store in try await contract.check(store) }
    }

    @Test(arguments: ServiceContract<[NodeServices]>.all)
    func theNodeOfADataFolderKeeps(_ contract: ServiceContract<[NodeServices]>) async throws {
        try await DataFolder.with { _, store in try await contract.check([store.services]) }
    }

    /// Those of the built-in encoder do not count.
    @Test(arguments: [(String?.none, 0), ("http://x", 42)])
    func theRecordedTokensOfServicesBeginADay(baseURL: String?, count: Int) async throws {
        try await DataFolder.with { _, store in
            let generation = try await store.beginGeneration(
                .tiny(), baseURL: baseURL, refilling: false, at: .second(0)
            ).number
            _ = try await store.commit([], usage: [generation: EmbeddingUsage(tokenCount: 42)], at: .second(0))
            let (tokens, day) = (store.services.embeddingTokens, Timestamp.second(0).day)

            #expect(try await tokens.add(0, on: day, ifAtMost: nil).count == count)
            #expect(try await tokens.add(8, on: day, ifAtMost: count).count == count + 8)
            #expect(try await !tokens.add(8, on: day, ifAtMost: count).isAdded)
        }
    }
}
