import ChatCore
import Foundation
import LiveChat
import TestSupport
import Testing
import Transport

/// The transport that the program uses.
struct LoopbackTransport: PushTransport {
    private let transport: CurlTransport

    init() throws {
        transport = try CurlTransport(configuration: CurlTransport.Configuration(usesProxyVariables: false))
    }

    func send(_ request: PushRequest) async throws -> PushReply {
        let reply = try await transport.send(
            HTTPExchangeRequest(
                method: request.method, url: request.url,
                headers: HTTPHeaders(request.headers.map { (name: $0.key, value: $0.value) }), body: request.body,
                addresses: request.addresses?.map(\.description),
                deadlines: HTTPDeadlines(connect: .seconds(60), idle: .seconds(60), total: .seconds(60)),
                responseByteLimit: 65_536))
        return PushReply(
            status: reply.status,
            headers: Dictionary(reply.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
            body: reply.body)
    }
}

/// The services played by a real server on loopback, over the transport that the program uses.
@Suite(.hangGuard) struct PushLoopbackTests {
    private static func sender(_ server: StubServer) throws -> PushSender {
        let rules = PushEndpointRules(hosts: [], allowsLoopback: true)
        let account = try Sample.serviceAccount(tokenURL: server.baseURL + "/token")
        let settings = PushSettings(
            detail: .text, web: try Sample.vapid(), apns: try Sample.apnsCredentials(origin: server.baseURL),
            fcm: try FCMCredentials(serviceAccount: account, origin: server.baseURL),
            webhook: try WebhookCredentials(secret: "a secret of 26 characters"), webEndpoints: rules,
            webhookEndpoints: rules)
        return PushSender(settings: settings, transport: try LoopbackTransport(), now: ManualNow().now)
    }

    private static func device(_ service: PushService, _ server: StubServer) -> PushDevice {
        switch service {
        case .web:
            .sample(
                .web(endpoint: server.baseURL + "/push", p256dh: Vector.receiverPublic, auth: Vector.secret))
        case .apns: .sample(Sample.apns)
        case .fcm: .sample(Sample.fcm)
        case .webhook: .sample(.webhook(url: server.baseURL + "/notify", pushKey: "key-1", appID: "org.example"))
        }
    }

    private static func server(_ response: StubResponse) throws -> StubServer {
        try StubServer { request in
            request.target == "/token" ? .json(["access_token": "access", "expires_in": 3_600]) : response
        }
    }

    private static let table: [(status: Int, headers: [(String, String)], body: [String: [String]])] =
        [200, 201, 202, 204, 301, 400, 401, 403, 404, 405, 410, 413, 500, 502, 503].map { ($0, [], [:]) }
        + [(429, [("Retry-After", "7")], [:]), (503, [("Retry-After", "7")], [:]), (200, [], ["rejected": ["key-1"]])]

    @Test(arguments: PushService.allCases)
    func everyStatusArrives(service: PushService) async throws {
        for (status, headers, body) in Self.table {
            let server = try Self.server(.json(body, status: status, headers: headers))
            let data = try JSONEncoder().encode(body)
            let reply = PushReply(status: status, headers: Dictionary(uniqueKeysWithValues: headers), body: data)

            let outcome = try await Self.sender(server).send(.sample(), to: Self.device(service, server))

            let expected = PushOutcome.of(reply, from: service, pushKey: "key-1", now: ManualNow().now())
            #expect(outcome == expected, "status \(status)")
            server.stop()
        }
    }

    @Test(arguments: PushService.allCases, [StubResponse.resets, .closes, .garbage])
    func aBrokenConnectionIsTriedAgain(service: PushService, response: StubResponse) async throws {
        let server = try Self.server(response)

        #expect(try await Self.sender(server).send(.sample(), to: Self.device(service, server)) == .retry(after: nil))
    }

    @Test func aServiceThatIsAwayIsTriedAgain() async throws {
        let server = try Self.server(.json([:] as [String: String]))
        let sender = try Self.sender(server)
        server.refuse()

        for service in PushService.allCases {
            #expect(try await sender.send(.sample(), to: Self.device(service, server)) == .retry(after: nil))
        }
    }

    @Test func aServiceThatHangsCanBeCancelled() async throws {
        let server = try Self.server(.neverAnswers)
        let sender = try Self.sender(server)

        let task = Task { try await sender.send(.sample(), to: Self.device(.webhook, server)) }
        await server.waitForRequests(1)
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func theSignatureArrivesWithTheBody() async throws {
        let server = try Self.server(.json(["rejected": [String]()]))

        _ = try await Self.sender(server).send(.sample("hé 👩‍👧"), to: Self.device(.webhook, server))

        let request = try #require(server.requests.first)
        let signature = try WebhookCredentials(secret: "a secret of 26 characters")
            .signature(of: request.body, at: ManualNow().now())
        #expect(request.header("Nexus-Signature") == signature)
        #expect(request.method == "POST" && request.target == "/notify")
    }
}
