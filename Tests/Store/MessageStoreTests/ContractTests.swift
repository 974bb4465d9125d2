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
}
