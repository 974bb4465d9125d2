import ChatCore
import Connectors

/// The Slack workspace.
extension Settings {
    static let slackBotToken = SecretSetting("slack.bot-token")
    static let slackAppToken = SecretSetting("slack.app-token")
    static let slackSigningSecret = SecretSetting("slack.signing-secret")
    static let slackURL = Setting<String>(
        "slack.url", default: SlackSettings.publicURL, expected: "an https address, or http on loopback"
    ) { chatServer($0) }
    static let slackChannels = Setting<[String]>(
        "slack.channels", default: "", "every channel that the app is a member of",
        expected: "ids of channels such as C0123456789, separated by commas"
    ) { $0.commaSeparated { SlackSettings.isChannelID($0) ? $0 : nil } }

    static let ofSlack: [any AnySetting] = [
        slackBotToken.text, slackBotToken.file, slackAppToken.text, slackAppToken.file, slackSigningSecret.text,
        slackSigningSecret.file, slackURL, slackChannels,
    ]

    /// Reads the workspace; nil for none.
    static func slack(_ source: SettingsSource) throws -> SlackSettings? {
        let (bot, app, secret) = (
            try source[slackBotToken], try source[slackAppToken], try source[slackSigningSecret]
        )
        guard bot != nil || app != nil || secret != nil else { return nil }
        let delivery: SlackSettings.Delivery? =
            switch (app, secret) {
            case (let app?, nil): .socketMode(appToken: app)
            case (nil, let secret?): .http(signingSecret: secret)
            default: nil
            }
        guard let bot, let delivery else {
            throw SettingsError.inconsistent(
                "slack.bot-token (xoxb-…) needs either slack.app-token (xapp-…, with the scope connections:write) for "
                    + "Socket Mode, or slack.signing-secret for events over HTTP")
        }
        var slack = SlackSettings(botToken: bot, delivery: delivery, url: try source[slackURL])
        slack.channels = Set(try source[slackChannels])
        let names = try source[mentionNames]
        if let first = names.first, !names.contains(slack.mentionName) { slack.mentionName = first }
        return slack
    }
}
