import ChatCore
import Foundation
import HTTPAPI
import HTTPTypes
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// What a web page of another site may make a browser send, on every route.
struct BrowserGuardTests {
    private static let chat = "https://chat.example.com"

    private func parts(_ change: (inout HTTPAPISettings) -> Void = { _ in }) -> ServerParts {
        var parts = ServerParts()
        change(&parts.settings)
        return parts
    }

    private func health(_ host: String, origin: String? = nil, _ parts: ServerParts = ServerParts()) async throws
        -> Reply
    {
        let headers = [(name: "Host", value: host)] + (origin.map { [(name: "Origin", value: $0)] } ?? [])
        return try await withServer(parts) { try await $0.send("GET", "/health", headers: headers) }
    }

    private static func path(of route: Route) -> String {
        "/" + route.path.split(separator: "/").map { $0.hasPrefix(":") ? "x" : String($0) }.joined(separator: "/")
    }

    /// The code of an error in any shape.
    private static func code(_ reply: Reply) -> String? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(reply.text.utf8)) as? [String: Any] else {
            return nil
        }
        let error = object["error"] as? [String: Any]
        return (error?["details"] as? [String: Any] ?? error ?? object)["code"] as? String
    }

    @Test(arguments: [
        (name: "Host", value: "evil.example", code: "host_forbidden"),
        (name: "Host", value: "evil.example:8080", code: "host_forbidden"),
        (name: "Origin", value: "https://evil.example", code: "origin_forbidden"),
        (name: "Origin", value: "null", code: "origin_forbidden"),
    ]) func noRouteAnswersAPageOfAnotherSite(field: (name: String, value: String, code: String)) async throws {
        let parts = ServerParts()
        let routes = try HTTPAPIServer(
            settings: parts.settings, services: parts.services(store: parts.store) { _ in }
        ).routes

        try await withServer(parts) { server in
            #expect(routes.count > 60)
            for route in routes {
                for method in [route.method.rawValue, "OPTIONS"] {
                    let reply = try await server.send(
                        method, Self.path(of: route), ["POST", "PUT", "PATCH"].contains(method) ? "{}" : nil,
                        headers: [(field.name, field.value)])
                    #expect(reply.status == 403, "\(method) \(route.path)")
                    #expect(Self.code(reply) == field.code, "\(method) \(route.path)")
                }
            }
            let nowhere = try await server.send("GET", "/nowhere", headers: [(field.name, field.value)])
            #expect(nowhere.status == 403)
        }
        #expect(try await parts.store.conversations(asker: "ada", after: nil, limit: 9, at: Sample.now).isEmpty)
    }

    @Test(arguments: [
        ("localhost", 200), ("LOCALHOST:8080", 200), ("localhost.", 200), ("127.0.0.1", 200), ("127.9.9.9:1", 200),
        ("192.168.7.7:8080", 200), ("[::1]:8080", 200), ("[2001:db8::7]", 200), ("chat.example.com", 200),
        ("CHAT.example.com:443", 200), ("nexus.internal", 200), ("evil.example", 403), ("localhost.evil.example", 403),
        ("chat.example.com.evil.example", 403), ("127.0.0.1.evil.example", 403), ("evillocalhost", 403), ("127.1", 403),
        ("2130706433", 403), ("sub.localhost", 403), ("localhost:", 400), ("localhost:x", 400),
        ("localhost:99999", 400),
        ("[::1", 400), ("[localhost]", 400), ("::1", 400), ("ada@localhost", 400), ("local host", 400),
        ("a,localhost", 400),
    ]) func onlyItsOwnNamesAndAddressesReachAServerThatBelievesEverybody(host: String, status: Int) async throws {
        let parts = parts {
            $0.hosts = ["chat.example.com", "Nexus.internal"]
        }

        let reply = try await health(host, parts)

        #expect(reply.status == status)
        if status == 403 { #expect(reply.field("code") == "host_forbidden") }
        if status == 400 { #expect(reply.field("code") == "host_required") }
    }

    @Test(arguments: [
        "", "Host:\r\n", "Host: localhost\r\nHost: localhost\r\n", "Host: localhost\r\nHost: evil.example\r\n",
        "Host: evil.example\r\nHost: localhost\r\n",
    ]) func aRequestNamesItsServerOnce(fields: String) async throws {
        for parts in [parts(), ServerParts(try TokenForge().settings([.ec]))] {
            let text = try await withServer(parts) { server in
                let connection = try RawConnection(port: server.port)
                connection.send("GET /health HTTP/1.1\r\n\(fields)Connection: close\r\n\r\n")
                return await connection.readToEnd()
            }
            #expect(text.hasPrefix("HTTP/1.1 400 "))
            #expect(text.contains(#""code":"host_required""#))
        }
    }

    /// Without a token a page has nothing to show, so that a name need not be configured there.
    @Test func whereCallersProveWhoTheyAreNamesAreCheckedWhenTheyAreConfigured() async throws {
        let open = ServerParts(try TokenForge().settings([.ec]))
        var named = open
        named.settings.hosts = ["chat.example.com"]

        #expect(try await health("proxy.example", open).status == 200)
        #expect(try await health("proxy.example", named).field("code") == "host_forbidden")
        #expect(try await health("chat.example.com", named).status == 200)
        #expect(
            try await health("proxy.example", origin: "https://evil.example", open).field("code") == "origin_forbidden")
    }

    @Test(arguments: [
        ("chat.example.com", "https://chat.example.com", 200),
        ("chat.example.com:443", "https://chat.example.com", 200),
        ("chat.example.com:8443", "https://chat.example.com:8443", 200),
        ("chat.example.com:80", "http://chat.example.com", 200),
        ("localhost:8080", "http://localhost:8080", 200), ("localhost:8080", "http://localhost:3000", 200),
        ("127.0.0.1:8080", "http://localhost", 200), ("chat.example.com", "https://chat.example.com:8443", 403),
        ("chat.example.com:8443", "https://chat.example.com", 403), ("chat.example.com", "http://localhost:3000", 403),
        ("192.168.7.7", "http://localhost", 403), ("localhost", "https://localhost.evil.example", 403),
        ("localhost", "ftp://localhost", 403), ("localhost", "http://localhost/", 403), ("localhost", "", 403),
        ("localhost", "http://localhost http://evil.example", 403), ("localhost", "null", 403),
    ]) func aPageCallsItsOwnServerOnly(host: String, origin: String, status: Int) async throws {
        let parts = parts { $0.hosts = ["chat.example.com"] }

        let text = try await withServer(parts) { server in
            let connection = try RawConnection(port: server.port)
            connection.send("GET /health HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\nConnection: close\r\n\r\n")
            return await connection.readToEnd()
        }

        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test(arguments: [
        nil, "text/plain", "text/plain;application/json", "application/x-www-form-urlencoded", "multipart/form-data",
    ])
    func noRouteReadsABodyThatIsNotJSON(type: String?) async throws {
        let parts = ServerParts()
        let server = HTTPAPIServer(
            settings: parts.settings, services: try parts.services(store: parts.store) { _ in })
        let paths = try APIDescription(data: try server.openAPI()).operationsWithBody

        try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/conversations", ConversationTests.team)
            #expect(paths.count >= 30)
            // Where nobody signs in there is no authorization server.
            let others = [
                "/v1/events/firestore", "/v1/files", "/v1/administration/imports", "/authorize", "/register", "/revoke",
                "/token",
            ]
            for (method, path) in paths where !others.contains(path) {
                let path = path.replacing("{conversation}", with: "team").replacing(/\{[a-z]+\}/, with: "x")
                let reply = try await server.send(
                    method, path, "{}", headers: [("Content-Type", type ?? "")])
                let isCallable = reply.text.hasPrefix(#"{"error":{"details""#)
                #expect(reply.status == (isCallable ? 400 : 415), "\(method) \(path) \(reply.text)")
                #expect(Self.code(reply) == "unsupported_media_type", "\(method) \(path)")
            }
        }
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8"])
    func aBodyOfJSONMayNameItsCharacters(type: String) async throws {
        let reply = try await withServer {
            try await $0.send("POST", "/v1/search", #"{"query":"q"}"#, headers: [("Content-Type", type)])
        }

        #expect(reply.status == 200)
    }
}
