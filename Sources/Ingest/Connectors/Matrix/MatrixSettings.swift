package import ChatCore

/// A homeserver, and the application service as which Nexus is registered there.
package struct MatrixSettings: Sendable {
    /// The source of everything that comes from Matrix: of authors' ids, and the beginning of ids of conversations.
    package static let source = "matrix"

    /// The address of the homeserver, without a slash at its end.
    package let homeserver: String
    /// The user of the application service, such as `@nexus:example.org`.
    package let userID: String
    /// The token with which Nexus calls the homeserver.
    package let serviceToken: SecretText
    /// The token with which the homeserver calls Nexus.
    package let homeserverToken: SecretText
    /// The name by which ``MentionService`` knows questions, without `@`.
    package var mentionName = "nexus"
    /// The number of events that are read at a time.
    package var pageSize = 200
    /// How often the members of all rooms are compared.
    package var comparisonInterval: Duration = .seconds(600)
    /// The pause after an error of the homeserver.
    package var retryPause: Duration = .seconds(5)

    /// - Parameters:
    ///   - homeserver: The address of the homeserver.
    ///   - userID: The user of the application service.
    ///   - serviceToken: `as_token` of the registration.
    ///   - homeserverToken: `hs_token` of the registration.
    package init(homeserver: String, userID: String, serviceToken: SecretText, homeserverToken: SecretText) {
        self.homeserver = homeserver
        self.userID = userID
        self.serviceToken = serviceToken
        self.homeserverToken = homeserverToken
    }

    /// The name of the homeserver: where a link says that a room can be found.
    var serverName: String { String(userID.drop { $0 != ":" }.dropFirst()) }

    /// Whether a user has an account on the same homeserver.
    func isOwn(_ user: String) -> Bool { user.hasSuffix(":\(serverName)") }

    /// The part of the user's id before the server's name, without `@`.
    var localName: String { String(userID.dropFirst().prefix { $0 != ":" }) }

    /// Whether a text is the id of a user of a homeserver.
    package static func isUserID(_ text: String) -> Bool {
        guard text.first == "@", let colon = text.firstIndex(of: ":"), text.utf8.count <= 255 else { return false }
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isPlain && text.distance(from: text.startIndex, to: colon) > 1
            && text.index(after: colon) < text.endIndex
    }
}
