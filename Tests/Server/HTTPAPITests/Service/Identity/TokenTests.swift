import ChatCore
import CryptoExtras
import Foundation
import HTTPAPI
import Retrieval
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// What tokens are taken and refused, as a client sees it.
struct TokenTests {
    /// One token, and what becomes of a request with it.
    struct Case: Sendable {
        let name: String
        let token: String
        /// Nil for one that is taken.
        let code: String?
        let reason: String?
    }

    private static let second = Int(Sample.now.milliseconds / 1_000)

    @Test func takesAndRefusesTokens() async throws {
        let forge = try TokenForge()
        var cases = try await Self.good(forge)
        cases += try await Self.badClaims(forge)
        cases += try await Self.badHeaders(forge)
        cases += try await Self.bent(forge)

        let replies = try await withServer(ServerParts(try forge.settings())) { server in
            var replies: [Reply] = []
            for one in cases {
                replies.append(
                    try await server.send("GET", "/v1/conversations", headers: TokenForge.bearer(one.token)))
            }
            return replies
        }

        for (one, reply) in zip(cases, replies) {
            #expect(reply.status == (one.code == nil ? 200 : 401), "\(one.name)")
            #expect(reply.field("code") == one.code, "\(one.name)")
            if let reason = one.reason {
                #expect(
                    reply.headers["WWW-Authenticate"]
                        == #"Bearer realm="nexus", error="invalid_token", error_description="\#(reason)""#,
                    "\(one.name)")
            }
        }
    }

    private static func good(_ forge: TokenForge) async throws -> [Case] {
        var cases: [Case] = []
        for key in TokenForge.Key.allCases {
            cases.append(
                Case(
                    name: "\(key)", token: try await forge.token(TokenForge.claims("ada"), by: key), code: nil,
                    reason: nil))
        }
        let changes: [(String, [String: Any?])] = [
            ("many audiences", ["aud": ["other", TokenForge.audience]]), ("no iat", ["iat": nil as Any?]),
            ("expired within the leeway", ["exp": second - 29]), ("begun within the leeway", ["nbf": second + 30]),
            ("parts of seconds", ["exp": Double(second) + 0.5]),
        ]
        for (name, changes) in changes {
            let claims = TokenForge.claims("ada", changing: changes)
            cases.append(Case(name: name, token: try await forge.token(claims), code: nil, reason: nil))
        }
        for header in [["kid": nil as Any?], ["typ": nil], ["typ": "at+jwt"], ["jku": "https://evil.test/set"]] {
            let token = try await forge.token(TokenForge.claims("ada"), header: header)
            cases.append(Case(name: "\(header)", token: token, code: nil, reason: nil))
        }
        return cases
    }

    private static func badClaims(_ forge: TokenForge) async throws -> [Case] {
        let malformed = "the token is malformed"
        let changes: [(String, [String: Any?], String)] = [
            ("expired", ["exp": second - 31], "the token has expired"),
            ("expired to the second", ["exp": second - 30], "the token has expired"),
            ("no exp", ["exp": nil as Any?], malformed), ("exp as text", ["exp": "\(second + 60)"], malformed),
            ("exp beyond all time", ["exp": 1e300], malformed),
            ("not yet", ["nbf": second + 31], "the token is not valid yet"),
            ("issued in the future", ["iat": second + 31], "the token is not valid yet"),
            ("another issuer", ["iss": "https://issuer.test/"], "the token is from another issuer"),
            ("no issuer", ["iss": nil as Any?], "the token is from another issuer"),
            ("another audience", ["aud": "chats"], "the token is for another audience"),
            ("no audience", ["aud": nil as Any?], "the token is for another audience"),
            ("other audiences", ["aud": ["chats", "Chat"]], "the token is for another audience"),
            ("audience as object", ["aud": ["chat": 1]], "the token is for another audience"),
            ("no user", ["sub": nil as Any?], "the token names no user"),
            ("empty user", ["sub": ""], "the token names no user"), ("number", ["sub": 5], "the token names no user"),
            ("line break", ["sub": "a\nb"], "the token names no user"),
            ("long user", ["sub": String(repeating: "u", count: 257)], "the token names no user"),
        ]
        var cases: [Case] = []
        for (name, changes, reason) in changes {
            let claims = TokenForge.claims("ada", changing: changes)
            let code = reason.hasSuffix("expired") ? "token_expired" : "token_invalid"
            cases.append(Case(name: name, token: try await forge.token(claims), code: code, reason: reason))
        }
        return cases
    }

    private static func badHeaders(_ forge: TokenForge) async throws -> [Case] {
        let unsupported = "the token's header needs a feature that is not supported"
        let changes: [(String, [String: Any?], String)] = [
            ("none", ["alg": "none"], "the token's algorithm differs from the key's"),
            ("None", ["alg": "None"], "the token's algorithm differs from the key's"),
            ("HS384", ["alg": "HS384"], "the token's algorithm differs from the key's"),
            ("key of another kind", ["alg": "RS256"], "the token's algorithm differs from the key's"),
            ("no alg", ["alg": nil as Any?], "the token is malformed"),
            ("alg as list", ["alg": ["ES256"]], "the token is malformed"),
            ("unknown key", ["kid": "other"], "the token's key is not known"),
            ("key id as number", ["kid": 1], "the token is malformed"),
            ("crit", ["crit": ["exp"]], unsupported), ("crit empty", ["crit": [String]()], unsupported),
            ("b64", ["b64": false], unsupported), ("type", ["typ": "logout+jwt"], unsupported),
            ("type as number", ["typ": 1], unsupported),
        ]
        var cases: [Case] = []
        for (name, changes, reason) in changes {
            let token = try await forge.token(TokenForge.claims("ada"), header: changes)
            cases.append(Case(name: name, token: token, code: "token_invalid", reason: reason))
        }
        return cases
    }

    private static func bent(_ forge: TokenForge) async throws -> [Case] {
        let good = try await forge.token(TokenForge.claims("ada"))
        let parts = good.split(separator: ".").map(String.init)
        let other = try await forge.token(TokenForge.claims("ben")).split(separator: ".").map(String.init)
        // The public key as the secret of an HMAC: the classic confusion.
        let publicKey = Data(forge.rsaKey.publicKey.pemRepresentation.utf8)
        let confused = try TokenForge.token(
            header: ["alg": "HS256", "kid": "rsa"], claims: TokenForge.claims("ada"), secret: publicKey)
        let claims = try JSONSerialization.data(withJSONObject: TokenForge.claims("ada"))
        let twice = try await forge.token(
            header: Data(#"{"alg":"none","kid":"ec","alg":"ES256"}"#.utf8), claims: claims, by: .ec)
        let twoUsers = try await forge.token(
            header: Data(#"{"alg":"ES256","kid":"ec"}"#.utf8),
            claims: claims.dropLast() + Data(#","sub":"eve"}"#.utf8), by: .ec)
        let long = try await forge.token(
            TokenForge.claims("ada", changing: ["more": String(repeating: "x", count: 8_192)]))
        let noToken = "this is not a token: it must have three parts with dots between them, or be a key of this server"
        let malformed = "the token is malformed"
        let wrong = "the token's signature is wrong"
        let bent: [(String, String, String?)] = [
            ("another's claims", [parts[0], other[1], parts[2]].joined(separator: "."), wrong),
            ("no signature", parts[0] + "." + parts[1] + ".", wrong),
            ("none without signature", TokenForge.base64(Data(#"{"alg":"none"}"#.utf8)) + "." + parts[1] + ".", nil),
            ("confused", confused, "the token's algorithm differs from the key's"),
            ("a name twice", twice, malformed), ("two users", twoUsers, malformed),
            ("too long", long, "the token is too long"), ("two parts", parts[0] + "." + parts[1], noToken),
            ("four parts", good + ".x", noToken), ("padded", good + "=", malformed),
            ("a word", "token", noToken), ("not JSON", "aGk.aGk.aGk", malformed),
        ]
        return bent.map { Case(name: $0.0, token: $0.1, code: "token_invalid", reason: $0.2) }
    }

    @Test func saysWhatAHeaderWithoutATokenLacks() async throws {
        let forge = try TokenForge()
        let (word, bare) = try await withServer(ServerParts(try forge.settings())) { server in
            (
                try await server.send("GET", "/v1/session", headers: [("Authorization", "Bearer abc")]),
                try await server.send("GET", "/v1/session", headers: [("Authorization", "eyJh.e30.x")])
            )
        }
        #expect(statuses(word, bare) == [401, 401])
        #expect(word.field("detail")?.hasPrefix("this is not a token") == true)
        #expect(bare.field("detail")?.hasPrefix("the word Bearer is missing") == true)
    }

    @Test(arguments: ["Basic YTpi", "Bearer", "Bearer a b", "eyJ.e30.x", "Bearer,x"])
    func refusesOtherSchemes(header: String) async throws {
        let forge = try TokenForge()
        let reply = try await withServer(ServerParts(try forge.settings([.ec]))) {
            try await $0.send("GET", "/v1/conversations", headers: [(name: "Authorization", value: header)])
        }
        #expect(reply.status == 401)
        #expect(reply.field("code") == "token_invalid")
    }

    @Test func firebaseTokensAreOfTheProjectAndOfNobodyElse() async throws {
        let forge = try TokenForge()
        let authentication = AuthenticationSettings(
            tokens: .firebase(project: "harbor", keys: .document(try forge.keySet([.rsa, .ec]))))
        let issuer = "https://securetoken.google.com/"
        let base: [String: Any?] = ["iss": issuer + "harbor", "aud": "harbor", "auth_time": Self.second - 20]
        let cases: [(String, [String: Any?], TokenForge.Key, Int)] = [
            ("good", [:], .rsa, 200), ("another project", ["iss": issuer + "other", "aud": "other"], .rsa, 401),
            ("another issuer", ["iss": issuer + "other"], .rsa, 401), ("another kind of key", [:], .ec, 401),
            ("signed in later", ["auth_time": Self.second + 31], .rsa, 401),
            ("no sign-in", ["auth_time": nil as Any?], .rsa, 401), ("no iat", ["iat": nil as Any?], .rsa, 401),
            ("no user", ["sub": ""], .rsa, 401), ("128", ["sub": String(repeating: "u", count: 128)], .rsa, 200),
            ("129", ["sub": String(repeating: "u", count: 129)], .rsa, 401),
        ]

        try await withServer(ServerParts(authentication)) { server in
            for (name, changes, key, status) in cases {
                let claims = TokenForge.claims("ada", changing: base.merging(changes) { $1 })
                let token = try await forge.token(claims, by: key)
                let reply = try await server.send("GET", "/v1/conversations", headers: TokenForge.bearer(token))
                #expect(reply.status == status, "\(name)")
            }
            let unnamed = try await forge.token(
                TokenForge.claims("ada", changing: base), by: .rsa, header: ["kid": nil as Any?])
            let reply = try await server.send("GET", "/v1/conversations", headers: TokenForge.bearer(unnamed))
            #expect(reply.status == 401)
        }
    }

    @Test func theUserIsTheConfiguredClaim() async throws {
        let forge = try TokenForge()
        var parts = ServerParts(try forge.settings([.ec]))
        parts.settings.authentication?.tokens?.userClaim = "uid"
        let searching = parts.searching

        try await withServer(parts) { server in
            let token = try await forge.token(TokenForge.claims("subject", changing: ["uid": "ada"]))
            _ = try await server.send("POST", "/v1/search", #"{"query":"q"}"#, headers: TokenForge.bearer(token))
        }
        #expect(searching.requests.map(\.scope.asker) == ["ada"])
    }

    @Test(arguments: [
        (TokenSettings(secret: SecretBytes(Data(repeating: 1, count: 31))), "the secret has fewer than 32 bytes"),
        (
            TokenSettings(keys: .document(Data(#"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#.utf8))),
            "the file is not a JSON Web Key Set with a usable key"
        ),
        (
            TokenSettings(keys: .document(Data("[]".utf8))),
            "the file is not a JSON Web Key Set with a usable key"
        ),
    ])
    func doesNotStartWithoutUsableKeys(settings: TokenSettings, reason: String) async throws {
        await #expect(throws: HTTPAPIError.unusableKeys(reason)) {
            try await withServer(ServerParts(AuthenticationSettings(tokens: settings))) { _ in }
        }
    }
}
