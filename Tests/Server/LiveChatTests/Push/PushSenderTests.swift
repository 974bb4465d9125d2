import ChatCore
import Foundation
import LiveChat
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct PushSenderTests {
    private static let publicAddress = [IPAddress("93.184.215.14")].compactMap { $0 }

    private static func sender(
        _ transport: FakePushTransport, _ settings: PushSettings? = nil, clock: ManualNow = ManualNow(),
        resolve: @escaping PushEndpointRules.Resolver = { _ in publicAddress }
    ) throws -> PushSender {
        PushSender(
            settings: try settings ?? Sample.settings(), transport: transport, resolve: resolve, now: clock.now)
    }

    private static func isTokenRequest(_ request: PushRequest) -> Bool { request.url.hasSuffix("/token") }

    private static func tokenReply(_ token: String = "access", expiresIn seconds: Int = 3_600) -> PushReply {
        let body = #"{"access_token": "\#(token)", "expires_in": \#(seconds), "token_type": "Bearer"}"#
        return PushReply(status: 200, body: Data(body.utf8))
    }

    /// A transport whose token endpoint hands out `access-<n>`, and whose other replies the test decides.
    private static func google(
        expiresIn seconds: Int = 3_600, _ reply: @escaping @Sendable (PushRequest) -> PushReply
    ) -> FakePushTransport {
        FakePushTransport { request, number in
            isTokenRequest(request) ? tokenReply("access-\(number)", expiresIn: seconds) : reply(request)
        }
    }

    @Test(arguments: Sample.addresses)
    func delivers(address: PushAddress) async throws {
        let transport = Self.google { _ in PushReply(status: 200) }

        let outcome = try await Self.sender(transport).send(.sample(), to: .sample(address))

        #expect(outcome == .delivered)
        let request = try #require(transport.requests.last)
        let isDeviceURL = address.service == .web || address.service == .webhook
        #expect(request.addresses == (isDeviceURL ? Self.publicAddress : nil))
    }

    @Test(arguments: Sample.addresses)
    func aServiceWithoutCredentialsIsNotUsed(address: PushAddress) async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: 200) }

        let outcome = try await Self.sender(transport, PushSettings()).send(.sample(), to: .sample(address))

        #expect(outcome == .misconfigured(.notConfigured))
        #expect(transport.requests.isEmpty)
        #expect(!PushSettings().isConfigured(address.service))
        #expect(try Sample.settings().isConfigured(address.service))
    }

    @Test(arguments: Sample.addresses)
    func aFailureOfTheNetworkIsTriedAgain(address: PushAddress) async throws {
        let transport = FakePushTransport { _, _ in throw NoReply() }

        #expect(try await Self.sender(transport).send(.sample(), to: .sample(address)) == .retry(after: nil))
    }

    @Test(arguments: Sample.addresses)
    func aCancelledTaskHasNoOutcome(address: PushAddress) async throws {
        let transport = FakePushTransport { _, _ in throw CancellationError() }
        let sender = try Self.sender(transport)

        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await sender.send(.sample(), to: .sample(address))
        }

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func anInvalidAddressIsNotUsed() async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: 200) }
        let device = PushDevice.sample(.apns(token: "../x", topic: "org.example"))

        #expect(
            try await Self.sender(transport).send(.sample(), to: device) == .misconfigured(.address(field: "token")))
        #expect(transport.requests.isEmpty)
    }

    // MARK: - Endpoints

    @Test(arguments: [Sample.web, Sample.webhook])
    func aHostInsideTheNetworkIsNotCalled(address: PushAddress) async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: 200) }
        let sender = try Self.sender(transport) { _ in [IPAddress("10.1.2.3")].compactMap { $0 } }

        #expect(try await sender.send(.sample(), to: .sample(address)) == .misconfigured(.endpoint(.notPublic)))
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [Sample.web, Sample.webhook])
    func aHostWithoutAddressIsTriedAgain(address: PushAddress) async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: 200) }

        let none = try Self.sender(transport) { _ in [] }
        let failing = try Self.sender(transport) { _ in throw NoReply() }

        #expect(try await none.send(.sample(), to: .sample(address)) == .retry(after: nil))
        #expect(try await failing.send(.sample(), to: .sample(address)) == .retry(after: nil))
        #expect(transport.requests.isEmpty)
    }

    @Test func registrationsLearnWhatIsWrong() throws {
        let settings = try Sample.settings()
        let unknown = PushAddress.web(
            endpoint: "https://evil.example/x", p256dh: Vector.receiverPublic, auth: Vector.secret)
        let gateway = PushAddress.webhook(url: "https://fcm.googleapis.com/x", pushKey: "k", appID: "a")

        for address in Sample.addresses { #expect(settings.fault(of: address) == nil) }
        #expect(settings.fault(of: unknown)?.field == "endpoint")
        #expect(settings.fault(of: gateway)?.field == "url")
        #expect(settings.fault(of: .fcm(token: ""))?.field == "token")
    }

    // MARK: - Tokens

    @Test func appleGetsANewTokenAfterFortyMinutes() async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: 200) }
        let clock = ManualNow()
        let sender = try Self.sender(transport, clock: clock)

        for pause in [Duration.zero, .seconds(2_399), .seconds(1), .seconds(2_399)] {
            clock.advance(by: pause)
            _ = try await sender.send(.sample(), to: .sample(Sample.apns))
        }

        let tokens = transport.requests.map { $0.headers["authorization"] }
        #expect(tokens[0] == tokens[1] && tokens[2] == tokens[3] && tokens[1] != tokens[2])
    }

    @Test func aTokenFromTheFutureIsReplaced() async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: 200) }
        let clock = ManualNow()
        let sender = try Self.sender(transport, clock: clock)

        _ = try await sender.send(.sample(), to: .sample(Sample.apns))
        clock.advance(by: .seconds(-3_600))
        _ = try await sender.send(.sample(), to: .sample(Sample.apns))

        let tokens = transport.requests.map { $0.headers["authorization"] }
        #expect(tokens[0] != tokens[1])
    }

    @Test func anExpiredTokenIsRenewedOnce() async throws {
        let expired = PushReply(status: 403, body: Data(#"{"reason": "ExpiredProviderToken"}"#.utf8))
        let transport = FakePushTransport { _, number in number == 1 ? expired : PushReply(status: 200) }

        #expect(try await Self.sender(transport).send(.sample(), to: .sample(Sample.apns)) == .delivered)

        let tokens = transport.requests.map { $0.headers["authorization"] }
        #expect(tokens.count == 2 && tokens[0] != tokens[1])
    }

    @Test func aTokenThatStaysExpiredIsReported() async throws {
        let expired = PushReply(status: 403, body: Data(#"{"reason": "ExpiredProviderToken"}"#.utf8))
        let transport = FakePushTransport { _, _ in expired }

        let outcome = try await Self.sender(transport).send(.sample(), to: .sample(Sample.apns))

        #expect(outcome == .credentialsRefused(isExpired: true))
        #expect(transport.requests.count == 2)
    }

    @Test func refusedCredentialsAreNotTriedTwice() async throws {
        let refused = PushReply(status: 403, body: Data(#"{"reason": "InvalidProviderToken"}"#.utf8))
        let transport = FakePushTransport { _, _ in refused }

        let outcome = try await Self.sender(transport).send(.sample(), to: .sample(Sample.apns))

        #expect(outcome == .credentialsRefused(isExpired: false))
        #expect(transport.requests.count == 1)
    }

    @Test func browsersShareATokenByOrigin() async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: 201) }
        let clock = ManualNow()
        let sender = try Self.sender(transport, clock: clock)
        func send(_ endpoint: String) async throws {
            let address = PushAddress.web(endpoint: endpoint, p256dh: Vector.receiverPublic, auth: Vector.secret)
            _ = try await sender.send(.sample(), to: .sample(address))
        }

        try await send("https://fcm.googleapis.com/a")
        try await send("https://fcm.googleapis.com:443/b")
        try await send("https://web.push.apple.com/a")
        clock.advance(by: .seconds(6 * 3_600))
        try await send("https://fcm.googleapis.com/a")

        let tokens = transport.requests.map { $0.headers["Authorization"] ?? "" }
        #expect(tokens[0] == tokens[1])
        #expect(Set(tokens).count == 3)
        let end = ", k=" + (try Sample.vapid().publicKey)
        #expect(tokens.allSatisfy { $0.hasPrefix("vapid t=") && $0.hasSuffix(end) })
    }

    @Test func googleGetsATokenNearItsEnd() async throws {
        let transport = Self.google { _ in PushReply(status: 200) }
        let clock = ManualNow()
        let sender = try Self.sender(transport, clock: clock)

        for pause in [Duration.zero, .seconds(3_299), .seconds(1)] {
            clock.advance(by: pause)
            #expect(try await sender.send(.sample(), to: .sample(Sample.fcm)) == .delivered)
        }

        let kinds = transport.requests.map(Self.isTokenRequest)
        #expect(kinds == [true, false, false, true, false])
        let tokens = transport.requests.filter { !Self.isTokenRequest($0) }.map { $0.headers["Authorization"] }
        #expect(tokens == ["Bearer access-1", "Bearer access-1", "Bearer access-4"])
        #expect(transport.requests[1].url == "https://fcm.googleapis.com/v1/projects/demo-1/messages:send")
    }

    @Test func aShortLivedTokenIsUsedForHalfItsTime() async throws {
        let transport = Self.google(expiresIn: 100) { _ in PushReply(status: 200) }
        let clock = ManualNow()
        let sender = try Self.sender(transport, clock: clock)

        for pause in [Duration.zero, .seconds(49), .seconds(1)] {
            clock.advance(by: pause)
            _ = try await sender.send(.sample(), to: .sample(Sample.fcm))
        }

        #expect(transport.requests.map(Self.isTokenRequest) == [true, false, false, true, false])
    }

    @Test func concurrentSendersAskGoogleOnce() async throws {
        let transport = Self.google { _ in PushReply(status: 200) }
        let sender = try Self.sender(transport)

        let outcomes = try await withThrowingTaskGroup(of: PushOutcome.self) { group in
            for _ in 0..<20 { group.addTask { try await sender.send(.sample(), to: .sample(Sample.fcm)) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(outcomes.count == 20 && outcomes.allSatisfy { $0 == .delivered })
        #expect(transport.requests.filter(Self.isTokenRequest).count == 1)
    }

    @Test func aTokenThatGoogleRevokedIsRenewedOnce() async throws {
        let transport = Self.google { request in
            PushReply(status: request.headers["Authorization"] == "Bearer access-1" ? 401 : 200)
        }

        #expect(try await Self.sender(transport).send(.sample(), to: .sample(Sample.fcm)) == .delivered)
        #expect(transport.requests.map(Self.isTokenRequest) == [true, false, true, false])
    }

    @Test(arguments: [
        (400, #"{"error": "invalid_grant"}"#, PushOutcome.credentialsRefused(isExpired: false)),
        (401, "", .credentialsRefused(isExpired: false)), (403, "", .credentialsRefused(isExpired: false)),
        (404, "", .misconfigured(.refused(status: 404, reason: nil))), (429, "", .retry(after: .seconds(60))),
        (500, "", .retry(after: nil)), (503, "", .retry(after: nil)), (200, "no JSON", .retry(after: nil)),
        (200, "{}", .retry(after: nil)), (200, #"{"access_token": "a\nb"}"#, .retry(after: nil)),
        (201, "", .retry(after: nil)),
    ])
    func theTokenRequestHasAnOutcome(status: Int, body: String, outcome: PushOutcome) async throws {
        let transport = FakePushTransport { _, _ in PushReply(status: status, body: Data(body.utf8)) }

        #expect(try await Self.sender(transport).send(.sample(), to: .sample(Sample.fcm)) == outcome)
        #expect(transport.requests.count == 1)
    }
}
