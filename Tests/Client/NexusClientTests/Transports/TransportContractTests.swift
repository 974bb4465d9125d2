import Foundation
import NexusClient
import NexusTransportNIO
import NexusTransportURLSession
import TestSupport
import Testing

/// What every transport does, the fake of the other tests included.
@Suite(.hangGuard) struct TransportContractTests {
    enum Kind: CaseIterable {
        case fake
        case nio
        case urlSession

        static let real: [Kind] = [.nio, .urlSession]

        func transport(_ url: String, byteLimit: Int = 1_000_000) throws -> any ClientTransport {
            switch self {
            case .fake: EchoFake()
            case .nio: try NIOTransport(url: url, limits: NIOTransport.Limits(byteCount: byteLimit))
            case .urlSession:
                try URLSessionTransport(url: url, limits: URLSessionTransport.Limits(byteCount: byteLimit))
            }
        }
    }

    private func run<Value>(
        _ kind: Kind, byteLimit: Int = 1_000_000, _ body: (any ClientTransport, LoopbackServer) async throws -> Value
    ) async throws -> Value {
        try await LoopbackServer.run { server in
            try await body(try kind.transport(server.url, byteLimit: byteLimit), server)
        }
    }

    private static func handshake(_ ticket: String = "good") -> ClientRequest {
        ClientRequest("GET", "/v1/socket?ticket=\(ticket)")
    }

    private static func body(of stream: ClientStream) async throws -> String {
        var body = Data()
        for try await piece in stream.body { body.append(piece) }
        return String(decoding: body, as: UTF8.self)
    }

    @Test(arguments: Kind.allCases) func sendsBodiesAndHeadersAndReadsAnyStatus(kind: Kind) async throws {
        let text = "grüße 👋"
        try await run(kind) { transport, _ in
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let echo = try await transport.send(
                    ClientRequest(method, "/echo?a=b%20c", headers: ["X-Sent": "seen"], body: Data(text.utf8)))
                #expect(echo.status == 200 && String(decoding: echo.body, as: UTF8.self) == text)
                #expect(echo.headers["x-seen"] == "seen" && echo.headers["x-method"] == method)
            }
            let teapot = try await transport.send(ClientRequest("GET", "/teapot"))
            #expect(teapot.status == 418 && String(decoding: teapot.body, as: UTF8.self) == "short and stout")
            let streamed = try await transport.stream(ClientRequest("GET", "/teapot"))
            #expect(streamed.status == 418)
            #expect(try await Self.body(of: streamed) == "short and stout")
            // A redirect is not followed: a token must not go elsewhere.
            #expect(try await transport.send(ClientRequest("GET", "/elsewhere")).status == 302)
        }
    }

    @Test(arguments: Kind.allCases) func manyRequestsAtOnceGetTheirOwnReplies(kind: Kind) async throws {
        try await run(kind) { transport, _ in
            let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let reply = try await transport.send(
                            ClientRequest("POST", "/echo", body: Data("\(number)".utf8)))
                        return (number, String(decoding: reply.body, as: UTF8.self))
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            #expect(bodies == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, "\($0)") }))
        }
    }

    @Test(arguments: Kind.real) func aStreamIsReadWhileItIsWritten(kind: Kind) async throws {
        try await run(kind) { transport, _ in
            let stream = try await transport.stream(ClientRequest("GET", "/stream"))
            #expect(stream.status == 200 && stream.headers["content-type"] == "text/event-stream")
            var parser = EventStreamParser()
            var events: [String] = []
            for try await piece in stream.body {
                for event in try parser.read(piece) {
                    events.append(event.data)
                    // The server writes the second event after this.
                    if event.data == "one" { _ = try await transport.send(ClientRequest("POST", "/go")) }
                }
            }
            #expect(events == ["one", "two"])
        }
    }

    @Test(arguments: Kind.real) func aReaderWhoLeavesOrCancelsEndsTheRequest(kind: Kind) async throws {
        try await run(kind) { transport, server in
            var departures = server.departures.makeAsyncIterator()
            let cancelled = try await transport.stream(ClientRequest("GET", "/stream"))
            cancelled.cancel()
            await departures.next()
            await #expect(throws: ClientTransportError.self) { try await Self.body(of: cancelled) }
            let reading = Task { try await Self.body(of: try await transport.stream(ClientRequest("GET", "/stream"))) }
            let sending = Task { try await transport.send(ClientRequest("GET", "/silent")) }
            reading.cancel()
            sending.cancel()
            _ = await reading.result
            await #expect(throws: (any Error).self) { try await sending.value }
        }
    }

    @Test(arguments: Kind.real) func aBodyThatIsTooLargeCutOrLateIsAnError(kind: Kind) async throws {
        try await run(kind, byteLimit: 100_000) { transport, _ in
            await #expect(throws: ClientTransportError.tooLarge) {
                try await transport.send(ClientRequest("GET", "/big"))
            }
            await #expect(throws: ClientTransportError.broken) {
                try await transport.send(ClientRequest("GET", "/cut"))
            }
            await #expect(throws: ClientTransportError.broken) {
                try await Self.body(of: try await transport.stream(ClientRequest("GET", "/cut")))
            }
            await #expect(throws: ClientTransportError.timedOut) {
                try await transport.send(ClientRequest("GET", "/silent", timeout: .seconds(1)))
            }
        }
    }

    @Test(arguments: Kind.real) func reportsAServerThatIsNotThere(kind: Kind) async throws {
        // Nothing listens on the first port.
        let transport = try kind.transport("http://127.0.0.1:1")

        await #expect(throws: ClientTransportError.unreachable) {
            try await transport.send(ClientRequest("GET", "/echo"))
        }
        await #expect(throws: ClientTransportError.unreachable) {
            try await transport.stream(ClientRequest("GET", "/echo"))
        }
        await #expect(throws: ClientTransportError.unreachable) {
            try await transport.openSocket(Self.handshake(), subprotocol: "nexus.v1")
        }
    }

    @Test(arguments: Kind.allCases) func aSocketKeepsItsMessagesInOrder(kind: Kind) async throws {
        try await run(kind) { transport, _ in
            let socket = try await transport.openSocket(Self.handshake(), subprotocol: "nexus.v1")
            var numbers: [Int] = []
            for number in 0..<20 {
                let padding = String(repeating: "ü", count: number * 500)
                try await socket.send(#"{"type":"typing","n":\#(number),"text":"\#(padding)👋"}"#)
                let text = try #require(try await socket.next())
                let fields = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
                numbers.append(fields?["n"] as? Int ?? -1)
                #expect(fields?["text"] as? String == padding + "👋" && fields?["type"] as? String == "typing")
            }
            #expect(numbers == Array(0..<20))
            await socket.close()
            #expect(try await socket.next() == nil)
        }
    }

    /// Many frames arrive in one read, and the client reads while they are taken apart.
    @Test func aSocketReadsAllOfABurst() async throws {
        try await run(.nio) { transport, _ in
            let socket = try await transport.openSocket(Self.handshake(), subprotocol: "nexus.v1")
            // Of many lengths, so that some end while the client has read a part.
            for count in 257..<1_257 {
                try await socket.send("burst \(count)")
                var texts: [String] = []
                while texts.count < count, let text = try await socket.next() { texts.append(text) }
                try #require(texts == (0..<count).map(String.init))
            }
            await socket.close()
        }
    }

    @Test(arguments: Kind.real) func aRefusedHandshakeAndACloseCodeAreReported(kind: Kind) async throws {
        try await run(kind) { transport, _ in
            var refusal: ClientResponse?
            do {
                _ = try await transport.openSocket(Self.handshake("bad"), subprotocol: "nexus.v1")
            } catch ClientTransportError.refused(let response) { refusal = response }
            #expect(refusal?.status == 401)
            #expect(refusal.map { String(decoding: $0.body, as: UTF8.self) } == #"{"code":"ticket_invalid"}"#)
            let socket = try await transport.openSocket(Self.handshake(), subprotocol: "nexus.v1")
            try await socket.send(#"{"type":"typing","bye":true}"#)
            #expect(try await socket.next() == nil)
            #expect(socket.closeCode == 3_000)
            await #expect(throws: ClientTransportError.broken) { try await socket.send("{}") }
        }
    }

    @Test(arguments: Kind.allCases) func aReaderOfASocketCanBeCancelled(kind: Kind) async throws {
        try await run(kind) { transport, _ in
            let socket = try await transport.openSocket(Self.handshake(), subprotocol: "nexus.v1")
            let reading = Task { try await socket.next() }
            reading.cancel()
            #expect(try await reading.value == nil)
            await socket.close()
        }
    }

    @Test(arguments: [
        "", "ftp://host", "http://", "127.0.0.1:8080", "http://host:0", "http://host:70000", "http://h?a=b",
    ])
    func refusesAnAddress(url: String) {
        #expect(throws: AddressError.self) { try URLSessionTransport(url: url) }
    }
}

/// The fake, with the answers of ``LoopbackServer``.
private struct EchoFake: ClientTransport {
    private let fake = FakeTransport { request in
        switch request.path.split(separator: "?")[0] {
        case "/echo":
            ClientResponse(
                status: 200, headers: ["x-seen": request.headers["X-Sent"] ?? "", "x-method": request.method],
                body: request.body ?? Data())
        case "/teapot": ClientResponse(status: 418, body: Data("short and stout".utf8))
        default: ClientResponse(status: 302)
        }
    }

    func send(_ request: ClientRequest) async throws -> ClientResponse { try await fake.send(request) }

    func openSocket(_ request: ClientRequest, subprotocol: String) async throws -> any ClientSocket {
        _ = try await fake.openSocket(request, subprotocol: subprotocol)
        return EchoSocket(fake: fake.sockets[fake.sockets.count - 1])
    }
}

/// Sends each message back.
private struct EchoSocket: ClientSocket {
    let fake: FakeSocket

    var closeCode: UInt16? { fake.closeCode }

    func next() async throws -> String? { try await fake.next() }

    func send(_ text: String) async throws {
        try await fake.send(text)
        fake.say(text)
    }

    func close() async { await fake.close() }
}
