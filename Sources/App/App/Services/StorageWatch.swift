import ChatCore
import Logging
import MessageStore
import ServiceLifecycle

/// Detects when the store can be written again, and logs it.
struct StorageWatch: Service {
    private static let interval = Duration.seconds(2)

    let store: SQLStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: StorageTrouble?
            await store.storageFailed.repeating(failed: { _ in }) {
                var found = store.storageTrouble
                if found != known { tell(found) }
                known = found
                // A write may wait for long.
                if found != nil { found = await store.retryWriting() }
                if found != known { tell(found) }
                known = found
                return found == nil ? nil : Self.interval
            }
        }
    }

    private func tell(_ trouble: StorageTrouble?) {
        if trouble == .damaged {
            logger.critical(
                "The database is damaged: nothing is stored any more. Stop the server and restore a backup",
                metadata: ["storage": "\(StorageTrouble.damaged.rawValue)"])
        } else if let trouble {
            logger.error(
                "Nothing can be stored; stored messages are still served", metadata: ["storage": "\(trouble.rawValue)"])
        } else {
            logger.notice("Messages can be stored again")
        }
    }
}
