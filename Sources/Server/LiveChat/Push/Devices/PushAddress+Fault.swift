package import ChatCore
import Crypto
import Foundation

extension PushAddress {
    /// The most bytes of an endpoint or of a gateway's URL.
    package static let urlByteLimit = 2_048

    /// A field of an address that cannot be used.
    package struct Fault: Hashable, Sendable {
        /// The field with the error.
        package let field: String
        /// The rule that it breaks; never the value.
        package let reason: String
    }

    /// The first field that cannot be used; nil when there is none.
    ///
    /// Whether a URL may be called is for ``PushEndpointRules`` to say.
    package var fault: Fault? {
        switch self {
        case .web(let endpoint, let p256dh, let auth):
            Self.urlFault(endpoint, field: "endpoint") ?? Self.subscriptionFault(p256dh: p256dh, auth: auth)
        case .apns(let token, let topic): Self.apnsFault(token: token, topic: topic)
        case .fcm(let token):
            Self.isGraphic(token, 1...1_024)
                ? nil : Fault(field: "token", reason: "must have 1 to 1024 printable ASCII characters without blanks")
        case .webhook(let url, let pushKey, let appID):
            Self.urlFault(url, field: "url") ?? Self.webhookFault(pushKey: pushKey, appID: appID)
        }
    }

    private static func urlFault(_ url: String, field: String) -> Fault? {
        guard url.utf8.count <= urlByteLimit else {
            return Fault(field: field, reason: "must have at most \(urlByteLimit) bytes")
        }
        return EndpointURL(url) == nil ? Fault(field: field, reason: PushEndpointFault.notAURL.reason) : nil
    }

    private static func subscriptionFault(p256dh: String, auth: String) -> Fault? {
        guard WebPushKeys.publicKey(p256dh) != nil else {
            return Fault(field: "p256dh", reason: "must be an uncompressed point of P-256 in base64url")
        }
        guard WebPushKeys.secret(auth) != nil else {
            return Fault(field: "auth", reason: "must be \(WebPushKeys.secretByteCount) bytes in base64url")
        }
        return nil
    }

    private static func apnsFault(token: String, topic: String) -> Fault? {
        // Apple says not to rely on the length of a token; today it has 32 bytes, at most 100.
        let isHexadecimal = token.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard isHexadecimal, (16...400).contains(token.utf8.count) else {
            return Fault(field: "token", reason: "must have 16 to 400 hexadecimal digits")
        }
        let isIdentifier = topic.utf8.allSatisfy { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isASCII && (character.isLetter || character.isNumber) || "-._".utf8.contains(byte)
        }
        guard isIdentifier, (1...255).contains(topic.utf8.count) else {
            return Fault(field: "topic", reason: "must be a bundle identifier of letters, digits, '-', '.' and '_'")
        }
        return nil
    }

    /// The limits of the Matrix specification.
    private static func webhookFault(pushKey: String, appID: String) -> Fault? {
        for (field, text, limit) in [("pushkey", pushKey, 512), ("appId", appID, 64)] {
            let isPrintable = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            guard isPrintable, (1...limit).contains(text.utf8.count) else {
                return Fault(field: field, reason: "must have 1 to \(limit) bytes and no control characters")
            }
        }
        return nil
    }

    private static func isGraphic(_ text: String, _ length: ClosedRange<Int>) -> Bool {
        length.contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// The two keys of a browser's subscription.
enum WebPushKeys {
    static let secretByteCount = 16

    /// Returns the browser's public key; nil if the text is not a point of the curve.
    static func publicKey(_ text: String) -> P256.KeyAgreement.PublicKey? {
        guard let bytes = Data(base64URL: text), bytes.count == 65 else { return nil }
        return try? P256.KeyAgreement.PublicKey(x963Representation: bytes)
    }

    /// Returns the authentication secret; nil if the text has another length.
    static func secret(_ text: String) -> Data? {
        guard let bytes = Data(base64URL: text), bytes.count == secretByteCount else { return nil }
        return bytes
    }
}
