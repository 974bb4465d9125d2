import Crypto
import Foundation
import TestSupport
import Testing
import Transport

/// Authentication as an operator sets it up, in the program itself.
@Suite(.serialized, .hangGuard) struct AuthenticationCommandTests {
    private func status(_ server: NexusServer, _ token: String?, user: String? = nil) async throws -> Int {
        var headers: HTTPHeaders = [:]
        if let token { headers.append(name: "Authorization", value: "Bearer \(token)") }
        if let user { headers.append(name: "X-Nexus-User", value: user) }
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        let response = try await transport.send(
            HTTPExchangeRequest(
                url: server.url + "/v1/conversations", headers: headers,
                deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900))))
        await transport.shutdown()
        return response.status
    }

    @Test func keysAreMadeListedAndRevokedBesideARunningServer() async throws {
        let binary = try NexusBinary()
        let early = try await binary.run(["keys", "create", "--role", "read-as-user", "--name", "before"])
        #expect(early.status == 0, "\(early.errors)")
        let server = try await NexusServer(binary, ["--set", "auth.mode=required"])

        let made = try await binary.run(["keys", "create", "--role", "read-as-user", "--json"]).json()
        let text = try #require(made["secret"] as? String)
        let id = try #require((made["key"] as? [String: Any])?["id"] as? String)
        #expect(text.wholeMatch(of: /nxk_[0-9a-f]{16}_[0-9a-f]{64}/) != nil)
        #expect(text.dropFirst(4).prefix(16) == id)
        let earlyKey = early.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(try await status(server, text, user: "ada") == 200)
        #expect(try await status(server, earlyKey, user: "ada") == 200)
        #expect(try await status(server, nil, user: "ada") == 401)
        let list = try await binary.run(["keys", "list"])
        #expect(list.output.split(separator: "\n").count == 2)
        #expect(list.output.contains("\(id)  read-as-user  -  made "))
        #expect(!list.output.contains(text.suffix(64)))
        #expect(try await binary.run(["keys", "revoke", id]).status == 0)
        #expect(try await status(server, text, user: "ada") == 401)
        #expect(try await status(server, earlyKey, user: "ada") == 200)
        #expect(try await binary.run(["keys", "revoke", "none"]).errors.contains("no key has the id none"))

        let ended = await server.stop()
        #expect(!ended.errors.contains(text))
        for file in ["nexus.sqlite", "nexus.sqlite-wal"] {
            let data = try? Data(contentsOf: binary.data.appending(path: file))
            #expect(data?.range(of: Data(text.suffix(64).utf8)) == nil)
        }
    }

    @Test func tokensAreCheckedWithKeysOfAnAddress() async throws {
        let key = Curve25519.Signing.PrivateKey()
        func base64(_ data: Data) -> String {
            data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let set =
            #"{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"\#(base64(key.publicKey.rawRepresentation))"}]}"#
        let stub = try StubServer(.text(set))
        func token(_ user: String, audience: String) throws -> String {
            let claims = #"{"iss":"i","aud":"\#(audience)","sub":"\#(user)","exp":4102444800}"#
            let text = base64(Data(#"{"alg":"EdDSA","kid":"k"}"#.utf8)) + "." + base64(Data(claims.utf8))
            return text + "." + base64(try key.signature(for: Data(text.utf8)))
        }
        let binary = try NexusBinary()
        let server = try await NexusServer(
            binary,
            [
                "--set", "auth.jwks=http://127.0.0.1:\(stub.port)/keys", "--set", "auth.issuer=i", "--set",
                "auth.audience=chat",
            ])

        #expect(try await status(server, try token("ada", audience: "chat")) == 200)
        #expect(try await status(server, try token("ada", audience: "chat"), user: "bob") == 403)
        #expect(try await status(server, try token("ada", audience: "other")) == 401)
        #expect(try await status(server, nil) == 401)
        // The owner of the data folder asks as anybody, by its socket.
        let local = try await binary.run(["search", "--user", "bob", "anything"])
        #expect(local.status == 1, "\(local.errors)")
        _ = await server.stop()
    }

    @Test func aSecretWithoutIssuerAndAudienceIsAWarning() async throws {
        let binary = try NexusBinary()
        let file = try binary.write("secret", String(repeating: "s", count: 32))
        let open = ["--set", "auth.secret-file=\(file)"]
        let closed = open + ["--set", "auth.issuer=i", "--set", "auth.audience=chat"]
        let warning = "auth.secret-file without auth.issuer and auth.audience"

        let served = await (try NexusServer(binary, open)).stop()
        #expect(served.errors.contains(warning), "\(served.errors)")
        let doctor = try await binary.run(["doctor"] + open)
        #expect((doctor.output + doctor.errors).contains(warning))

        let quiet = await (try NexusServer(binary, closed)).stop()
        #expect(quiet.status == 0, "\(quiet.errors)")
        #expect(!quiet.errors.contains(warning))
    }

    @Test func theNamesOfTheServerAreASetting() async throws {
        let binary = try NexusBinary()
        let bad = try await binary.run(["serve", "--set", "http.hosts=chat.example.com:443"])
        #expect(bad.status == 64)
        #expect(bad.errors.contains("http.hosts"))
        let server = try await NexusServer(
            binary, ["--set", "http.hosts=chat.example.com, nexus", "--default-user", "ada"])
        let transport = try CurlTransport(configuration: .init(usesProxyVariables: false))
        for (host, status) in [("chat.example.com", 200), ("nexus:8080", 200), ("evil.example", 403)] {
            let response = try await transport.send(
                HTTPExchangeRequest(
                    url: server.url + "/v1/conversations", headers: ["Host": host],
                    deadlines: HTTPDeadlines(connect: .seconds(900), idle: .seconds(900), total: .seconds(900))))
            #expect(response.status == status, "\(host)")
        }
        await transport.shutdown()
        _ = await server.stop()
    }

    @Test func otherAddressesNeedADecision() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, ["--host", "0.0.0.0", "--set", "auth.mode=none"])
        let ended = await server.stop()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.errors.contains("anybody can act as any user"))
    }
}
