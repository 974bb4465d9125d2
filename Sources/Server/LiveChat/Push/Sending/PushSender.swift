package import ChatCore
import Foundation

/// Sends one notification to one device and decides the outcome.
///
/// It keeps tokens of the services and nothing else. Pauses, repetitions and registrations are its caller's:
/// ``PushBackoff`` and ``PushDevice/isEnded(by:)`` have the rules. Copies share the tokens.
package struct PushSender: Sendable {
    private let settings: PushSettings
    private var transport: any PushTransport
    private let resolve: PushEndpointRules.Resolver
    private let now: @Sendable () -> Timestamp
    private let webTokens = PushTokens()
    private let apnsTokens = PushTokens()
    private let fcmTokens = PushTokens()

    package init(
        settings: PushSettings, transport: any PushTransport,
        resolve: @escaping PushEndpointRules.Resolver = { await IPAddress.resolve($0) },
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.settings = settings
        self.transport = transport
        self.resolve = resolve
        self.now = now
    }

    /// The same sender, with the same tokens, over another transport.
    func over(_ transport: any PushTransport) -> PushSender {
        var copy = self
        copy.transport = transport
        return copy
    }

    /// Returns the error in a device's address, for its registration; nil when there is none.
    ///
    /// A host that cannot be resolved now is not an error, because each sending resolves it again.
    func fault(of address: PushAddress) async -> PushAddress.Fault? {
        if let fault = settings.fault(of: address) { return fault }
        do {
            switch address {
            case .web(let endpoint, _, _):
                _ = try await settings.webEndpoints.addresses(of: endpoint, resolve: resolve)
            case .webhook(let url, _, _): _ = try await settings.webhookEndpoints.addresses(of: url, resolve: resolve)
            case .apns, .fcm: break
            }
        } catch let fault as PushEndpointFault where fault != .unresolved {
            return PushAddress.Fault(field: address.service == .web ? "endpoint" : "url", reason: fault.reason)
        } catch {}
        return nil
    }

    /// Sends a notification.
    ///
    /// An expired token is renewed, and the request sent again, once. The service may have taken the notification
    /// even if this asks for a repetition; services and gateways collapse the two.
    ///
    /// - Parameters:
    ///   - notification: The notification.
    ///   - device: The device.
    /// - Returns: The outcome, for every reply and for none.
    /// - Throws: `CancellationError` if the task is cancelled.
    package func send(
        _ notification: PushNotification, to device: PushDevice
    ) async throws(CancellationError) -> PushOutcome {
        let outcome =
            if let fault = device.address.fault {
                PushOutcome.misconfigured(.address(field: fault.field))
            } else {
                await outcome(of: notification, to: device)
            }
        if Task.isCancelled, outcome != .delivered { throw CancellationError() }
        return outcome
    }

    private func outcome(of notification: PushNotification, to device: PushDevice) async -> PushOutcome {
        switch device.address {
        case .web(let endpoint, let p256dh, let auth):
            await sendWeb(notification, to: device.id, endpoint: endpoint, p256dh: p256dh, auth: auth)
        case .apns(let token, let topic): await sendAPNs(notification, to: device.id, token: token, topic: topic)
        case .fcm(let token): await sendFCM(notification, to: device.id, token: token)
        case .webhook(let url, let pushKey, let appID):
            await sendWebhook(notification, to: device, url: url, pushKey: pushKey, appID: appID)
        }
    }

    private func exchange(_ request: PushRequest, _ service: PushService, pushKey: String = "") async -> PushOutcome {
        guard let reply = try? await transport.send(request) else { return .retry(after: nil) }
        return PushOutcome.of(reply, from: service, pushKey: pushKey, now: now())
    }

    // MARK: - Endpoints of devices

    private enum Endpoint {
        case addresses([IPAddress])
        case failure(PushOutcome)
    }

    private func endpoint(_ url: String, _ rules: PushEndpointRules) async -> Endpoint {
        do {
            return .addresses(try await rules.addresses(of: url, resolve: resolve))
        } catch let fault as PushEndpointFault where fault != .unresolved {
            return .failure(.misconfigured(.endpoint(fault)))
        } catch {
            return .failure(.retry(after: nil))
        }
    }

    private func sendWeb(
        _ notification: PushNotification, to device: PushDevice.ID, endpoint url: String, p256dh: String, auth: String
    ) async -> PushOutcome {
        guard let credentials = settings.web else { return .misconfigured(.notConfigured) }
        let addresses: [IPAddress]
        switch await endpoint(url, settings.webEndpoints) {
        case .addresses(let found): addresses = found
        case .failure(let outcome): return outcome
        }
        let origin = EndpointURL(url)?.origin ?? ""
        return await sendSigned(.web, webTokens, key: origin) { moment in
            let text = try credentials.token(for: origin, at: moment)
            return PushToken(text: text, mintedAt: moment, renewAt: moment + VAPIDCredentials.validity / 2)
        } request: { token in
            try settings.webRequest(
                notification, to: device, endpoint: url, p256dh: p256dh, auth: auth,
                authorization: "vapid t=\(token), k=\(credentials.publicKey)", addresses: addresses)
        }
    }

    private func sendWebhook(
        _ notification: PushNotification, to device: PushDevice, url: String, pushKey: String, appID: String
    ) async -> PushOutcome {
        guard let credentials = settings.webhook else { return .misconfigured(.notConfigured) }
        switch await endpoint(url, settings.webhookEndpoints) {
        case .failure(let outcome): return outcome
        case .addresses(let addresses):
            let request = settings.webhookRequest(
                notification, to: device, url: url, pushKey: pushKey, appID: appID, credentials: credentials,
                addresses: addresses, at: now())
            return await exchange(request, .webhook, pushKey: pushKey)
        }
    }

    // MARK: - Services with tokens

    private func sendAPNs(
        _ notification: PushNotification, to device: PushDevice.ID, token deviceToken: String, topic: String
    ) async -> PushOutcome {
        guard let credentials = settings.apns else { return .misconfigured(.notConfigured) }
        return await sendSigned(.apns, apnsTokens, key: "") { moment in
            let text = try credentials.token(at: moment)
            return PushToken(text: text, mintedAt: moment, renewAt: moment + APNsCredentials.renewal)
        } request: { token in
            settings.apnsRequest(
                notification, to: device, token: deviceToken, topic: topic, origin: credentials.origin,
                authorization: "bearer \(token)", at: now())
        }
    }

    private func sendFCM(
        _ notification: PushNotification, to device: PushDevice.ID, token deviceToken: String
    ) async -> PushOutcome {
        guard let credentials = settings.fcm else { return .misconfigured(.notConfigured) }
        return await sendAuthorised(.fcm, fcmTokens, key: "") { moment in
            guard let request = try? credentials.tokenRequest(at: moment) else {
                return .failure(.misconfigured(.notConfigured))
            }
            guard let reply = try? await transport.send(request) else { return .failure(.retry(after: nil)) }
            return FCMCredentials.token(in: reply, now: now())
        } request: { token in
            settings.fcmRequest(
                notification, to: device, token: deviceToken, url: credentials.messageURL,
                authorization: "Bearer \(token)")
        }
    }

    /// Sends with a token that needs no service.
    private func sendSigned(
        _ service: PushService, _ tokens: PushTokens, key: String, mint: (Timestamp) throws -> PushToken,
        request: (String) throws -> PushRequest?
    ) async -> PushOutcome {
        await sendAuthorised(service, tokens, key: key) { moment -> PushAuthorization in
            (try? mint(moment)).map { .token($0) } ?? .failure(.misconfigured(.notConfigured))
        } request: {
            try request($0)
        }
    }

    /// Sends with a token, and once more with a new one if the service says that the first has expired.
    private func sendAuthorised(
        _ service: PushService, _ tokens: PushTokens, key: String, authorize: (Timestamp) async -> PushAuthorization,
        request: (String) throws -> PushRequest?
    ) async -> PushOutcome {
        var outcome = PushOutcome.credentialsRefused(isExpired: true)
        for _ in 1...2 where outcome == .credentialsRefused(isExpired: true) {
            let token: PushToken
            switch await tokens.authorization(for: key, now: now, make: authorize) {
            case .token(let usable): token = usable
            case .failure(let failure): return failure
            }
            guard let request = try? request(token.text) else { return .misconfigured(.address(field: "p256dh")) }
            outcome = await exchange(request, service)
            if outcome == .credentialsRefused(isExpired: true) { tokens.discard(token, of: key) }
        }
        return outcome
    }
}
