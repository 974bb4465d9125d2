package import ChatCore

/// A Slack workspace, and the app as which Nexus is there.
package struct SlackSettings: Sendable {
    /// The source of everything that comes from Slack, imports of exports included: ids are the same.
    package static let source = "slack"
    /// The address of the Web API.
    package static let publicURL = "https://slack.com/api"

    /// How events come.
    package enum Delivery: Sendable {
        /// Over live connections, which the app-level token `xapp-…` opens (*Socket Mode*).
        case socketMode(appToken: SecretText)
        /// Slack sends them over HTTP, signed with the app's secret (*Events API*).
        case http(signingSecret: SecretText)
    }

    /// The token of the app's bot user, `xoxb-…`.
    package let botToken: SecretText
    /// How events come.
    package let delivery: Delivery
    /// The address of the Web API, without a slash at its end.
    package let url: String
    /// The only channels that are read; empty for all that the app is a member of.
    package var channels: Set<String> = []
    /// The name by which ``MentionService`` knows questions, without `@`.
    package var mentionName = "nexus"
    /// The number of messages of a page of history; Slack sends fewer to apps with its strict limit.
    package var pageSize = 200
    /// How often channels and members are compared.
    package var comparisonInterval: Duration = .seconds(600)
    /// How often all stored messages are compared with Slack, even if nothing was missed.
    package var checkInterval: Duration = .seconds(86_400)
    /// Younger messages that a page does not have are not taken for deleted; they are compared again.
    package var settlingTime: Duration = .seconds(60)
    /// How long the former live connection is still read after Slack asked for a new one.
    package var drainTime: Duration = .seconds(30)
    /// The longest time until a request of Slack is answered; Slack waits three seconds.
    package var replyLimit: Duration = .milliseconds(2_500)
    /// The pause after an error of Slack.
    package var retryPause: Duration = .seconds(5)

    /// - Parameters:
    ///   - botToken: The token of the app's bot user.
    ///   - delivery: How events come.
    ///   - url: The address of the Web API.
    package init(botToken: SecretText, delivery: Delivery, url: String = SlackSettings.publicURL) {
        (self.botToken, self.delivery, self.url) = (botToken, delivery, url)
    }

    /// Whether Slack sends events over HTTP.
    var isOverHTTP: Bool {
        if case .http = delivery { true } else { false }
    }

    /// Whether a text is the id of a channel.
    package static func isChannelID(_ text: String) -> Bool {
        text.utf8.count > 1 && "CGD".contains(text.prefix(1))
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    }
}
