import Foundation
import TestSupport
import Testing
import Transport

@Suite("CurlTransport, buffered", .hangGuard)
struct CurlTransportTests {
    @Test func sendsWhatIsAskedAndReturnsTheResponse() async throws {
        let server = try StubServer(
            StubResponse(status: 201, headers: [("X-One", "1"), ("x-one", "2")], body: Data("hello".utf8)))
        let transport = try makeTransport()

        let response = try await transport.send(
            HTTPExchangeRequest(
                method: "PUT", url: server.baseURL + "/a/b?c=d", headers: ["X-Test": "yes", "X-Empty": ""],
                body: Data("body".utf8)))

        #expect(response.status == 201)
        #expect(response.headers.values(of: "X-ONE") == ["1", "2"])
        #expect(response.body == Data("hello".utf8))
        let request = try #require(server.requests.first)
        #expect(request.method == "PUT")
        #expect(request.target == "/a/b?c=d")
        #expect(request.header("x-test") == "yes")
        #expect(request.header("x-empty") == "")
        #expect(request.header("expect") == nil)
        #expect(request.header("content-type") == nil)
        #expect(request.body == Data("body".utf8))
    }

    @Test func reusesTheConnection() async throws {
        let server = try StubServer(.text("a"))
        let transport = try makeTransport()

        for _ in 0..<3 { _ = try await transport.send(HTTPExchangeRequest(url: server.baseURL)) }

        #expect(server.requests.map(\.connection) == [1, 1, 1])
    }

    @Test func carriesManyExchangesAtOnce() async throws {
        let server = try StubServer { .text($0.target) }
        let transport = try makeTransport()

        let paths = try await withThrowingTaskGroup(of: (String, String).self) { group in
            for number in 0..<40 {
                group.addTask {
                    let response = try await transport.send(HTTPExchangeRequest(url: "\(server.baseURL)/\(number)"))
                    return ("/\(number)", String(decoding: response.body, as: UTF8.self))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(paths.count == 40)
        #expect(paths.allSatisfy { $0.0 == $0.1 })
    }

    @Test func connectsToTheGivenAddressesOnly() async throws {
        let server = try StubServer { .text($0.header("host") ?? "") }
        let transport = try makeTransport()
        func text(_ host: String, at addresses: [String]) async throws -> String {
            let response = try await transport.send(
                HTTPExchangeRequest(url: "http://\(host):\(server.port)/", addresses: addresses))
            return String(decoding: response.body, as: UTF8.self)
        }

        // No resolver knows this name.
        #expect(try await text("pinned.invalid", at: ["127.0.0.1"]) == "pinned.invalid:\(server.port)")
        #expect(try await text("pinned.invalid", at: ["::1", "127.0.0.1"]) == "pinned.invalid:\(server.port)")
        // This name has another address: the server does not listen at the given one.
        let other = await transportError { try await text("localhost", at: ["127.0.0.2"]) }
        #expect(other == .cannotConnect("localhost:\(server.port)"))
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [[], [""], ["127.0.0.1,10.0.0.1"], ["host.example"], ["127.0.0.1\n"]])
    func refusesWhatIsNoAddress(addresses: [String]) async throws {
        let transport = try makeTransport()

        let error = await transportError {
            try await transport.send(HTTPExchangeRequest(url: "http://pinned.invalid/", addresses: addresses))
        }

        #expect(error == .cannotConnect("pinned.invalid:80"))
    }

    @Test func returnsRedirectsUnfollowed() async throws {
        let server = try StubServer(StubResponse(status: 302, headers: [("Location", "/elsewhere")]))
        let transport = try makeTransport()

        let response = try await transport.send(HTTPExchangeRequest(url: server.baseURL))

        #expect(response.status == 302)
        #expect(response.headers["location"] == "/elsewhere")
        #expect(server.requests.count == 1)
    }

    @Test func skipsInterimResponses() async throws {
        let interim = StubResponse.head(103, [("Link", "</a>")])
        let final = StubResponse.head(200, [("Content-Length", "2")]) + Data("ok".utf8)
        let server = try StubServer(StubResponse(steps: [.bytes(interim), .bytes(final)]))
        let transport = try makeTransport()

        let response = try await transport.send(HTTPExchangeRequest(url: server.baseURL))

        #expect(response.status == 200)
        #expect(response.headers["link"] == nil)
        #expect(response.body == Data("ok".utf8))
    }

    @Test func answersHeadWithoutWaitingForABody() async throws {
        let server = try StubServer(StubResponse(steps: [.bytes(StubResponse.head(200, [("Content-Length", "9")]))]))
        let transport = try makeTransport()

        let response = try await transport.send(HTTPExchangeRequest(method: "HEAD", url: server.baseURL))

        #expect(response.headers["content-length"] == "9")
        #expect(response.body.isEmpty)
    }

    /// 20,000 times the letter a, compressed by gzip.
    private static let manyLetters =
        "H4sIAAAAAAACA+3BMQEAAADCoKzrX8IaHkABAAAAAAAAAAAAAAAAAAAAAAAA8GAxh73KIE4AAA=="

    @Test func decodesCompressedBodiesAndCapsTheDecodedLength() async throws {
        let zipped = try #require(Data(base64Encoded: Self.manyLetters))
        let server = try StubServer(StubResponse(headers: [("Content-Encoding", "gzip")], body: zipped))
        let transport = try makeTransport()
        var request = HTTPExchangeRequest(url: server.baseURL)

        let response = try await transport.send(request)
        #expect(response.body == Data(repeating: UInt8(ascii: "a"), count: 20_000))

        request.responseByteLimit = 19_999
        let limited = request
        #expect(await transportError { try await transport.send(limited) } == .responseTooLarge(limit: 19_999))
    }

    @Test func reachesAUnixSocketWithALargeBody() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "stub-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let server = try StubServer(unixSocketPath: path) { .text("\($0.body.count)") }
        let transport = try makeTransport()
        let byteCount = 101 << 20

        let response = try await transport.send(
            HTTPExchangeRequest(
                method: "POST", url: "http://localhost/v1/import", body: Data(count: byteCount), unixSocketPath: path))

        #expect(response.body == Data("\(byteCount)".utf8))
        #expect(server.requests.first?.target == "/v1/import")
    }

    @Test func endsOutstandingExchangesAtShutdown() async throws {
        let server = try StubServer(.neverAnswers)
        let transport = try makeTransport()
        let url = server.baseURL

        async let outstanding = transportError { try await transport.send(HTTPExchangeRequest(url: url)) }
        await server.waitForRequests(1)
        await transport.shutdown()

        #expect(await outstanding == .cancelled)
        await server.waitForDisconnect()
        #expect(await transportError { try await transport.send(HTTPExchangeRequest(url: url)) } == .cancelled)
    }

    @Test func opensANewConnectionWhenTheOldOneWasClosed() async throws {
        let response = StubResponse.text("a")
        let server = try StubServer(StubResponse(steps: response.steps + [.close]))
        let transport = try makeTransport()

        for _ in 0..<3 { _ = try await transport.send(HTTPExchangeRequest(url: server.baseURL)) }

        #expect(server.requests.map(\.connection) == [1, 2, 3])
    }

    @Test func lettingGoOfTheTransportClosesItsConnections() async throws {
        let server = try StubServer(.text("a"))

        _ = try await makeTransport().send(HTTPExchangeRequest(url: server.baseURL))

        await server.waitForDisconnect()
    }

    @Test func takesCertificatesFromTheEnvironmentAsCurlDoes() {
        typealias Configuration = CurlTransport.Configuration
        let both = ["SSL_CERT_FILE": "/file", "SSL_CERT_DIR": "/folder"]

        #expect(Configuration(environment: both).certificateFile == "/file")
        #expect(Configuration(environment: both).certificateFolder == "/folder")
        let bundle = Configuration(environment: both.merging(["CURL_CA_BUNDLE": "/bundle"]) { $1 })
        #expect(bundle == Configuration(certificateFile: "/bundle"))
        #expect(Configuration(environment: ["CURL_CA_BUNDLE": ""]) == Configuration())
    }
}
