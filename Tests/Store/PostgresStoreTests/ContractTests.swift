import PostgresStore
import PostgresTestSupport
import TestSupport
import Testing

@Suite(.hangGuard) struct ContractTests {
    @Test(arguments: StoreContract.all + StoreContract.narrowedRights)
    func postgresStoreKeeps(_ contract: StoreContract) async throws {
        try await PostgresServer.shared().withStore { store, _ in try await contract.check(store) }
    }
}
