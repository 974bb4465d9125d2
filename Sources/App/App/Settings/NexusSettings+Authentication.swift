import ChatCore
import Foundation
import HTTPAPI

extension NexusSettings {
    /// Reads how callers are authenticated; nil if every caller is trusted.
    static func authentication(_ source: SettingsSource, _ keys: KeyReader) throws -> AuthenticationSettings? {
        let tokens = try tokens(source, keys)
        let openID = try openID(source, keys)
        switch try source.text(.authMode) {
        case "none":
            guard tokens == nil, openID == nil else {
                throw SettingsError.inconsistent(
                    "auth.mode is none, but checks of tokens or auth.oidc-issuer are configured: remove one of them")
            }
            return nil
        case "required": return AuthenticationSettings(tokens: tokens, openID: openID)
        default:
            guard tokens != nil || openID != nil else { return nil }
            return AuthenticationSettings(tokens: tokens, openID: openID)
        }
    }

    private static func tokens(_ source: SettingsSource, _ keys: KeyReader) throws -> TokenSettings? {
        let location = try source.text(.authJWKS)
        let secret = try source.text(.authSecretFile).map { try keys.read($0, key: .authSecretFile) }
        let issuer = try source.text(.authIssuer)
        let audience = try source.text(.authAudience)
        let project = try source.text(.authFirebaseProject)
        guard location != nil || secret != nil || project != nil else {
            if issuer != nil || audience != nil {
                throw SettingsError.inconsistent("auth.issuer and auth.audience need auth.jwks or auth.secret-file")
            }
            return nil
        }
        var tokens: TokenSettings
        let set = try location.map { try Self.keys($0, keys) }
        if let project {
            guard secret == nil, issuer == nil, audience == nil else {
                throw SettingsError.inconsistent(
                    "auth.firebase-project sets auth.issuer, auth.audience and the keys itself: "
                        + "remove the other settings"
                )
            }
            tokens = .firebase(project: project, keys: set)
        } else {
            guard location == nil || (issuer != nil && audience != nil) else {
                throw SettingsError.inconsistent("auth.jwks needs auth.issuer and auth.audience")
            }
            tokens = TokenSettings(
                keys: set, secret: secret.map { SecretBytes(Data($0.reveal().utf8)) }, issuer: issuer,
                audience: audience)
        }
        if let claim = try source.text(.authUserClaim) { tokens.userClaim = claim }
        if let claim = try source.text(.authNameClaim) { tokens.nameClaim = claim }
        tokens.kindClaim = try source.text(.authKindClaim)
        return tokens
    }

    private static func keys(_ location: String, _ keys: KeyReader) throws -> TokenSettings.Keys {
        guard location.contains("://") else { return .document(try keys.document(location, key: .authJWKS)) }
        guard let url = URL(string: location), let host = url.host(), url.user() == nil,
            url.scheme == "https" || (url.scheme == "http" && isLoopback(host))
        else {
            throw SettingsError.invalidValue(
                key: SettingKey.authJWKS.name, expected: "a file, or an address that begins with https://")
        }
        return .address(location)
    }

    /// Whether a host is reachable from this machine only.
    static func isLoopback(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isAddress = parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
        return host == "localhost" || host == "::1" || (isAddress && parts[0] == "127")
    }
}
