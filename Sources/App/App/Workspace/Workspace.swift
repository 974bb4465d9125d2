import ChatCore
import Foundation
import Logging
import MessageStore
import PostgresStore
import SQLiteStore

/// An open data folder: its settings, its store, and the log of the process that owns it.
///
/// The process that holds one owns the folder until it is closed.
struct Workspace: Sendable {
    let settings: NexusSettings
    let store: SQLStore
    let logger: Logger

    /// The present time.
    var now: @Sendable () -> Timestamp { store.services.clock }

    /// Opens a data folder, and creates it if there is none.
    ///
    /// - Parameters:
    ///   - settings: The settings of all parts.
    ///   - logger: Given to every part.
    ///   - patience: The time to wait for another process to release the folder, such as a command that is ending.
    /// - Returns: The folder; it is this process's until it is closed.
    /// - Throws: ``StoreOpenError``, ``RepositoryError``.
    static func open(_ settings: NexusSettings, logger: Logger, patience: Duration) async throws -> Workspace {
        let store = try await openStore(settings, until: .now + patience)
        do {
            _ = try await store.setDirectExclusion(settings.excludesDirect, at: store.services.clock())
        } catch let error as RepositoryError where error.isAboutStorage {
            // It applies to conversations that are stored from now on; stored ones keep their state.
        } catch {
            await store.close()
            throw error
        }
        return Workspace(settings: settings, store: store, logger: logger)
    }

    /// Releases the folder.
    func close() async { await store.close() }

    private static func openStore(
        _ settings: NexusSettings, until end: ContinuousClock.Instant
    ) async throws -> SQLStore {
        while true {
            do {
                if let database = settings.database {
                    return try await PostgresStore.open(
                        database, folder: settings.dataFolder, acceptsLoss: settings.acceptsLoss,
                        acceptedTimeline: settings.acceptedTimeline)
                }
                return try await SQLStore.open(folder: settings.dataFolder, options: StoreOptions())
            } catch StoreOpenError.inUse where ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}

extension NexusSettings {
    /// The size of the database file of the data folder.
    var databaseByteCount: Int {
        let file = dataFolder.appending(path: "nexus.sqlite")
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
