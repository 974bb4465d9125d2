import ChatCore
import HTTPAPI
import LiveChat
import ServiceLifecycle

extension Workspace {
    /// Makes the sender of notifications; once for each server, because services refuse tokens that change too often.
    func makePushSender() -> PushSender {
        PushSender(settings: settings.push, transport: CurlPushTransport(transport: transport), now: now)
    }

    /// What people do with their devices.
    func pushRegistry(_ sender: PushSender) -> PushRegistry {
        PushRegistry(
            devices: store, settings: settings.push, sender: sender, transport: CurlPushTransport(transport: transport),
            makeID: randomID)
    }

    /// Sends notifications; nil if no service is set up.
    func pushDelivery(_ sender: PushSender) -> PushDelivery? {
        guard PushService.allCases.contains(where: { settings.push.isConfigured($0) }) else { return nil }
        return PushDelivery(
            notifications: store, devices: store, sender: sender,
            isOpen: { [people] in people.isShowing($0, to: $1) }, metrics: metrics, now: now, logger: logger)
    }
}
