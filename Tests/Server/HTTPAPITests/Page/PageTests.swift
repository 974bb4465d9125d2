import Foundation
import ServerTestSupport
import TestSupport
import Testing
import Transport
import WebPage

@Suite(.hangGuard) struct PageTests {
    private let page = WebPage()

    private var parts: ServerParts {
        var parts = ServerParts()
        parts.page = page
        return parts
    }

    @Test func thePageIsServedWithItsFiles() async throws {
        let replies = try await withServer(parts) { server in
            let file = "/page/\(page.identity)/"
            return (
                start: try await server.send("GET", "/"), head: try await server.send("HEAD", "/"),
                script: try await server.send("GET", file + "main.js"),
                inFolder: try await server.send("GET", file + "lib/dom.js"),
                worker: try await server.send("GET", "/service-worker.js")
            )
        }

        #expect(replies.start.text == page.file(WebPage.start).map { String(decoding: $0.content, as: UTF8.self) })
        #expect(replies.head.status == 200)
        #expect(replies.head.text.isEmpty)
        #expect(replies.script.headers["Content-Type"] == "text/javascript; charset=utf-8")
        #expect(replies.script.headers["Cache-Control"] == "public, max-age=31536000, immutable")
        #expect(replies.inFolder.status == 200)
        #expect(replies.worker.headers["Cache-Control"] == "no-cache")
        #expect(replies.start.headers["Cache-Control"] == "no-cache")
    }

    @Test func everyReplyOfThePageIsSafeInABrowser() async throws {
        let replies = try await withServer(parts) { server in
            var replies = [try await server.send("GET", "/"), try await server.send("GET", "/service-worker.js")]
            for name in page.names { replies.append(try await server.send("GET", "/page/\(page.identity)/\(name)")) }
            return replies
        }

        for reply in replies {
            let policy = reply.headers["Content-Security-Policy"] ?? ""
            #expect(reply.status == 200)
            #expect(policy.hasPrefix("default-src 'none'; "))
            #expect(policy.contains("require-trusted-types-for 'script'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(reply.headers["X-Content-Type-Options"] == "nosniff")
            #expect(reply.headers["X-Frame-Options"] == "DENY")
            #expect(reply.headers["Referrer-Policy"] == "no-referrer")
            #expect(reply.headers["Cross-Origin-Opener-Policy"] == "same-origin")
        }
    }

    @Test func aBrowserKeepsWhatItHas() async throws {
        let (first, again, other) = try await withServer(parts) { server in
            let first = try await server.send("GET", "/")
            let tag = first.headers["ETag"] ?? ""
            return (
                first, try await server.send("GET", "/", headers: [("If-None-Match", tag)]),
                try await server.send("GET", "/", headers: [("If-None-Match", "\"another\"")])
            )
        }

        #expect(statuses(first, again, other) == [200, 304, 200])
        #expect(again.text.isEmpty)
    }

    @Test(
        arguments: [
            ("gzip, deflate, br", true), ("GZIP;q=0.5", true), ("gzip;q=0", false), ("br", false), ("", false),
        ])
    func filesAreCompressedForThoseWhoTakeIt(accepted: String, isCompressed: Bool) async throws {
        let parts = parts
        let reply = try await withServer(parts) { server in
            // Not by ``RunningServer/send``, whose client takes gzip itself.
            try await server.transport.stream(
                server.request(
                    "GET", "/page/\(page.identity)/main.js", nil, headers: [("Accept-Encoding", accepted)]))
        }

        #expect(reply.status == 200)
        #expect((reply.headers["Content-Encoding"] == "gzip") == isCompressed)
        #expect(reply.headers["Vary"] == "Accept-Encoding")
    }

    @Test(
        arguments: [
            "/page/0000000000000000/main.js", "/page/ID/no.js", "/page/ID/..%2Fmain.js", "/page/ID/lib/%2e%2e",
            "/page/ID/lib/dom.js/x",
        ])
    func otherFilesAreUnknown(path: String) async throws {
        let reply = try await withServer(parts) { server in
            try await server.send("GET", path.replacing("ID", with: page.identity))
        }

        #expect(reply.status == 404)
    }

    @Test func aServerWithoutThePageHasNoneOfIt() async throws {
        let (start, file) = try await withServer { server in
            (try await server.send("GET", "/"), try await server.send("GET", "/page/\(page.identity)/main.js"))
        }

        #expect(statuses(start, file) == [404, 404])
    }
}
