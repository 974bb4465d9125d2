import Foundation
import HTTPAPI
import ServerTestSupport
import Testing
import Transport
import WebServer

private let chat = "https://chat.example.com"

struct CrossOriginTests {
    private static let asks = [
        (name: "Access-Control-Request-Method", value: "POST"),
        (name: "Access-Control-Request-Headers", value: "authorization, content-type, x-stainless-os"),
    ]

    private func parts(_ origins: [String]) -> ServerParts {
        var parts = ServerParts()
        parts.settings.crossOrigins = origins
        return parts
    }

    @Test func nothingIsAllowedUnlessOriginsAreListed() async throws {
        let (plain, preflight) = try await withServer { server in
            let origin = [(name: "Origin", value: chat)]
            return (
                try await server.send("GET", "/health", headers: origin),
                try await server.send("OPTIONS", "/v1/ask", headers: origin + Self.asks)
            )
        }

        #expect(statuses(plain, preflight) == [403, 403])
        #expect(plain.headers["Access-Control-Allow-Origin"] == nil)
        #expect(plain.headers["Vary"] == nil)
        #expect(preflight.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test(
        arguments: [
            ([chat, "http://localhost:3000"], chat, chat), (["http://localhost:3000"], chat, nil), (["*"], chat, "*"),
            ([chat], "https://chat.example.com.evil.org", nil), ([chat], "null", nil),
        ] as [([String], String, String?)])
    func aListedOriginIsAllowed(listed: [String], origin: String, allowed: String?) async throws {
        let (preflight, refused, good) = try await withServer(parts(listed)) { server in
            let origin = [(name: "Origin", value: origin)]
            return (
                try await server.send("OPTIONS", "/v1/ask", headers: origin + Self.asks),
                try await server.send("POST", "/v1/ask", "{}", headers: origin),
                try await server.send("GET", "/health", headers: origin)
            )
        }

        #expect(statuses(preflight, refused, good) == (allowed == nil ? [403, 403, 403] : [204, 400, 200]))
        for reply in [preflight, refused, good] {
            #expect(reply.headers["Access-Control-Allow-Origin"] == allowed)
            #expect(reply.headers["Access-Control-Allow-Credentials"] == nil)
            #expect(reply.headers["Vary"] == "Origin")
        }
        #expect(preflight.headers["Access-Control-Allow-Headers"] == (allowed == nil ? nil : Self.asks[1].value))
        #expect(
            preflight.headers["Access-Control-Allow-Methods"]
                == (allowed == nil ? nil : "GET, POST, PUT, PATCH, DELETE"))
        for name in ["X-Request-Id", "ETag", "Content-Range", "Content-Disposition"] {
            #expect(
                good.headers["Access-Control-Expose-Headers"]?.contains(name) == (allowed == nil ? nil : true))
        }
    }

    /// A client in a browser resumes a feed, repeats a request safely, and reads a file in parts.
    @Test func aPageSendsAndReadsTheFieldsOfALiveChat() async throws {
        let sent = "authorization, content-type, idempotency-key, if-none-match, if-range, last-event-id, range"
        let origin = [(name: "Origin", value: chat)]
        let (preflights, whole, part, known, beyond) = try await withServer(parts([chat])) { server in
            var preflights: [Reply] = []
            for (method, path) in [("GET", "/v1/files/f"), ("GET", "/v1/feed"), ("POST", "/v1/conversations")] {
                let asks = [("Access-Control-Request-Method", method), ("Access-Control-Request-Headers", sent)]
                preflights.append(try await server.send("OPTIONS", path, headers: origin + asks))
            }
            let stored = try await server.send(
                "POST", "/v1/files?name=plan.txt", "The pier is closed.",
                headers: origin + [("Content-Type", "text/plain")])
            let path = "/v1/files/" + (stored.field("id") ?? "")
            let whole = try await server.send("GET", path, headers: origin)
            let tag = whole.headers["ETag"] ?? ""
            return (
                preflights, whole, try await server.send("GET", path, headers: origin + [("Range", "bytes=4-7")]),
                try await server.send("GET", path, headers: origin + [("If-None-Match", tag)]),
                try await server.send("GET", path, headers: origin + [("Range", "bytes=99-")])
            )
        }

        for preflight in preflights {
            #expect(preflight.status == 204)
            #expect(preflight.headers["Access-Control-Allow-Origin"] == chat)
            #expect(preflight.headers["Access-Control-Allow-Headers"] == sent)
        }
        #expect(statuses(whole, part, known, beyond) == [200, 206, 304, 416])
        #expect(part.text == "pier" && part.headers["Content-Range"] == "bytes 4-7/19")
        for reply in [whole, part, known, beyond] {
            #expect(reply.headers["Access-Control-Allow-Origin"] == chat)
            let exposed = (reply.headers["Access-Control-Expose-Headers"] ?? "").components(separatedBy: ", ")
            #expect(
                Set(exposed).isSuperset(of: [
                    "ETag", "Content-Range", "Accept-Ranges", "Content-Disposition", "Retry-After", "X-Request-Id",
                ]))
            for name in ["ETag", "Content-Range", "Accept-Ranges", "Content-Disposition", "X-Request-Id"]
            where reply.headers[name] != nil { #expect(exposed.contains(name)) }
        }
        #expect(whole.headers["Accept-Ranges"] == "bytes" && whole.headers["Content-Disposition"] != nil)
        #expect(known.headers["ETag"] == whole.headers["ETag"] && whole.headers["ETag"] != nil)
    }

    @Test(arguments: [
        ("https://chat.example.com", true), ("http://localhost:3000", true), ("*", true), ("chat.example.com", false),
        ("https://chat.example.com/", false), ("https://Chat.example.com", false), ("ftp://a", false), ("", false),
        ("https://a@b", false), ("null", false),
    ])
    func knowsOrigins(text: String, isOne: Bool) {
        #expect(CrossOrigin.isOrigin(text) == isOne)
    }
}
