import ChatCore
import Connectors

/// The Mattermost server.
extension Settings {
    static let mattermostURL = Setting<String?>(
        "mattermost.url", "none: no Mattermost", expected: "an https address, or http on loopback"
    ) { chatServer($0) }
    static let mattermostToken = SecretSetting("mattermost.token")

    static let ofMattermost: [any AnySetting] = [mattermostURL, mattermostToken.text, mattermostToken.file]

    /// Reads the server; nil for none.
    static func mattermost(_ source: SettingsSource) throws -> MattermostSettings? {
        guard let url = try source[mattermostURL] else { return nil }
        guard let token = try source[mattermostToken] else {
            throw SettingsError.inconsistent("mattermost.url needs mattermost.token, the token of the bot account")
        }
        var mattermost = MattermostSettings(url: url, token: token)
        let names = try source[mentionNames]
        if let first = names.first, !names.contains(mattermost.mentionName) { mattermost.mentionName = first }
        return mattermost
    }
}
