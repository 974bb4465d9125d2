package import ChatCore

/// The settings of a service with which people sign in (OpenID Connect Core 1.0).
package struct OpenIDSettings: Sendable, Equatable {
    /// The issuer, without a slash at its end; `/.well-known/openid-configuration` follows.
    package var issuer: String
    /// The id of this server at the service.
    package var clientID: String
    /// The secret of this server at the service; nil for a public client.
    package var clientSecret: SecretText?
    /// The name of the service on the button.
    package var name: String
    /// The claim that holds the user's id.
    package var userClaim: String
    /// The claim that holds the user's name.
    package var nameClaim: String

    package init(
        issuer: String, clientID: String, clientSecret: SecretText? = nil, name: String, userClaim: String = "sub",
        nameClaim: String = "name"
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.name = name
        self.userClaim = userClaim
        self.nameClaim = nameClaim
    }
}
