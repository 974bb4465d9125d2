import ChatCore
import Foundation
import LiveChat
import ModelClients

/// The services for push.
extension Settings {
    static let pushDetail = Setting<PushDetail>("push.detail", default: .ids)
    static let pushVAPIDKey = SecretSetting("push.vapid.key")
    static let pushVAPIDSubject = Setting<String?>("push.vapid.subject")
    static let pushWebHosts = Setting<[String]>(
        hosts: "push.web.hosts", "none: only the services of Google, Mozilla, Apple and Microsoft")
    static let pushAPNsKey = SecretSetting("push.apns.key")
    static let pushAPNsKeyID = Setting<String?>("push.apns.key-id")
    static let pushAPNsTeamID = Setting<String?>("push.apns.team-id")
    static let pushAPNsHost = Setting<String>(
        "push.apns.host", default: "production",
        expected: "production, sandbox, an https address without a path, or http on loopback"
    ) { text in
        switch text {
        case "production": APNsCredentials.production
        case "sandbox": APNsCredentials.development
        default: pushOrigin(text)
        }
    }
    static let pushFCMAccount = SecretSetting("push.fcm.service-account")
    static let pushFCMHost = Setting<String>(
        "push.fcm.host", default: FCMCredentials.production,
        expected: "an https address without a path, or http on loopback"
    ) { pushOrigin($0) }
    static let pushWebhookSecret = SecretSetting("push.webhook.secret")
    static let pushWebhookHosts = Setting<[String]>(hosts: "push.webhook.hosts", "none: no gateways")
    static let pushLoopback = Setting<Bool>("push.allow-loopback", default: false)

    static let ofPush: [any AnySetting] = [
        pushDetail, pushVAPIDKey.text, pushVAPIDKey.file, pushVAPIDSubject, pushWebHosts, pushAPNsKey.text,
        pushAPNsKey.file, pushAPNsKeyID, pushAPNsTeamID, pushAPNsHost, pushFCMAccount.text, pushFCMAccount.file,
        pushFCMHost, pushWebhookSecret.text, pushWebhookSecret.file, pushWebhookHosts, pushLoopback,
    ]

    /// Reads the services for push; those without credentials are not used.
    static func push(_ source: SettingsSource) throws -> PushSettings {
        var push = PushSettings()
        push.detail = try source[pushDetail]
        push.web = try vapid(source)
        push.apns = try apns(source)
        push.fcm = try fcm(source)
        if let secret = try source[pushWebhookSecret]?.reveal() {
            push.webhook = try checked { () throws(PushSettingsError) in try WebhookCredentials(secret: secret) }
        }
        let allowsLoopback = try source[pushLoopback]
        let webHosts = PushEndpointRules.browserServices.union(try source[pushWebHosts])
        push.webEndpoints = PushEndpointRules(hosts: webHosts, allowsLoopback: allowsLoopback)
        let gateways = Set(try source[pushWebhookHosts])
        push.webhookEndpoints = PushEndpointRules(hosts: gateways, allowsLoopback: allowsLoopback)
        guard gateways.isEmpty || push.webhook != nil else {
            throw SettingsError.inconsistent(
                "push.webhook.hosts needs push.webhook.secret, which signs what is sent")
        }
        return push
    }

    private static func vapid(_ source: SettingsSource) throws -> VAPIDCredentials? {
        let subject = try source[pushVAPIDSubject]
        guard let key = try source[pushVAPIDKey]?.reveal() else {
            guard subject == nil else {
                throw SettingsError.inconsistent("push.vapid.subject needs push.vapid.key; nexus push-key makes one")
            }
            return nil
        }
        guard let subject else {
            throw SettingsError.inconsistent(
                "push.vapid.key needs push.vapid.subject: an address such as mailto:ops@example.org, at which the "
                    + "push services can reach you")
        }
        return try checked { () throws(PushSettingsError) in
            try VAPIDCredentials(privateKey: key, subject: subject)
        }
    }

    private static func apns(_ source: SettingsSource) throws -> APNsCredentials? {
        let key = try source[pushAPNsKey]?.reveal()
        let (keyID, teamID) = (try source[pushAPNsKeyID], try source[pushAPNsTeamID])
        guard key != nil || keyID != nil || teamID != nil else { return nil }
        guard let key, let keyID, let teamID else {
            throw SettingsError.inconsistent(
                "push.apns.key, push.apns.key-id and push.apns.team-id must be set together")
        }
        let origin = try source[pushAPNsHost]
        return try checked { () throws(PushSettingsError) in
            try APNsCredentials(privateKey: key, keyID: keyID, teamID: teamID, origin: origin)
        }
    }

    private static func fcm(_ source: SettingsSource) throws -> FCMCredentials? {
        guard let account = try source[pushFCMAccount]?.reveal() else { return nil }
        let origin = try source[pushFCMHost]
        return try checked { () throws(PushSettingsError) in
            try FCMCredentials(serviceAccount: Data(account.utf8), origin: origin)
        }
    }

    /// Returns the address of a service: https, or http on loopback.
    private static func pushOrigin(_ text: String) -> String? {
        guard let address = serviceAddress(text), let url = URL(string: address), let host = url.host(),
            url.scheme == "https" || isLoopback(host), url.path().isEmpty, url.fragment() == nil
        else { return nil }
        return address
    }

    fileprivate static func isPushHost(_ text: String) -> Bool {
        if text == "*" { return true }
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty
                && label.utf8.allSatisfy { byte in
                    let scalar = Unicode.Scalar(byte)
                    return scalar.isASCII && scalar.properties.isAlphabetic
                        || "0123456789-_".unicodeScalars.contains(scalar)
                }
        }
    }

    private static func checked<Value>(_ body: () throws(PushSettingsError) -> Value) throws -> Value {
        do throws(PushSettingsError) {
            return try body()
        } catch {
            throw SettingsError.inconsistent(text(of: error))
        }
    }

    private static func text(of error: PushSettingsError) -> String {
        switch error {
        case .vapidKey:
            "push.vapid.key is neither 32 bytes in base64url nor a PEM document with a P-256 key; "
                + "nexus push-key makes one"
        case .vapidSubject: "push.vapid.subject must begin with mailto: or https://"
        case .apnsKey: "push.apns.key is no PEM document with a P-256 key: give the .p8 file from Apple"
        case .apnsIdentifier: "push.apns.key-id and push.apns.team-id have 10 letters and digits"
        case .serviceAccount(let field):
            "push.fcm.service-account: \(field) is missing or cannot be used; give the JSON file from Google"
        case .webhookSecret: "push.webhook.secret must have at least 16 bytes"
        }
    }
}

extension Setting where Value == [String] {
    /// Makes a setting for hosts to which notifications may be sent.
    fileprivate init(hosts name: String, _ text: String) {
        self.init(
            name, default: "", text, expected: "names as push.example.com, *.example.com or *, separated by commas"
        ) { $0.commaSeparated { Settings.isPushHost($0) ? $0 : nil } }
    }
}
