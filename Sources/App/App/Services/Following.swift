import ChatCore
import Logging
import ServiceLifecycle

/// Follows the change log while a server runs.
struct Following: Service {
    let follower: ChangeFollower
    let listeners: [ChangeFollower.Listener]
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await follower.run(listeners: listeners) { error in
                logger.warning("The indexes cannot follow the store", metadata: ["error": "\(type(of: error))"])
            }
        }
    }
}
