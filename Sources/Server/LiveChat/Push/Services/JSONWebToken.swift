import ChatCore
import Crypto
import CryptoExtras
import Foundation

/// JSON Web Tokens in compact form: RFC 7515 and 7519.
enum JSONWebToken {
    /// Returns a token that is signed with ES256.
    static func signed(
        header: [String: JSONValue] = [:], claims: [String: JSONValue], _ key: P256.Signing.PrivateKey
    ) throws -> String {
        try signed(header: header, claims: claims, algorithm: "ES256") { try key.signature(for: $0).rawRepresentation }
    }

    /// Returns a token that is signed with RS256.
    static func signed(
        header: [String: JSONValue] = [:], claims: [String: JSONValue], _ key: _RSA.Signing.PrivateKey
    ) throws -> String {
        try signed(header: header, claims: claims, algorithm: "RS256") { content in
            try key.signature(for: SHA256.hash(data: content), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    private static func signed(
        header: [String: JSONValue], claims: [String: JSONValue], algorithm: String, _ sign: (Data) throws -> Data
    ) throws -> String {
        var header = header
        header["alg"] = .string(algorithm)
        header["typ"] = .string("JWT")
        let content = JSONValue.object(header).jsonData.base64URL + "." + JSONValue.object(claims).jsonData.base64URL
        return try content + "." + sign(Data(content.utf8)).base64URL
    }
}

extension Timestamp {
    /// Seconds since 1970, rounded down.
    var seconds: Int64 { milliseconds.quotient(flooringBy: 1_000) }
}
