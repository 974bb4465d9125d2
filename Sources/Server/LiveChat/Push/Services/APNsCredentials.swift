package import ChatCore
import Crypto
import Foundation

/// How the server identifies itself to APNs: with a key of the developer's account.
package struct APNsCredentials: Sendable {
    /// The address for apps from the store.
    package static let production = "https://api.push.apple.com"
    /// The address for apps from Xcode.
    package static let development = "https://api.sandbox.push.apple.com"
    /// A token is used for so long; Apple asks for 20 to 60 minutes.
    static let renewal = Duration.seconds(40 * 60)

    private let key: P256.Signing.PrivateKey
    private let keyID: String
    private let teamID: String
    /// Where the service is.
    let origin: String

    /// Checks a key.
    ///
    /// - Parameters:
    ///   - privateKey: The content of the `.p8` file.
    ///   - keyID: The id of the key.
    ///   - teamID: The id of the developer's team.
    ///   - origin: Where the service is, without a slash at the end.
    /// - Throws: ``PushSettingsError/apnsKey``, ``PushSettingsError/apnsIdentifier``.
    package init(
        privateKey: String, keyID: String, teamID: String, origin: String = APNsCredentials.production
    ) throws(PushSettingsError) {
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: privateKey.trimmingWhitespace()) else {
            throw .apnsKey
        }
        for id in [keyID, teamID] {
            let isPlain = id.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic || "0"..."9" ~= $0 }
            guard isPlain, id.utf8.count == 10 else { throw .apnsIdentifier }
        }
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.origin = origin
    }

    /// Returns a token that is valid from now on.
    package func token(at now: Timestamp) throws -> String {
        try JSONWebToken.signed(
            header: ["kid": .string(keyID)], claims: ["iss": .string(teamID), "iat": .integer(now.seconds)], key)
    }
}

extension APNsCredentials: CustomStringConvertible, CustomReflectable {
    package var description: String { "APNs" }
    /// Empty, so that `dump` shows no key.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
