import ChatCore

/// A parsed token in compact form (RFC 7515, section 7.1); its signature has not been checked.
struct SignedToken {
    /// The longest token that is parsed, in bytes.
    static let byteLimit = 8 * 1024
    /// The accepted values of the header `typ` (RFC 9068, RFC 8725 section 3.11).
    private static let types: Set<String> = ["jwt", "at+jwt", "application/at+jwt"]

    let algorithm: TokenAlgorithm
    let keyID: String?
    /// Not trustworthy before the signature is checked.
    let claims: JSONField
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// Parses a token.
    ///
    /// - Parameter text: The token.
    /// - Throws: ``TokenFault``, also for a repeated name, for `crit` and `b64`, and for an unsupported algorithm.
    init(_ text: some StringProtocol) throws(TokenFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.byteLimit else { throw .tooLong }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .noToken }
        guard let signature = Base64URL.decode(parts[2]) else { throw .malformed }
        let header = try Self.object(parts[0])
        let type = try? header["typ"].optionalString()
        guard !header["crit"].isPresent, !header["b64"].isPresent,
            !header["typ"].isPresent || type.map({ Self.types.contains($0.lowercased()) }) == true
        else { throw .unsupportedHeader }
        guard let name = try? header["alg"].string() else { throw .malformed }
        guard let algorithm = TokenAlgorithm(rawValue: name) else { throw .wrongAlgorithm }
        do throws(FieldError) {
            keyID = try header["kid"].optionalString()
        } catch {
            throw .malformed
        }
        self.algorithm = algorithm
        claims = try Self.object(parts[1])
        signedBytes = Array(bytes[..<parts[2].startIndex].dropLast())
        self.signature = signature
    }

    private static func object(_ part: ArraySlice<UInt8>) throws(TokenFault) -> JSONField {
        guard let bytes = Base64URL.decode(part), let value = try? JSONParser.parse(bytes, takesRepeatedKeys: false),
            case .object = value
        else { throw .malformed }
        return JSONField(value)
    }
}

/// An algorithm that signs tokens.
enum TokenAlgorithm: String, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"
    case hs256 = "HS256"
}

/// A reason to refuse a token; its text quotes nothing of the token.
enum TokenFault: String, Error, CaseIterable {
    case malformed = "the token is malformed"
    case noToken = "this is not a token: it must have three parts with dots between them, or be a key of this server"
    case noScheme = "the word Bearer is missing: Authorization: Bearer, then the token"
    case tooLong = "the token is too long"
    case unsupportedHeader = "the token's header needs a feature that is not supported"
    case wrongAlgorithm = "the token's algorithm differs from the key's"
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
