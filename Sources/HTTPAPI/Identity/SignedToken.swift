import ChatCore

/// A token in its compact form (RFC 7515, section 7.1), taken apart; nothing of it has been checked against a key.
struct SignedToken {
    /// The longest token that is looked at, in bytes.
    static let byteLimit = 8 * 1024
    /// What a token that says who asks may be called (RFC 9068, RFC 8725 section 3.11).
    private static let types: Set<String> = ["jwt", "at+jwt", "application/at+jwt"]

    let algorithm: TokenAlgorithm
    let keyID: String?
    /// Not to be believed before the signature was checked.
    let claims: JSONField
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// Takes a token apart.
    ///
    /// - Parameter text: The token.
    /// - Throws: ``TokenFault``: also for a name that stands twice, for `crit`, `b64` and other algorithms than ours.
    init(_ text: some StringProtocol) throws(TokenFault) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.byteLimit else { throw .tooLong }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else { throw .malformed }
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

/// What tokens may be signed with.
enum TokenAlgorithm: String, Sendable {
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"
    case hs256 = "HS256"
}
