package import ChatCore

/// The services that the operator has set up, and what they are sent.
///
/// A service without credentials is not used.
package struct PushSettings: Sendable {
    /// How much of a message is handed over.
    package var detail: PushDetail
    /// The alert of a notification without text; at most 256 bytes are shown.
    package var placeholder: String
    /// How long a service tries to reach a device.
    package var timeToLive: Duration
    /// Web Push.
    package var web: VAPIDCredentials?
    /// APNs.
    package var apns: APNsCredentials?
    /// FCM.
    package var fcm: FCMCredentials?
    /// Gateways.
    package var webhook: WebhookCredentials?
    /// The allowed endpoints of browsers.
    package var webEndpoints: PushEndpointRules
    /// The allowed gateways; none unless the operator names hosts.
    package var webhookEndpoints: PushEndpointRules

    package init(
        detail: PushDetail = .ids, placeholder: String = "New message", timeToLive: Duration = .seconds(86_400),
        web: VAPIDCredentials? = nil, apns: APNsCredentials? = nil, fcm: FCMCredentials? = nil,
        webhook: WebhookCredentials? = nil, webEndpoints: PushEndpointRules = PushEndpointRules(),
        webhookEndpoints: PushEndpointRules = PushEndpointRules(hosts: [])
    ) {
        self.detail = detail
        self.placeholder = placeholder
        self.timeToLive = timeToLive
        self.web = web
        self.apns = apns
        self.fcm = fcm
        self.webhook = webhook
        self.webEndpoints = webEndpoints
        self.webhookEndpoints = webhookEndpoints
    }

    /// Returns the error in a device's address, for its registration; nil when there is none.
    ///
    /// The host of an endpoint is not resolved: ``PushSender`` does that each time.
    package func fault(of address: PushAddress) -> PushAddress.Fault? {
        if let fault = address.fault { return fault }
        switch address {
        case .web(let endpoint, _, _):
            return webEndpoints.fault(of: endpoint).map { .init(field: "endpoint", reason: $0.reason) }
        case .webhook(let url, _, _):
            return webhookEndpoints.fault(of: url).map { .init(field: "url", reason: $0.reason) }
        case .apns, .fcm: return nil
        }
    }

    /// Whether a service can be used.
    package func isConfigured(_ service: PushService) -> Bool {
        switch service {
        case .web: web != nil
        case .apns: apns != nil
        case .fcm: fcm != nil
        case .webhook: webhook != nil
        }
    }
}
