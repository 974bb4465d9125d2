import ChatCore
import Foundation
import LiveChat
import ModelClients

extension NexusSettings {
    /// Reads the services for push; those without credentials are not used.
    static func push(_ source: SettingsSource, _ keys: KeyReader) throws -> PushSettings {
        var push = PushSettings()
        push.detail = try source.text(.pushDetail).flatMap { PushDetail(rawValue: $0) } ?? .ids
        push.web = try vapid(source, keys)
        push.apns = try apns(source, keys)
        push.fcm = try fcm(source, keys)
        if let secret = try keys.own(.pushWebhookSecret, file: .pushWebhookSecretFile)?.reveal() {
            push.webhook = try checked { () throws(PushSettingsError) in try WebhookCredentials(secret: secret) }
        }
        let allowsLoopback = try source.flag(.pushLoopback) ?? false
        let webHosts = PushEndpointRules.browserServices.union(try pushHosts(.pushWebHosts, source))
        push.webEndpoints = PushEndpointRules(hosts: webHosts, allowsLoopback: allowsLoopback)
        let gateways = try pushHosts(.pushWebhookHosts, source)
        push.webhookEndpoints = PushEndpointRules(hosts: gateways, allowsLoopback: allowsLoopback)
        guard gateways.isEmpty || push.webhook != nil else {
            throw SettingsError.inconsistent(
                "push.webhook.hosts needs push.webhook.secret, which signs what is sent")
        }
        return push
    }

    private static func vapid(_ source: SettingsSource, _ keys: KeyReader) throws -> VAPIDCredentials? {
        let subject = try source.text(.pushVAPIDSubject)
        guard let key = try keys.own(.pushVAPIDKey, file: .pushVAPIDKeyFile)?.reveal() else {
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

    private static func apns(_ source: SettingsSource, _ keys: KeyReader) throws -> APNsCredentials? {
        let key = try keys.own(.pushAPNsKey, file: .pushAPNsKeyFile)?.reveal()
        let (keyID, teamID) = (try source.text(.pushAPNsKeyID), try source.text(.pushAPNsTeamID))
        guard key != nil || keyID != nil || teamID != nil else { return nil }
        guard let key, let keyID, let teamID else {
            throw SettingsError.inconsistent(
                "push.apns.key, push.apns.key-id and push.apns.team-id must be set together")
        }
        let origin: String
        switch try source.text(.pushAPNsHost) {
        case nil, "production": origin = APNsCredentials.production
        case "sandbox": origin = APNsCredentials.development
        case let text?: origin = try pushOrigin(text, .pushAPNsHost, or: "production, sandbox, ")
        }
        return try checked { () throws(PushSettingsError) in
            try APNsCredentials(privateKey: key, keyID: keyID, teamID: teamID, origin: origin)
        }
    }

    private static func fcm(_ source: SettingsSource, _ keys: KeyReader) throws -> FCMCredentials? {
        guard let account = try keys.own(.pushFCMAccount, file: .pushFCMAccountFile)?.reveal() else { return nil }
        let origin =
            try source.text(.pushFCMHost).map { try pushOrigin($0, .pushFCMHost, or: "") } ?? FCMCredentials.production
        return try checked { () throws(PushSettingsError) in
            try FCMCredentials(serviceAccount: Data(account.utf8), origin: origin)
        }
    }

    /// Reads the address of a service: https, or http on loopback.
    private static func pushOrigin(_ text: String, _ key: SettingKey, or others: String) throws -> String {
        guard let address = serviceAddress(text), let url = URL(string: address), let host = url.host(),
            url.scheme == "https" || isLoopback(host), url.path().isEmpty, url.fragment() == nil
        else {
            throw SettingsError.invalidValue(
                key: key.name, expected: "\(others)an https address without a path, or http on loopback")
        }
        return address
    }

    private static func pushHosts(_ key: SettingKey, _ source: SettingsSource) throws -> Set<String> {
        let hosts = try (source.text(key) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard hosts.allSatisfy(isPushHost) else {
            throw SettingsError.invalidValue(
                key: key.name, expected: "names as push.example.com, *.example.com or *, separated by commas")
        }
        return Set(hosts)
    }

    private static func isPushHost(_ text: String) -> Bool {
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
