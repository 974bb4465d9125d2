import App
import Crypto
import Foundation
import Testing

/// Libraries describe values in their log lines, so no description of settings shows a secret.
@Suite struct SecretDescriptionTests {
    /// 32 bytes, which are also a private key.
    private static let canary = "canary-5e1f-canary-5e1f-canary-5"

    /// The two ways in which Slack's events come, each with a secret that excludes the other's.
    private static let deliveries = ["slack.app-token", "slack.signing-secret"]

    private static func values(folder: URL, delivery: String) throws -> [String: String] {
        let file = folder.appending(path: "secret").path
        try Data(canary.utf8).write(to: URL(filePath: file))
        let key = try P256.Signing.PrivateKey(rawRepresentation: Data(canary.utf8))
        return [
            "store.url": "postgres://nexus:\(canary)@localhost/nexus", "store.password-file": file,
            "mentions.webhook-url": "https://hook.test/in", "mentions.webhook-secret": canary,
            "auth.secret-file": file, "auth.issuer": "https://issuer.test", "auth.audience": "chat",
            "auth.oidc-issuer": "https://id.test", "auth.oidc-client-id": "chat", "auth.oidc-client-secret": canary,
            "firestore.secret": canary, "api-key": canary,
            "matrix.homeserver-url": "https://matrix.test", "matrix.user": "@nexus:matrix.test",
            "matrix.as-token": canary, "matrix.hs-token": canary + "2",
            "mattermost.url": "https://mattermost.test", "mattermost.token": canary,
            "slack.bot-token": canary, delivery: canary,
            "embedding.provider": "compatible", "embedding.base-url": "https://embed.test/v1",
            "embedding.model": "e", "embedding.api-key": canary,
            "chat.provider": "compatible", "chat.base-url": "https://chat.test/v1", "chat.model": "c",
            "chat.api-key": canary,
            "rerank.base-url": "https://rerank.test/v1", "rerank.api-key": canary,
            "push.vapid.key": key.pemRepresentation, "push.vapid.subject": "mailto:ops@push.test",
            "push.apns.key": key.pemRepresentation, "push.apns.key-id": "ABC123DEFG",
            "push.apns.team-id": "DEF123GHIJ", "push.webhook.secret": canary,
        ]
    }

    /// The forms in which a secret could be shown: itself, Base64, and bytes in decimal and hexadecimal digits.
    private static var forms: [String] {
        let bytes = Array(canary.utf8)
        return [
            String(canary.prefix(11)), String(Data(bytes).base64EncodedString().prefix(16)),
            bytes.prefix(4).map { "\($0)" }.joined(separator: ", "),
            bytes.prefix(4).map { "- \($0)" }.joined(separator: " "),
            bytes.prefix(4).map { String($0, radix: 16) }.joined(), "PRIVATE KEY",
        ]
    }

    @Test(arguments: deliveries) func noDescriptionOfSettingsShowsASecret(delivery: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let texts = try await SettingsProbe.descriptions(Self.values(folder: folder, delivery: delivery))

        #expect(texts.count == 4)
        for text in texts {
            let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            for form in Self.forms { #expect(!line.contains(form), "\(form)") }
            // The settings are there, with all their parts.
            for part in ["embed.test", "chat.test", "rerank.test", "id.test", "issuer.test", "firestore", "webhook"] {
                #expect(line.contains(part), "\(part)")
            }
        }
    }

    /// The key of a service account is another type, which the tests of LiveChat describe.
    @Test func everySecretSettingIsDescribed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let given = Set(
            try Self.deliveries.flatMap { try Self.values(folder: folder, delivery: $0).keys }
        ).union(["push.fcm.service-account"])

        for key in Settings.all where key.isSecret { #expect(given.contains(key.name), "\(key.name)") }
    }
}
