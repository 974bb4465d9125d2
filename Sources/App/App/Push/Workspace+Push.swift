import ChatCore
import HTTPAPI
import LiveChat
import ServiceLifecycle

/// The parts of push that share credentials and tokens.
struct PushParts: Sendable {
    /// What people do with their devices.
    let registry: PushRegistry
    /// Sends notifications; nil if no service is set up.
    let delivery: PushDelivery?
}

extension Workspace {
    /// Makes the parts of push; once for each server.
    func makePush() -> PushParts {
        let settings = settings.push
        let transport = CurlPushTransport(transport: transport)
        let sender = PushSender(settings: settings, transport: transport, now: now)
        let registry = PushRegistry(
            devices: store, settings: settings, sender: sender, transport: transport, makeID: randomID)
        guard PushService.allCases.contains(where: { settings.isConfigured($0) }) else {
            return PushParts(registry: registry, delivery: nil)
        }
        let delivery = PushDelivery(
            notifications: store, devices: store, sender: sender,
            isOpen: { [people] in people.isShowing($0, to: $1) }, metrics: metrics, now: now, logger: logger)
        return PushParts(registry: registry, delivery: delivery)
    }
}

/// Pushes notifications while a server runs.
struct PushDeliveryService: Service {
    let delivery: PushDelivery

    func run() async throws {
        await cancelWhenGracefulShutdown { await delivery.run() }
    }
}
