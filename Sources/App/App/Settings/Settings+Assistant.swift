import Assistant
import ChatCore
import Foundation

/// The assistant in conversations, and how long logs are kept.
extension Settings {
    static let assistantTokens = Setting<Int?>(
        "assistant.context-tokens", in: 2_048...10_000_000, "chat.context-tokens")
    static let assistantMessages = Setting<Int>(
        "assistant.messages", in: 1...10_000_000, default: ConversationSettings().messageLimit)
    static let assistantPartTokens = Setting<Int>(
        "assistant.part-tokens", in: 256...1_000_000, default: ConversationSettings().partTokenCount)
    static let assistantParts = Setting<Int>(
        "assistant.parts", in: 1...100_000, default: ConversationSettings().partLimit)
    static let feedRetentionDays = Setting<Int>("feed.retention-days", in: 1...3_650, default: 14)
    static let auditRetentionDays = Setting<Int>("audit.retention-days", in: 1...3_650, default: 400)
    static let mentionScope = Setting<String>(
        "mentions.scope", of: MentionSettings.Reach.allCases.map(\.rawValue) + ["off"],
        default: MentionSettings().reach.rawValue)
    static let mentionNames = Setting<[String]>(
        "mentions.names", default: MentionSettings().names.joined(separator: ","),
        expected: "names of letters, digits, - and _, separated by commas"
    ) { text in
        text.commaSeparated { MentionSettings.isName($0) ? $0 : nil }.flatMap { $0.isEmpty ? nil : $0 }
    }
    static let mentionsPerMinute = Setting<Int>(
        "mentions.per-minute", in: 1...1_000_000, default: MentionSettings().answersPerMinute)
    static let webhookURL = Setting<String?>(
        "mentions.webhook-url", "none: no webhook", expected: "an https address, or http on loopback"
    ) { isWebhook($0) ? $0 : nil }
    static let webhookSecret = SecretSetting("mentions.webhook-secret")

    static let scheduleLimit = Setting<Int>("schedules.per-person", in: 0...1_000, default: ScheduleSettings().limit)
    static let scheduleLateHours = Setting<Int>("schedules.late-hours", in: 1...168, default: 12)

    static let ofAssistant: [any AnySetting] = [
        assistantTokens, assistantMessages, assistantPartTokens, assistantParts, feedRetentionDays, auditRetentionDays,
        mentionScope, mentionNames, mentionsPerMinute, webhookURL, webhookSecret.text, webhookSecret.file,
        scheduleLimit, scheduleLateHours,
    ]

    static func conversations(_ source: SettingsSource) throws -> ConversationSettings {
        ConversationSettings(
            contextTokenCount: try source[assistantTokens], messageLimit: try source[assistantMessages],
            partTokenCount: try source[assistantPartTokens], partLimit: try source[assistantParts])
    }

    static func mentions(_ source: SettingsSource, isDelivered: Bool) throws -> MentionSettings? {
        guard let reach = MentionSettings.Reach(rawValue: try source[mentionScope]) else { return nil }
        return MentionSettings(
            reach: reach, names: try source[mentionNames], answersPerMinute: try source[mentionsPerMinute],
            isDelivered: isDelivered)
    }

    static func schedules(
        _ source: SettingsSource, isDelivered: Bool, answerTimeout: Duration
    ) throws -> ScheduleSettings {
        ScheduleSettings(
            limit: try source[scheduleLimit], lateLimit: .seconds(try source[scheduleLateHours] * 3_600),
            isDelivered: isDelivered, lease: answerTimeout + .seconds(300))
    }

    static func webhook(_ source: SettingsSource) throws -> MentionWebhook.Target? {
        let secret = try source[webhookSecret]
        guard let address = try source[webhookURL] else { return nil }
        guard let secret else {
            throw SettingsError.inconsistent(
                "mentions.webhook-url needs mentions.webhook-secret, which signs what is sent")
        }
        return MentionWebhook.Target(url: address, secret: secret)
    }

    private static func isWebhook(_ address: String) -> Bool {
        guard let url = URL(string: address), let scheme = url.scheme, let host = url.host(), url.user() == nil else {
            return false
        }
        return scheme == "https" || (scheme == "http" && isLoopback(host))
    }
}
