import ChatCore
import Logging
import MessageStore
import ServiceLifecycle

/// Removes old changes from the change log, and old entries from the audit log, while a server runs, in small
/// transactions.
struct LogRetention: Service {
    private static let interval = Duration.seconds(3_600)
    /// The pause after each transaction, in which others write.
    private static let pause = Duration.milliseconds(50)
    /// The most positions of a transaction.
    private static let positionCount = 1_000

    let store: SQLStore
    /// Changes older than this are removed.
    let age: Duration
    /// Entries of the audit log older than this are removed.
    let auditAge: Duration
    /// Whether mentions are answered, which follow the log too.
    let followsMentions: Bool
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await trim()
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("Old changes cannot be removed", metadata: ["error": "\(type(of: error))"])
                }
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    private func trim() async throws {
        let moment = now()
        while try await store.trimChanges(
            before: moment + (.zero - age), followsMentions: followsMentions, limit: Self.positionCount, at: moment)
        {
            try await Task.sleep(for: Self.pause)
        }
        while try await store.trimAuditLog(before: moment + (.zero - auditAge), limit: Self.positionCount) {
            try await Task.sleep(for: Self.pause)
        }
    }
}
