import ChatCore
import Ingest
import Logging
import ServiceLifecycle
import TestSupport

/// Runs a worker as a server does, while `body` runs: it hears of every change of the store.
func serving(_ worker: IngestWorker, _ store: any ChangeFeed, _ body: () async throws -> Void) async throws {
    let follower = ChangeFollower(store: store, subscribers: [])
    let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [worker], logger: .silent))
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask {
            try await withThrowingTaskGroup(of: Void.self) { running in
                running.addTask { await follower.run(listeners: [{ changes, _ in worker.follow(changes) }]) { _ in } }
                try await group.run()
                running.cancelAll()
            }
        }
        try await body()
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}
