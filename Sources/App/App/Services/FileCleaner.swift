import ChatCore
import Logging
import MessageStore
import ServiceLifecycle

/// Deletes files that no message took within a day, while a server runs.
struct FileCleaner: Service {
    private static let interval = Duration.seconds(3_600)

    let store: SQLStore
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await clean()
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    private func clean() async {
        do {
            let end = store.services.clock() + (.zero - FileLimits.unattachedLifetime)
            let count = try await store.removeUnattachedFiles(before: end)
            if count > 0 { logger.info("Files without a message were deleted", metadata: ["files.count": "\(count)"]) }
        } catch {
            // A full or read-only disk; the next hour tries again.
            logger.debug("Files without a message could not be deleted", metadata: ["error": "\(type(of: error))"])
        }
    }
}
