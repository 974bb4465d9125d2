import ChatCore
import Foundation
import HTTPAPI
import ServerTestSupport
import TestSupport
import Testing
import Transport
import WebServer

/// Programs that register, and the addresses to which they may lead back.
@Suite(.hangGuard) struct ClientRegistrationTests {
    private let clock = ManualNow(Sample.now)

    private func withServer(_ body: (RunningServer) async throws -> Void) async throws {
        try await ServerTestSupport.withServer(TestProgram.parts(clock)) { try await body($0) }
    }

    @Test(arguments: [
        "http://chat.example.com/callback", "https://a.example/x#part", "javascript:alert(1)", "https://u:p@a.example/",
        "https://", "http://localhost.evil.example/", "data:text/html,x", "https://a.example\\\\@b.example/",
        "HTTPS://a.example/", "http://127.0.0.1@evil.example/", "/callback", "https://a.example/ x", "cursor:callback",
        "cursor://", "Cursor://a.example/b", "ms-msdt://a.example/b", "file://a.example/b", "xcursor://a.example/b",
    ]) func unsafeRedirectAddressesAreNotRegistered(address: String) async throws {
        try await withServer { server in
            let reply = try await TestProgram(server: server).register(#"{"redirect_uris":["\#(address)"]}"#)
            #expect(reply.status == 400 && reply.field("error") == "invalid_redirect_uri", "\(reply.text)")
        }
    }

    @Test(arguments: [
        ("http://localhost:7777/callback", "http://localhost:8123/callback", true),
        ("http://127.0.0.1/callback", "http://127.0.0.1:9/callback", true),
        ("http://[::1]:1/callback", "http://[::1]:2/callback", true),
        ("http://127.0.0.1:33418", "http://127.0.0.1:33418/", true),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-mcp/oauth/callback", true),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-mcp:1/oauth/callback", false),
        ("cursor://anysphere.cursor-mcp/oauth/callback", "vscode://anysphere.cursor-mcp/oauth/callback", false),
        ("http://localhost:7777/callback", "http://127.0.0.1:7777/callback", false),
        ("http://localhost:7777/callback", "http://localhost:7777/callback2", false),
        ("http://localhost:7777/callback", "http://localhost:7777/callback?x=1", false),
        ("http://localhost:7777/callback", "https://localhost:7777/callback", false),
        ("https://a.example/callback", "https://a.example:444/callback", false),
        ("https://a.example/callback", "https://a.example/callback/", false),
        ("https://a.example/callback", "https://b.example/callback", false),
    ]) func onlyThePortOfThisMachineMayDiffer(registered: String, used: String, isTaken: Bool) async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let program = try await TestProgram.registered(server, redirect: registered)

            let page = try await server.send("GET", "/authorize?\(program.query(["redirect_uri": used]))")
            let decision = try await program.decide("allow", by: ada, ["redirect_uri": used])

            #expect(page.status == (isTaken ? 302 : 400) && page.headers["Location"]?.contains("evil") != true)
            #expect(decision.status == (isTaken ? 200 : 400))
            if isTaken { #expect(decision.field("redirectTo")?.hasPrefix(used + "?") == true) }
        }
    }

    /// Editors register the address of a program together with others (seen with Cursor and VS Code).
    @Test(arguments: [
        (
            [
                "cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback",
                "http://localhost:8787/callback",
            ], "cursor://anysphere.cursor-mcp"
        ),
        (
            [
                "http://127.0.0.1/", "http://127.0.0.1:33418/", "http://localhost/", "http://localhost:33418/",
                "https://insiders.vscode.dev/redirect", "https://vscode.dev/redirect",
            ], "127.0.0.1"
        ),
    ]) func anEditorRegistersAllItsAddresses(addresses: [String], host: String) async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            var program = TestProgram(server: server, redirect: addresses[0])
            let list = addresses.map { "\"\($0)\"" }.joined(separator: ",")
            let reply = try await program.register(#"{"client_name":"Editor","redirect_uris":[\#(list)]}"#)
            #expect(reply.status == 201, "\(reply.text)")
            program.id = try #require(reply.field("client_id"))

            let wish = try await program.decide(nil, by: ada)

            #expect(wish.field("returnsTo") == host && wish.text.contains(#""isLocal":true"#))
            #expect(try await program.call(program.connect(ada)).status == 200)
        }
    }

    @Test func aNameThatWouldLookLikeOtherTextIsCleaned() async throws {
        try await withServer { server in
            let ada = try await TestProgram.join(server)
            let name = #"\u202eevil\n"# + String(repeating: "x", count: 200)
            let program = try await TestProgram.registered(server, name: name)

            let shown = try #require(try await program.decide(nil, by: ada).field("name"))

            #expect(shown.hasPrefix("evilx") && shown.count == 80)
        }
    }

    @Test func registrationsAreLimitedByAddress() async throws {
        var parts = TestProgram.parts(clock)
        parts.settings.proxies = ["127.0.0.1"].compactMap { IPNetwork($0) }
        try await ServerTestSupport.withServer(parts) { server in
            let body = #"{"redirect_uris":["https://a.example/b"]}"#
            let from = [(name: "X-Forwarded-For", value: "192.0.2.1")]
            for _ in 0..<60 {
                #expect(try await server.send("POST", "/register", body, headers: from).status == 201)
            }

            let refused = try await server.send("POST", "/register", body, headers: from)

            #expect(refused.status == 429 && refused.headers["Retry-After"] != nil)
            let other = [(name: "X-Forwarded-For", value: "192.0.2.9")]
            #expect(try await server.send("POST", "/register", body, headers: other).status == 201)
        }
    }
}
