package import ChatCore
import Crypto
import CryptoExtras
package import Foundation

/// How the server identifies itself to FCM: with a service account of Google.
package struct FCMCredentials: Sendable {
    /// Where the service is.
    package static let production = "https://fcm.googleapis.com"
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    private static let validity: Int64 = 3_600

    private let key: _RSA.Signing.PrivateKey
    private let keyID: String?
    private let email: String
    private let tokenURL: String
    /// Where messages are sent to.
    let messageURL: String

    /// Reads the JSON file of a service account.
    ///
    /// - Parameters:
    ///   - serviceAccount: The file, with `project_id`, `client_email`, `private_key` and `token_uri`.
    ///   - origin: Where the service is, without a slash at the end.
    /// - Throws: ``PushSettingsError/serviceAccount(field:)``.
    package init(serviceAccount: Data, origin: String = FCMCredentials.production) throws(PushSettingsError) {
        let document = (try? JSONParser.parse(Array(serviceAccount))) ?? .null
        func field(_ name: String, where isValid: (String) -> Bool) throws(PushSettingsError) -> String {
            guard let text = document[name]?.text, isValid(text) else { throw .serviceAccount(field: name) }
            return text
        }
        let isGraphic = { (text: String) in !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }
        let project = try field("project_id") { text in
            let isPlain = text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-:.".utf8.contains(byte)
            }
            return isPlain && (1...128).contains(text.utf8.count)
        }
        email = try field("client_email", where: isGraphic)
        tokenURL = try field("token_uri") { text in
            // The operator's own file decides; http is for a stub on this machine.
            PushEndpointRules(hosts: ["*"], allowsLoopback: true).fault(of: text) == nil
        }
        let pem = try field("private_key") { $0.hasPrefix("-----BEGIN") }
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem.trimmingWhitespace()) else {
            throw .serviceAccount(field: "private_key")
        }
        self.key = key
        keyID = document["private_key_id"]?.text
        messageURL = "\(origin)/v1/projects/\(project)/messages:send"
    }

    /// Returns the request for an access token: RFC 7523.
    package func tokenRequest(at now: Timestamp) throws -> PushRequest {
        let assertion = try JSONWebToken.signed(
            header: keyID.map { ["kid": .string($0)] } ?? [:],
            claims: [
                "iss": .string(email), "scope": .string(Self.scope), "aud": .string(tokenURL),
                "iat": .integer(now.seconds), "exp": .integer(now.seconds + Self.validity),
            ], key)
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=" + assertion
        return PushRequest(
            url: tokenURL, headers: ["Content-Type": "application/x-www-form-urlencoded"], body: Data(form.utf8))
    }

    /// Returns what a reply to the request for a token means.
    static func token(in reply: PushReply, now: Timestamp) -> PushAuthorization {
        switch reply.status {
        case 200..<300:
            let document = reply.json
            guard let text = document["access_token"]?.text, !text.isEmpty,
                text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { return .failure(.retry(after: nil)) }
            let seconds = document["expires_in"]?.wholeNumber ?? validity
            // Some minutes before its end, so that it is still valid when it arrives.
            let lifetime = Duration.seconds(max(0, min(seconds, validity)))
            let use = max(lifetime - .seconds(300), lifetime / 2)
            return .token(PushToken(text: text, mintedAt: now, renewAt: now + use))
        case 400, 401, 403: return .failure(.credentialsRefused(isExpired: false))
        default: return .failure(PushOutcome.of(reply, from: .fcm, now: now))
        }
    }
}

extension FCMCredentials: CustomStringConvertible, CustomReflectable {
    package var description: String { "FCM" }
    /// Empty, so that `dump` shows no key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
