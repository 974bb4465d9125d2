import ChatCore
import Connectors
import Foundation

/// The Matrix homeserver.
extension Settings {
    static let matrixURL = Setting<String?>(
        "matrix.homeserver-url", "none: no Matrix", expected: "an https address, or http on loopback"
    ) { chatServer($0) }
    static let matrixUser = Setting<String?>(
        "matrix.user", "none", expected: "the id of a user, such as @nexus:example.org"
    ) { MatrixSettings.isUserID($0) ? $0 : nil }
    static let matrixServiceToken = SecretSetting("matrix.as-token")
    static let matrixHomeserverToken = SecretSetting("matrix.hs-token")

    static let ofMatrix: [any AnySetting] = [
        matrixURL, matrixUser, matrixServiceToken.text, matrixServiceToken.file, matrixHomeserverToken.text,
        matrixHomeserverToken.file,
    ]

    /// Reads the homeserver; nil for none.
    static func matrix(_ source: SettingsSource) throws -> MatrixSettings? {
        guard let url = try source[matrixURL] else { return nil }
        guard let user = try source[matrixUser], let serviceToken = try source[matrixServiceToken],
            let homeserverToken = try source[matrixHomeserverToken]
        else {
            throw SettingsError.inconsistent(
                "matrix.homeserver-url needs matrix.user, matrix.as-token and matrix.hs-token, as in the registration "
                    + "of the application service")
        }
        guard serviceToken != homeserverToken else {
            throw SettingsError.inconsistent("matrix.as-token and matrix.hs-token must differ")
        }
        var matrix = MatrixSettings(
            homeserver: url, userID: user, serviceToken: serviceToken, homeserverToken: homeserverToken)
        let names = try source[mentionNames]
        if let first = names.first, !names.contains(matrix.mentionName) { matrix.mentionName = first }
        return matrix
    }

    /// Reads the address of a server of another chat.
    static func chatServer(_ text: String) -> String? {
        guard let address = serviceAddress(text), let url = URL(string: address), let host = url.host(),
            url.scheme == "https" || isLoopback(host), url.fragment() == nil
        else { return nil }
        return address
    }
}
