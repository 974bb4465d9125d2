extension SettingKey {
    static let pushDetail = SettingKey("push.detail", .choice(["ids", "text"]), default: "ids")
    static let pushVAPIDKey = SettingKey("push.vapid.key", .text, isSecret: true)
    static let pushVAPIDKeyFile = SettingKey("push.vapid.key-file", .text)
    static let pushVAPIDSubject = SettingKey("push.vapid.subject", .text)
    static let pushWebHosts = SettingKey(
        "push.web.hosts", .text, default: "none: only the services of Google, Mozilla, Apple and Microsoft")
    static let pushAPNsKey = SettingKey("push.apns.key", .text, isSecret: true)
    static let pushAPNsKeyFile = SettingKey("push.apns.key-file", .text)
    static let pushAPNsKeyID = SettingKey("push.apns.key-id", .text)
    static let pushAPNsTeamID = SettingKey("push.apns.team-id", .text)
    static let pushAPNsHost = SettingKey("push.apns.host", .text, default: "production")
    static let pushFCMAccount = SettingKey("push.fcm.service-account", .text, isSecret: true)
    static let pushFCMAccountFile = SettingKey("push.fcm.service-account-file", .text)
    static let pushFCMHost = SettingKey("push.fcm.host", .text, default: "https://fcm.googleapis.com")
    static let pushWebhookSecret = SettingKey("push.webhook.secret", .text, isSecret: true)
    static let pushWebhookSecretFile = SettingKey("push.webhook.secret-file", .text)
    static let pushWebhookHosts = SettingKey("push.webhook.hosts", .text, default: "none: no gateways")
    static let pushLoopback = SettingKey("push.allow-loopback", .flag, default: "false")

    /// The settings of push.
    static let push: [SettingKey] = [
        pushDetail, pushVAPIDKey, pushVAPIDKeyFile, pushVAPIDSubject, pushWebHosts, pushAPNsKey, pushAPNsKeyFile,
        pushAPNsKeyID, pushAPNsTeamID, pushAPNsHost, pushFCMAccount, pushFCMAccountFile, pushFCMHost,
        pushWebhookSecret, pushWebhookSecretFile, pushWebhookHosts, pushLoopback,
    ]
}
