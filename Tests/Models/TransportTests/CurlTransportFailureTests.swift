import Foundation
import TestSupport
import Testing
import Transport

@Suite("CurlTransport, failures", .hangGuard)
struct CurlTransportFailureTests {
    private static let url = "http://127.0.0.1:9"

    @Test(arguments: [
        (url: "file:///etc/passwd", error: TransportError.unsupportedScheme("file")),
        (url: "ftp://127.0.0.1/a", error: .unsupportedScheme("ftp")),
        (url: "gopher://127.0.0.1/a", error: .unsupportedScheme("gopher")),
        (url: "127.0.0.1/a", error: .invalidURL("127.0.0.1/a")),
        (url: "http://u:pass@127.0.0.1:99999/a?key=1", error: .invalidURL("http://127.0.0.1:99999/a")),
        (url: "http://127.0.0.1/a\r\nX: y", error: .invalidURL("http://127.0.0.1/aX:y")),
        (url: "", error: .invalidURL("")),
    ])
    func refusesURLs(url: String, error: TransportError) async throws {
        let transport = try makeTransport()

        #expect(await transportError { try await transport.send(HTTPExchangeRequest(url: url)) } == error)
    }

    @Test(arguments: [
        (name: "X-A", value: "1\r\nX-B: 2", error: TransportError.invalidHeader(name: "X-A")),
        (name: "X-A", value: "1\nX-B: 2", error: .invalidHeader(name: "X-A")),
        (name: "X-A", value: "1\0", error: .invalidHeader(name: "X-A")),
        (name: "X A", value: "1", error: .invalidHeader(name: "?")),
        (name: "X-A: 1\r\nX-B", value: "2", error: .invalidHeader(name: "?")),
        (name: "", value: "1", error: .invalidHeader(name: "?")),
        (name: "content-length", value: "1", error: .invalidHeader(name: "content-length")),
        (name: "Transfer-Encoding", value: "chunked", error: .invalidHeader(name: "Transfer-Encoding")),
    ])
    func refusesHeadersThatCouldInjectLines(name: String, value: String, error: TransportError) async throws {
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(url: Self.url, headers: HTTPHeaders([(name: name, value: value)]))

        #expect(await transportError { try await transport.send(request) } == error)
    }

    @Test(arguments: ["", "GET /", "GET\r\nX: y", "GÉT"])
    func refusesMethods(method: String) async throws {
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(method: method, url: Self.url)

        #expect(await transportError { try await transport.send(request) } == .invalidMethod)
    }

    @Test func describesNoSecrets() {
        let request = HTTPExchangeRequest(
            url: "http://user:hidden@127.0.0.1/path?key=hidden#hidden", headers: ["Authorization": "Bearer hidden"],
            body: Data("hidden".utf8))
        var dumped = ""
        dump(request, to: &dumped)
        dump(request.headers, to: &dumped)

        #expect("\(request)" == "GET http://127.0.0.1/path")
        #expect("\(request.headers)" == "[Authorization]")
        #expect(!(dumped + String(reflecting: request)).contains("hidden"))
    }

    @Test func failsWithoutAListener() async throws {
        let server = try StubServer(.text(""))
        server.refuse()
        let transport = try makeTransport()
        let url = server.baseURL

        let error = await transportError { try await transport.send(HTTPExchangeRequest(url: url)) }

        #expect(error == .cannotConnect("127.0.0.1:\(server.port)"))
        #expect(error?.isRetryable == true)
        #expect(error?.wasNeverSent == true)
    }

    @Test func failsWithoutASocketFile() async throws {
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(url: Self.url, unixSocketPath: "/nonexistent/socket")

        #expect(
            await transportError { try await transport.send(request) } == .cannotConnect("unix:/nonexistent/socket"))
    }

    @Test func keepsTheConnectDeadlineInAHandshake() async throws {
        let server = try StubServer(.text("a"))
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(
            url: "https://127.0.0.1:\(server.port)", deadlines: HTTPDeadlines(connect: .milliseconds(80)))

        let error = await transportError { try await transport.send(request) }

        #expect(error == .timedOut(phase: .connect))
        #expect(error?.wasNeverSent == true)
        #expect(server.requests.isEmpty)
    }

    @Test func failsForAHostWithoutAddress() async throws {
        let transport = try makeTransport()

        let error = await transportError { try await transport.send(HTTPExchangeRequest(url: "http://nexus.invalid/")) }

        #expect(error == .cannotResolve(host: "nexus.invalid"))
    }

    @Test(arguments: [
        (HTTPDeadlines(idle: .milliseconds(80)), TransportError.timedOut(phase: .idle)),
        (HTTPDeadlines(total: .milliseconds(80)), .timedOut(phase: .total)),
    ])
    func keepsDeadlinesAndDropsTheConnection(deadlines: HTTPDeadlines, error: TransportError) async throws {
        let server = try StubServer(.neverAnswers)
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(url: server.baseURL, deadlines: deadlines)

        #expect(await transportError { try await transport.send(request) } == error)
        await server.waitForDisconnect()
    }

    @Test func keepsTheIdleDeadlineInTheMiddleOfAHead() async throws {
        let server = try StubServer(StubResponse(steps: [.bytes(Data("HTTP/1.1 200 OK\r\nX-A: ".utf8)), .hang]))
        let transport = try makeTransport()
        let request = HTTPExchangeRequest(url: server.baseURL, deadlines: HTTPDeadlines(idle: .milliseconds(80)))

        #expect(await transportError { try await transport.send(request) } == .timedOut(phase: .idle))
    }

    @Test func cancellingTheTaskAbortsTheTransfer() async throws {
        let server = try StubServer(.neverAnswers)
        let transport = try makeTransport()
        let url = server.baseURL

        let task = Task { await transportError { try await transport.send(HTTPExchangeRequest(url: url)) } }
        await server.waitForRequests(1)
        task.cancel()

        #expect(await task.value == .cancelled)
        await server.waitForDisconnect()
    }

    @Test func capsTheBody() async throws {
        let body = Data(count: 1001)
        let plain = try StubServer(StubResponse(body: body))
        let chunked = try StubServer(.chunked([.bytes(body.prefix(500)), .bytes(body.suffix(501))]))
        let transport = try makeTransport()

        for server in [plain, chunked] {
            var request = HTTPExchangeRequest(url: server.baseURL, responseByteLimit: 1001)
            #expect(try await transport.send(request).body.count == 1001)
            request.responseByteLimit = 1000
            let limited = request
            #expect(await transportError { try await transport.send(limited) } == .responseTooLarge(limit: 1000))
        }
    }

    @Test func capsTheHead() async throws {
        let fields = (0..<100).map { ("X-Field-\($0)", String(repeating: "a", count: 100)) }
        let server = try StubServer(StubResponse(headers: fields))
        let transport = try makeTransport(headByteLimit: 5000)
        let url = server.baseURL

        let error = await transportError { try await transport.send(HTTPExchangeRequest(url: url)) }

        #expect(error == .responseTooLarge(limit: 5000))
    }

    static let half = StubResponse.Step.bytes(StubResponse.head(200, [("Content-Length", "10")]) + Data("half!".utf8))

    @Test(arguments: [
        (StubResponse(steps: [half, .close]), TransportError.connectionClosed),
        (StubResponse(steps: [half, .reset]), .connectionClosed),
        (.closes, .connectionClosed),
        (.resets, .connectionClosed),
        (.garbage, .malformedResponse),
        (.chunked([.bytes(Data("a".utf8)), .close]), .connectionClosed),
        (
            StubResponse(steps: [
                .bytes(StubResponse.head(200, [("Transfer-Encoding", "chunked")]) + Data("zz\r\n".utf8))
            ]),
            .malformedResponse
        ),
        (
            StubResponse(
                steps: [
                    .bytes(
                        StubResponse.head(200, [("Content-Encoding", "gzip"), ("Content-Length", "3")])
                            + Data("abc".utf8))
                ]),
            .malformedResponse
        ),
    ])
    func recognisesBrokenResponses(response: StubResponse, error: TransportError) async throws {
        let server = try StubServer(response)
        let transport = try makeTransport()
        let url = server.baseURL

        #expect(await transportError { try await transport.send(HTTPExchangeRequest(url: url)) } == error)
    }
}
