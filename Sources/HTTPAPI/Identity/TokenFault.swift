/// Why a token is refused; what is said of it quotes nothing of the token.
enum TokenFault: String, Error, CaseIterable {
    case malformed = "the token is malformed"
    case tooLong = "the token is too long"
    case unsupportedHeader = "the token's header asks for something that is not supported"
    case wrongAlgorithm = "the token's algorithm is not the key's"
    case unknownKey = "the token's key is not known"
    case wrongSignature = "the token's signature is wrong"
    case expired = "the token has expired"
    case notYetValid = "the token is not valid yet"
    case wrongIssuer = "the token is from another issuer"
    case wrongAudience = "the token is for another audience"
    case noUser = "the token names no user"
    case reservedUser = "the token names the assistant as its user"
    case unknownKind = "the token names a kind of user that is not known"

    var failure: Failure {
        .invalidToken(self == .expired ? "token_expired" : "token_invalid", rawValue)
    }
}
