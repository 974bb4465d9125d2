extension SettingKey {
    static let publicURL = SettingKey("http.public-url", .text, default: "none: the address of the request")
    static let oidcIssuer = SettingKey("auth.oidc-issuer", .text)
    static let oidcClientID = SettingKey("auth.oidc-client-id", .text)
    static let oidcClientSecret = SettingKey("auth.oidc-client-secret", .text, isSecret: true)
    static let oidcClientSecretFile = SettingKey("auth.oidc-client-secret-file", .text)
    static let oidcName = SettingKey("auth.oidc-name", .text, default: "Single sign-on")
    static let oidcUserClaim = SettingKey("auth.oidc-user-claim", .text, default: "sub")
    static let importBytes = SettingKey("imports.max-bytes", .integer(1...1 << 40), default: "1073741824 (1 GiB)")

    /// The settings of signing in and of administration over the network.
    static let accounts: [SettingKey] = [
        publicURL, oidcIssuer, oidcClientID, oidcClientSecret, oidcClientSecretFile, oidcName, oidcUserClaim,
        importBytes,
    ]
}
