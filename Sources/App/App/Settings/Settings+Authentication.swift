import ChatCore
import Foundation
import HTTPAPI
import ModelClients
import WebServer

/// How callers are authenticated.
extension Settings {
    static let authMode = Setting<String?>(
        "auth.mode", of: ["none", "required"], "required if tokens, OpenID Connect or accounts exist, else none"
    ).showing { $0.authentication == nil ? "none" : "required" }
    static let authJWKS = Setting<String?>("auth.jwks")
    static let authIssuer = Setting<String?>("auth.issuer")
    static let authAudience = Setting<String?>("auth.audience")
    static let authFirebaseProject = Setting<String?>("auth.firebase-project")
    static let authUserClaim = Setting<String>("auth.user-claim", default: TokenSettings().userClaim)
    static let authNameClaim = Setting<String>("auth.name-claim", default: TokenSettings().nameClaim)
    static let authKindClaim = Setting<String?>("auth.kind-claim", "none")
    static let authSecretFile = Setting<String?>("auth.secret-file")

    static let ofAuthentication: [any AnySetting] = [
        authMode, authJWKS, authIssuer, authAudience, authFirebaseProject, authUserClaim, authNameClaim, authKindClaim,
        authSecretFile,
    ]

    /// Reads how callers are authenticated; nil if every caller is trusted.
    static func authentication(_ source: SettingsSource) throws -> AuthenticationSettings? {
        let tokens = try tokens(source)
        let openID = try openID(source)
        switch try source[authMode] {
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

    private static func tokens(_ source: SettingsSource) throws -> TokenSettings? {
        let location = try source[authJWKS]
        let secret = try source[authSecretFile].map { try source.secret(in: $0, of: authSecretFile) }
        let issuer = try source[authIssuer]
        let audience = try source[authAudience]
        let project = try source[authFirebaseProject]
        guard location != nil || secret != nil || project != nil else {
            if issuer != nil || audience != nil {
                throw SettingsError.inconsistent("auth.issuer and auth.audience need auth.jwks or auth.secret-file")
            }
            return nil
        }
        var tokens: TokenSettings
        let set = try location.map { try keys($0, source) }
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
        tokens.userClaim = try source[authUserClaim]
        tokens.nameClaim = try source[authNameClaim]
        tokens.kindClaim = try source[authKindClaim]
        return tokens
    }

    private static func keys(_ location: String, _ source: SettingsSource) throws -> TokenSettings.Keys {
        guard location.contains("://") else { return .document(try source.document(location, of: authJWKS)) }
        guard let url = URL(string: location), let host = url.host(), url.user() == nil,
            url.scheme == "https" || (url.scheme == "http" && isLoopback(host))
        else {
            throw SettingsError.invalidValue(
                key: authJWKS.name, expected: "a file, or an address that begins with https://")
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

/// Signing in, and administration over the network.
extension Settings {
    static let publicURL = Setting<String?>(
        "http.public-url", "none: the address of the request",
        expected: "an address without a path, such as https://chat.example.com"
    ) { text in
        let address = text.hasSuffix("/") ? String(text.dropLast()) : text
        return address == address.lowercased() && CrossOrigin.isOrigin(address) && address != "*" ? address : nil
    }
    static let oidcIssuer = Setting<String?>(
        "auth.oidc-issuer", expected: "an address that begins with https://"
    ) { webAddress($0) }
    static let oidcClientID = Setting<String?>("auth.oidc-client-id")
    static let oidcClientSecret = SecretSetting("auth.oidc-client-secret")
    static let oidcName = Setting<String>("auth.oidc-name", default: "Single sign-on")
    static let oidcUserClaim = Setting<String>("auth.oidc-user-claim", default: "sub")
    static let importBytes = Setting<Int>("imports.max-bytes", bytes: 1...1 << 40, default: 1 << 30)

    static let ofAccounts: [any AnySetting] = [
        publicURL, oidcIssuer, oidcClientID, oidcClientSecret.text, oidcClientSecret.file, oidcName, oidcUserClaim,
        importBytes,
    ]

    /// Reads the service with which people sign in; nil for none.
    private static func openID(_ source: SettingsSource) throws -> OpenIDSettings? {
        let clientID = try source[oidcClientID]
        guard try source.text(oidcIssuer) != nil else {
            guard clientID == nil else {
                throw SettingsError.inconsistent("auth.oidc-client-id needs auth.oidc-issuer")
            }
            return nil
        }
        guard let clientID else { throw SettingsError.inconsistent("auth.oidc-issuer needs auth.oidc-client-id") }
        guard let issuer = try source[oidcIssuer] else { return nil }
        return OpenIDSettings(
            issuer: issuer, clientID: clientID, clientSecret: try source[oidcClientSecret],
            name: try source[oidcName], userClaim: try source[oidcUserClaim], nameClaim: try source[authNameClaim])
    }

    /// Returns an address over TLS, or of this machine, without a slash at its end; nil for any other.
    private static func webAddress(_ text: String) -> String? {
        guard let address = serviceAddress(text), let url = URL(string: address), let host = url.host(),
            url.scheme?.lowercased() == "https" || isLoopback(host), url.fragment() == nil
        else { return nil }
        return address
    }
}
