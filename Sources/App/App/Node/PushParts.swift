import ChatCore
import HTTPAPI
import LiveChat
import MessageStore

/// Notifications for devices.
struct PushParts: Sendable {
    /// What people do with their devices.
    let registry: PushRegistry
    /// Sends notifications; one for each process, because services refuse tokens that change too often.
    private let sender: PushSender

    init(_ node: Node) {
        let workspace = node.workspace
        let transport = CurlPushTransport(transport: node.transport)
        sender = PushSender(settings: workspace.settings.push, transport: transport, now: workspace.now)
        registry = PushRegistry(
            devices: workspace.store, settings: workspace.settings.push, sender: sender, transport: transport,
            makeID: randomID)
    }

    /// Delivers notifications; nil if no service is set up.
    func delivery(_ node: Node) -> PushDelivery? {
        let (settings, store) = (node.workspace.settings, node.workspace.store)
        guard PushService.allCases.contains(where: { settings.push.isConfigured($0) }) else { return nil }
        return PushDelivery(
            notifications: store, devices: store, sender: sender,
            isOpen: { [people = node.live.people] in people.isShowing($0, to: $1) }, metrics: node.metrics,
            now: node.workspace.now, logger: node.workspace.logger)
    }
}
