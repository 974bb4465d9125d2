import Foundation
import HTTPAPI
import NIOSSL
import NexusClient
import NexusTransportNIO
import ServerTestSupport
import TestSupport
import Testing
import WebServer

/// The client library's transport against the real server.
@Suite(.hangGuard) struct ClientTransportTests {
    private static let ticket = ClientRequest("GET", "/v1/socket?ticket=good")

    /// Only against hanging.
    private static let patient = NIOTransport.Limits(
        connect: .seconds(9_000), silence: .seconds(9_000), close: .seconds(9_000))

    private static func transport(
        _ server: RunningServer, limits: NIOTransport.Limits = patient
    ) throws -> NIOTransport {
        try NIOTransport(url: "http://127.0.0.1:\(server.port)", limits: limits)
    }

    @Test func sendsRequestsWithBodiesAndReadsAnyStatus() async throws {
        let (made, lost) = try await withServer { server in
            let transport = try Self.transport(server)
            let body = Data(#"{"name":"Pier","members":[{"userId":"ada"}]}"#.utf8)
            let made = try await transport.send(
                ClientRequest(
                    "POST", "/v1/conversations",
                    headers: ["Content-Type": "application/json", "X-Nexus-User": "ada"], body: body))
            return (made, try await transport.send(ClientRequest("GET", "/v1/nothing")))
        }

        #expect(made.status == 201 && made.headers["content-type"] == "application/json")
        #expect(String(decoding: made.body, as: UTF8.self).contains("Pier"))
        #expect(lost.status == 404)
    }

    @Test func exchangesMessagesOfEverySizeWithMasks() async throws {
        let texts = ["", "hello", "grüße 👋", String(repeating: "a", count: 126), String(repeating: "b", count: 65_536)]
        let echoes = try await withServer(SocketTests.parts()) { server in
            let socket = try await Self.transport(server).openSocket(Self.ticket, subprotocol: "nexus.v1")
            var echoes: [String?] = []
            for text in texts {
                try await socket.send(text)
                echoes.append(try await socket.next())
            }
            await socket.close()
            let end = try await socket.next()
            return (echoes, end)
        }

        #expect(echoes.0 == texts)
        #expect(echoes.1 == nil)
    }

    @Test func exchangesMessagesOverTLS() async throws {
        let folder = try CertificateFolder()
        let certificate = try folder.renew()
        var parts = SocketTests.parts()
        parts.credentials = try TLSCredentials(certificatePath: folder.certificate, keyPath: folder.key)
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)))
        let trusting = tls

        let echo = try await withServer(parts) { server in
            let transport = try NIOTransport(
                url: "https://localhost:\(server.port)", tls: trusting, limits: Self.patient)
            let socket = try await transport.openSocket(Self.ticket, subprotocol: "nexus.v1")
            try await socket.send("hello")
            let echo = try await socket.next()
            await socket.close()
            let stranger = try NIOTransport(url: "https://localhost:\(server.port)", limits: Self.patient)
            await #expect(throws: ClientTransportError.self) {
                _ = try await stranger.send(ClientRequest("GET", "/health"))
            }
            return echo
        }

        #expect(echo == "hello")
    }

    @Test func readsManyMessagesInTheirOrderWhenItReadsLate() async throws {
        let count = 2_000
        let parts = SocketTests.parts { session in
            for number in 0..<count { try? await session.send("\(number)") }
            for await _ in session.incoming {}
        }
        let numbers = try await withServer(parts) { server in
            let socket = try await Self.transport(server).openSocket(Self.ticket, subprotocol: "nexus.v1")
            var numbers: [String?] = []
            for number in 0..<count {
                if number % 500 == 0 { for _ in 0..<20 { await shortPause() } }
                numbers.append(try await socket.next())
            }
            await socket.close()
            return numbers
        }

        #expect(numbers == (0..<count).map { "\($0)" })
    }

    @Test func reportsARefusalAndACloseCode() async throws {
        let parts = SocketTests.parts { session in session.close(.serviceRestart, reason: "the server stops") }
        let (refusal, end, code) = try await withServer(parts) { server in
            let transport = try Self.transport(server)
            var refusal: ClientResponse?
            do {
                _ = try await transport.openSocket(
                    ClientRequest("GET", "/v1/socket?ticket=bad"), subprotocol: "nexus.v1")
            } catch ClientTransportError.refused(let response) { refusal = response }
            let socket = try await transport.openSocket(Self.ticket, subprotocol: "nexus.v1")
            let end = try await socket.next()
            return (refusal, end, socket.closeCode)
        }

        #expect(refusal?.status == 401)
        #expect(refusal.map { String(decoding: $0.body, as: UTF8.self).contains("ticket_invalid") } == true)
        #expect(end == nil && code == 1012)
    }

    @Test func refusesAMessageThatIsTooLargeAndNoticesSilence() async throws {
        try await withServer(SocketTests.parts()) { server in
            let narrow = try await Self.transport(
                server, limits: NIOTransport.Limits(silence: .seconds(9_000), byteCount: 1_000)
            )
            .openSocket(Self.ticket, subprotocol: "nexus.v1")
            try await narrow.send(String(repeating: "a", count: 1_001))
            await #expect(throws: ClientTransportError.tooLarge) { try await narrow.next() }
            // The limit holds for the handshake too.
            let impatient = try Self.transport(server, limits: NIOTransport.Limits(silence: .milliseconds(200)))
            await #expect(throws: ClientTransportError.timedOut) {
                _ = try await impatient.openSocket(Self.ticket, subprotocol: "nexus.v1").next()
            }
        }
    }

    @Test func reportsAServerThatIsNotThere() async throws {
        // Nothing listens on the first port.
        let transport = try NIOTransport(url: "http://127.0.0.1:1")

        await #expect(throws: ClientTransportError.unreachable) {
            try await transport.send(ClientRequest("GET", "/health"))
        }
        await #expect(throws: ClientTransportError.unreachable) {
            _ = try await transport.openSocket(Self.ticket, subprotocol: "nexus.v1")
        }
    }

    @Test(arguments: [
        "", "ftp://host", "http://", "127.0.0.1:8080", "http://host:0", "http://host:70000", "http://h?a=b",
    ])
    func refusesAnAddress(url: String) {
        #expect(throws: AddressError.self) { try NIOTransport(url: url) }
    }
}
