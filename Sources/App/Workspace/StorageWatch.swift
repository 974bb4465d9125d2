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
            while (try? await Task.sleep(for: Self.interval)) != nil {
                let found = await store.retryWriting()
                guard found != known else { continue }
                known = found
                if let found {
                    logger.error(
                        "Nothing can be stored; what is stored is served", metadata: ["storage": "\(found.rawValue)"])
                } else {
                    logger.notice("The disk takes writing again")
                }
            }
        }
    }
}
