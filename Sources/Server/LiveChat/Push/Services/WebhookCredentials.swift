package import ChatCore
import Crypto
package import Foundation

/// The secret with which requests to gateways are signed.
package struct WebhookCredentials: Sendable {
    private let key: SymmetricKey

    /// Takes a secret that the gateway has too.
    ///
    /// - Throws: ``PushSettingsError/webhookSecret``.
    package init(secret: String) throws(PushSettingsError) {
        guard secret.utf8.count >= 16 else { throw .webhookSecret }
        key = SymmetricKey(data: Data(secret.utf8))
    }

    /// Returns the value of `Nexus-Signature`: the time, and the HMAC-SHA256 of time, "." and body.
    ///
    /// A gateway refuses old times, so that nobody can send a request again.
    package func signature(of body: Data, at now: Timestamp) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(now.seconds).".utf8) + body, using: key)
        return "t=\(now.seconds),v1=\(Data(code).hexadecimal)"
    }
}

extension WebhookCredentials: CustomStringConvertible, CustomReflectable {
    /// Without the secret.
    package var description: String { "webhook" }
    /// Empty, so that `dump` shows no secret.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension Data {
    /// The bytes in lower-case hexadecimal.
    fileprivate var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
