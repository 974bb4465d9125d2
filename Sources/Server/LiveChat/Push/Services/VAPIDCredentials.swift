package import ChatCore
import Crypto
import Foundation

/// How the server identifies itself to push services of browsers: RFC 8292.
package struct VAPIDCredentials: Sendable {
    /// How long a token is valid; services accept at most 24 hours.
    static let validity = Duration.seconds(12 * 3_600)

    private let key: P256.Signing.PrivateKey
    private let subject: String

    /// Checks a key and a contact.
    ///
    /// - Parameters:
    ///   - privateKey: 32 bytes in base64url, as `web-push generate-vapid-keys` prints them, or a PEM document.
    ///   - subject: A `mailto:` or `https:` URL at which the service can reach the operator.
    /// - Throws: ``PushSettingsError/vapidKey``, ``PushSettingsError/vapidSubject``.
    package init(privateKey: String, subject: String) throws(PushSettingsError) {
        let text = privateKey.trimmingWhitespace()
        let key =
            text.hasPrefix("-----")
            ? try? P256.Signing.PrivateKey(pemRepresentation: text)
            : Data(base64URL: text).flatMap { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
        guard let key else { throw .vapidKey }
        let isURL = ["mailto:", "https://"].contains { subject.hasPrefix($0) && subject.utf8.count > $0.utf8.count }
        guard isURL, subject.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .vapidSubject }
        self.key = key
        self.subject = subject
    }

    /// Makes a key pair: the private key as ``init(privateKey:subject:)`` reads it, and the public key.
    package static func makeKeyPair() -> (privateKey: String, publicKey: String) {
        let key = P256.Signing.PrivateKey()
        return (key.rawRepresentation.base64URL, key.publicKey.x963Representation.base64URL)
    }

    /// The public key in base64url: the `applicationServerKey` of browsers.
    package var publicKey: String { key.publicKey.x963Representation.base64URL }

    /// Returns a token for an origin.
    package func token(for origin: String, at now: Timestamp) throws -> String {
        try JSONWebToken.signed(
            claims: [
                "aud": .string(origin), "exp": .integer((now + Self.validity).seconds), "sub": .string(subject),
            ], key)
    }
}

extension VAPIDCredentials: CustomStringConvertible, CustomReflectable {
    package var description: String { "VAPID" }
    /// Empty, so that `dump` shows no key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
