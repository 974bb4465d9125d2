import ChatCore
import Foundation
import ServerTestSupport
import TestSupport
import Testing
import Transport

/// Files over HTTP; what messages do with them is tested with the program itself.
@Suite(.hangGuard) struct FileTests {
    private static let text = "The pier is closed."

    private func upload(
        _ server: RunningServer, _ text: String = text, query: String = "?name=plan.txt",
        headers: [(name: String, value: String)] = []
    ) async throws -> Reply {
        try await server.send("POST", "/v1/files" + query, text, headers: [("Content-Type", "text/plain")] + headers)
    }

    private func path(_ reply: Reply) throws -> String { "/v1/files/" + (try #require(reply.field("id"))) }

    @Test func aFileComesBackAsItWasSent() async throws {
        try await withServer { server in
            let stored = try await upload(server)
            let got = try await server.send("GET", try path(stored))
            let head = try await server.send("HEAD", try path(stored))

            #expect(stored.status == 201)
            #expect(stored.field("name") == "plan.txt")
            #expect(stored.field("mediaType") == "text/plain")
            #expect(stored.field("byteCount") == "19")
            #expect(got.status == 200 && got.text == Self.text)
            #expect(head.status == 200 && head.text.isEmpty)
            #expect(head.headers["Content-Length"] == "19")
            for reply in [got, head] {
                #expect(reply.headers["Content-Type"] == "text/plain; charset=utf-8")
                #expect(reply.headers["X-Content-Type-Options"] == "nosniff")
                #expect(reply.headers["Content-Security-Policy"] == "sandbox; default-src 'none'")
                #expect(reply.headers["Cache-Control"]?.hasPrefix("private") == true)
                #expect(
                    reply.headers["Content-Disposition"]
                        == #"attachment; filename="plan.txt"; filename*=UTF-8''plan.txt"#)
            }
        }
    }

    @Test func aFormIsNotStoredAsAFile() async throws {
        let form = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nabc\r\n--b--\r\n"
        try await withServer { server in
            let reply = try await server.send(
                "POST", "/v1/files?name=a.txt", form, headers: [("Content-Type", "Multipart/form-data; boundary=b")])
            let use = try await server.send("GET", "/v1/files")

            #expect(reply.status == 415)
            #expect(reply.field("code") == "unsupported_media_type")
            #expect(reply.field("detail")?.hasPrefix("the body is the file itself") == true)
            #expect(use.field("count") == "0")
        }
    }

    @Test func aFileWithoutAMessageIsDeletedByItsOwner() async throws {
        try await withServer { server in
            let path = try path(try await upload(server))
            let foreign = try await server.send("DELETE", path, headers: [("X-Nexus-User", "ben")])
            let deleted = try await server.send("DELETE", path)
            let again = try await server.send("DELETE", path)
            let gone = try await server.send("GET", path)

            #expect(statuses(foreign, deleted, again, gone) == [404, 204, 404, 404])
        }
    }

    @Test(
        arguments: [
            ("bytes=0-3", 206, "The ", "bytes 0-3/19"), ("bytes=4-", 206, "pier is closed.", "bytes 4-18/19"),
            ("bytes=-7", 206, "closed.", "bytes 12-18/19"), ("bytes=12-99", 206, "closed.", "bytes 12-18/19"),
            ("bytes=-99", 206, text, "bytes 0-18/19"), ("bytes=0-0", 206, "T", "bytes 0-0/19"),
            ("bytes=19-", 416, nil, "bytes */19"), ("bytes=-0", 416, nil, "bytes */19"),
            ("bytes=99999999999999999999-", 416, nil, "bytes */19"), ("bytes=0-1,4-5", 200, text, nil),
            ("bytes=3-1", 200, text, nil), ("bytes=x-", 200, text, nil), ("bytes=-", 200, text, nil),
            ("lines=0-1", 200, text, nil),
        ] as [(String, Int, String?, String?)])
    func aPartIsSentWhenAPartIsAskedFor(range: String, status: Int, text: String?, place: String?) async throws {
        try await withServer { server in
            let path = try path(try await upload(server))
            let reply = try await server.send("GET", path, headers: [("Range", range)])

            #expect(reply.status == status)
            #expect(reply.headers["Content-Range"] == place)
            if let text { #expect(reply.text == text) }
        }
    }

    @Test func aClientThatHasTheFileGetsNothingAgain() async throws {
        try await withServer { server in
            let path = try path(try await upload(server))
            let tag = try #require(try await server.send("GET", path).headers["ETag"])
            func status(_ headers: [(name: String, value: String)]) async throws -> Int {
                try await server.send("GET", path, headers: headers).status
            }

            #expect(try await status([("If-None-Match", tag)]) == 304)
            #expect(try await status([("If-None-Match", "\"x\", W/\(tag)")]) == 304)
            #expect(try await status([("If-None-Match", "*")]) == 304)
            #expect(try await status([("If-None-Match", "\"x\"")]) == 200)
            #expect(try await status([("Range", "bytes=0-1"), ("If-Range", tag)]) == 206)
            #expect(try await status([("Range", "bytes=0-1"), ("If-Range", "\"x\"")]) == 200)
        }
    }

    @Test func namesAreCleanedAndEncoded() async throws {
        try await withServer { server in
            let climbing = try await upload(server, query: "?name=..%2F..%2Fetc%2Fpass%22wd.txt")
            let german = try await upload(server, query: "?name=Gr%C3%B6%C3%9Fe.txt")
            let turned = try await upload(
                server, query: "",
                headers: [("Content-Disposition", "attachment; filename=\"x.txt\"; filename*=UTF-8''a%E2%80%AEb.txt")])
            let quoted = try await upload(
                server, query: "", headers: [("Content-Disposition", #"attachment; filename="a\"b;c.txt""#)])
            let none = try await upload(server, query: "")
            let shown = try await server.send("GET", try path(climbing)).headers["Content-Disposition"]
            let encoded = try await server.send("GET", try path(german)).headers["Content-Disposition"]

            #expect(climbing.field("name") == #"pass"wd.txt"#)
            #expect(shown == #"attachment; filename="pass_wd.txt"; filename*=UTF-8''pass%22wd.txt"#)
            #expect(encoded == #"attachment; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.txt"#)
            #expect(turned.field("name") == "ab.txt")
            #expect(quoted.field("name") == #"a"b;c.txt"#)
            #expect(none.field("name") == "file")
        }
    }

    @Test(arguments: [
        ("<html><script>alert(1)</script></html>", "text/html", "text/plain", "attachment"),
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", "text/plain; charset=utf-8", "attachment"),
        ("From: a@b.example\nTo: c@d.example\n\nhi", "text/html", "message/rfc822", "attachment"),
        ("GIF89a1234", "text/html", "image/gif", "inline"), ("%PDF-1.7", "image/png", "application/pdf", "attachment"),
    ]) func theBytesDecideWhatABrowserShows(text: String, sent: String, type: String, disposition: String) async throws
    {
        try await withServer { server in
            let stored = try await server.send("POST", "/v1/files", text, headers: [("Content-Type", sent)])
            let got = try await server.send("GET", try path(stored))

            #expect(got.headers["Content-Type"] == type)
            #expect(got.headers["Content-Disposition"]?.hasPrefix(disposition + ";") == true)
        }
    }

    @Test func othersAndUnknownFilesLookTheSame() async throws {
        try await withServer { server in
            let path = try path(try await upload(server))
            let other = try await server.send("GET", path, headers: [("X-Nexus-User", "eve")])
            let unknown = try await server.send("GET", "/v1/files/none", headers: [("X-Nexus-User", "eve")])
            let climbing = try await server.send("GET", "/v1/files/..%2F..%2Fnexus.sqlite")

            #expect(statuses(other, unknown, climbing) == [404, 404, 404])
            #expect(other.text == unknown.text)
            #expect(other.field("code") == "file_not_found")
        }
    }

    @Test func aPersonCannotUploadWithoutEndAndAttachNothing() async throws {
        var parts = ServerParts()
        parts.fileLimits = FileLimits(unattachedCount: 2, unattachedBytes: 1_000)
        try await withServer(parts) { server in
            let replies = [try await upload(server), try await upload(server), try await upload(server)]
            let other = try await upload(server, headers: [("X-Nexus-User", "eve")])

            #expect(replies.map(\.status) == [201, 201, 409])
            #expect(replies[2].field("code") == "files_unattached")
            #expect(replies[2].field("detail")?.contains("at most 2, and 26214400 bytes; send them") == true)
            #expect(other.status == 201)
        }
    }

    @Test func aFileThatIsTooLargeIsRefused() async throws {
        var parts = ServerParts()
        parts.fileLimits = FileLimits(fileBytes: 19, totalBytes: 30, personBytes: 30)
        try await withServer(parts) { server in
            let large = try await upload(server, Self.text + "!")
            let first = try await upload(server)
            let second = try await upload(server)

            #expect(statuses(large, first, second) == [413, 201, 507])
            #expect(large.field("code") == "body_too_large")
            #expect(second.field("code") == "files_full")
        }
    }

    @Test func aFullShareIsToldApartFromAFullServer() async throws {
        var parts = ServerParts()
        parts.fileLimits = FileLimits(fileBytes: 19, totalBytes: 60, personBytes: 30)
        try await withServer(parts) { server in
            let first = try await upload(server)
            let second = try await upload(server)
            let use = try await server.send("GET", "/v1/files")

            #expect(statuses(first, second, use) == [201, 507, 200])
            #expect(["count", "byteCount", "limit"].map { use.field($0) } == ["1", "19", "30"])
            #expect(second.field("code") == "files_share_full")
        }
    }
}
