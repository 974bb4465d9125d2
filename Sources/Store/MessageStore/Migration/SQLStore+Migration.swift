import ChatCore

extension SQLStore {
    /// Closes the store and fails if it is the target of an unfinished migration.
    ///
    /// - Throws: ``StoreOpenError/unfinishedMigration``, ``RepositoryError``.
    package func checkCompleteness() async throws {
        do {
            guard try await read({ db in try !MigrationRecord.exists(in: db) }) else {
                throw StoreOpenError.unfinishedMigration
            }
        } catch {
            await close()
            throw error
        }
    }
}
