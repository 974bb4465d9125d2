import ChatCore
import Foundation
import Logging
import MessageStore
import ServiceLifecycle

/// Finds out when a disk that took no writing takes it again, and says so in the log.
struct StorageWatch: Service {
    private static let interval = Duration.seconds(2)

    let store: SQLiteStore
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var known: StorageTrouble?
            await store.storageFailed.repeating(failed: { _ in }) {
                let found = store.storageTrouble == nil ? nil : await store.retryWriting()
                if found != known { tell(found) }
                known = found
                return found == nil ? nil : Self.interval
            }
        }
    }

    private func tell(_ trouble: StorageTrouble?) {
        if let trouble {
            logger.error(
                "Nothing can be stored; what is stored is served", metadata: ["storage": "\(trouble.rawValue)"])
        } else {
            logger.notice("The disk takes writing again")
        }
    }
}
