import Foundation
import HTTPAPI
import ModelClients
import WebServer

extension NexusSettings {
    /// Reads the service with which people sign in; nil for none.
    static func openID(_ source: SettingsSource, _ keys: KeyReader) throws -> OpenIDSettings? {
        let clientID = try source.text(.oidcClientID)
        guard let issuer = try source.text(.oidcIssuer) else {
            guard clientID == nil else {
                throw SettingsError.inconsistent("auth.oidc-client-id needs auth.oidc-issuer")
            }
            return nil
        }
        guard let clientID else { throw SettingsError.inconsistent("auth.oidc-issuer needs auth.oidc-client-id") }
        guard let address = webAddress(issuer) else {
            throw SettingsError.invalidValue(
                key: SettingKey.oidcIssuer.name, expected: "an address that begins with https://")
        }
        return OpenIDSettings(
            issuer: address, clientID: clientID,
            clientSecret: try keys.own(.oidcClientSecret, file: .oidcClientSecretFile),
            name: try source.text(.oidcName) ?? "Single sign-on",
            userClaim: try source.text(.oidcUserClaim) ?? "sub", nameClaim: try source.text(.authNameClaim) ?? "name")
    }

    /// Reads the address that people use.
    static func publicURL(_ source: SettingsSource) throws -> String? {
        guard let text = try source.text(.publicURL) else { return nil }
        let address = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard address == "\(address)".lowercased(), CrossOrigin.isOrigin(address), address != "*" else {
            throw SettingsError.invalidValue(
                key: SettingKey.publicURL.name, expected: "an address without a path, such as https://chat.example.com")
        }
        return address
    }

    /// Returns an address over TLS, or of this machine, without a slash at its end; nil for any other.
    private static func webAddress(_ text: String) -> String? {
        guard let address = serviceAddress(text), let url = URL(string: address), let host = url.host(),
            url.scheme?.lowercased() == "https" || isLoopback(host), url.fragment() == nil
        else { return nil }
        return address
    }
}
