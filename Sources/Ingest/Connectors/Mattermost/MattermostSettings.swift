package import ChatCore

/// A Mattermost server, and the bot account as which Nexus is there.
package struct MattermostSettings: Sendable {
    /// The source of everything that comes from Mattermost: of authors' ids, and the beginning of ids of conversations.
    package static let source = "mattermost"

    /// The address of the server, without a slash at its end.
    package let url: String
    /// The token of the bot account.
    package let token: SecretText
    /// The name by which ``MentionService`` knows questions, without `@`.
    package var mentionName = "nexus"
    /// The number of posts of a page of history; the server sends at most 200.
    package var pageSize = 200
    /// The most changed posts that the server names; if there are that many, some may be missing.
    package var changeLimit = 1_000
    /// The number of stored posts that are compared at a time; the server takes at most 1,000.
    package var checkSize = 200
    /// How often channels, members and changes are compared while there is a live connection.
    package var comparisonInterval: Duration = .seconds(600)
    /// How often they are compared without one.
    package var pollInterval: Duration = .seconds(60)
    /// How far changes are read back, because nodes of the server may store posts late.
    package var overlap: Duration = .seconds(5)
    /// How often the live connection is probed; nil for never.
    package var pingInterval: Duration? = .seconds(20)
    /// The pause after an error of the server.
    package var retryPause: Duration = .seconds(5)

    /// - Parameters:
    ///   - url: The address of the server.
    ///   - token: The token of the bot account.
    package init(url: String, token: SecretText) {
        (self.url, self.token) = (url, token)
    }
}
