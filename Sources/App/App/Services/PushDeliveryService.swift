import LiveChat
import ServiceLifecycle

/// Pushes notifications while a server runs.
struct PushDeliveryService: Service {
    let delivery: PushDelivery

    func run() async throws {
        await cancelWhenGracefulShutdown { await delivery.run() }
    }
}
