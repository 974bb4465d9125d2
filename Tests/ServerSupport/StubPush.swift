package import ChatCore
import Foundation
import HTTPAPI
package import LiveChat
import Synchronization
import TestSupport

/// Answers every request to a push service with a status.
package final class StubPushTransport: PushTransport {
    private let status: Int
    private let sent = Mutex<[PushRequest]>([])

    package init(status: Int = 200) {
        self.status = status
    }

    package var requests: [PushRequest] { sent.withLock { $0 } }

    package func send(_ request: PushRequest) async throws -> PushReply {
        sent.withLock { $0.append(request) }
        return PushReply(status: status)
    }
}

extension PushRegistry {
    /// The private key of the example in RFC 8291.
    private static let key = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"

    /// Web Push, and gateways at `gateway.example`; another name of a gateway has an address in a private network.
    package static func stub(
        devices: any PushDeviceRepository = InMemoryPushDevices(),
        transport: any PushTransport = StubPushTransport(), now: @escaping @Sendable () -> Timestamp
    ) throws -> PushRegistry {
        let settings = PushSettings(
            web: try VAPIDCredentials(privateKey: key, subject: "mailto:ops@example.org"),
            webhook: try WebhookCredentials(secret: "a secret of 26 characters"),
            webhookEndpoints: PushEndpointRules(hosts: ["gateway.example", "inside.example"]))
        let sender = PushSender(
            settings: settings, transport: transport,
            resolve: { host in
                [IPAddress(host == "inside.example" ? "10.0.0.1" : "93.184.215.14")].compactMap { $0 }
            }, now: now)
        let number = Counter()
        return PushRegistry(
            devices: devices, settings: settings, sender: sender, transport: transport,
            makeID: { "device-\(number.increment())" })
    }
}
