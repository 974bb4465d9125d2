import ChatCore
import Connectors

/// The Slack workspace.
extension Settings {
    static let slackBotToken = SecretSetting("slack.bot-token")
    static let slackAppToken = SecretSetting("slack.app-token")
    static let slackURL = Setting<String>(
        "slack.url", default: SlackSettings.publicURL, expected: "an https address, or http on loopback"
    ) { chatServer($0) }
    static let slackChannels = Setting<[String]>(
        "slack.channels", default: "", "every channel that the app is a member of",
        expected: "ids of channels such as C0123456789, separated by commas"
    ) { $0.commaSeparated { SlackSettings.isChannelID($0) ? $0 : nil } }

    static let ofSlack: [any AnySetting] = [
        slackBotToken.text, slackBotToken.file, slackAppToken.text, slackAppToken.file, slackURL, slackChannels,
    ]

    /// Reads the workspace; nil for none.
    static func slack(_ source: SettingsSource) throws -> SlackSettings? {
        let (bot, app) = (try source[slackBotToken], try source[slackAppToken])
        guard bot != nil || app != nil else { return nil }
        guard let bot, let app else {
            throw SettingsError.inconsistent(
                "slack.bot-token (xoxb-…) and slack.app-token (xapp-…, with the scope connections:write) belong together"
            )
        }
        var slack = SlackSettings(botToken: bot, appToken: app, url: try source[slackURL])
        slack.channels = Set(try source[slackChannels])
        let names = try source[mentionNames]
        if let first = names.first, !names.contains(slack.mentionName) { slack.mentionName = first }
        return slack
    }
}
