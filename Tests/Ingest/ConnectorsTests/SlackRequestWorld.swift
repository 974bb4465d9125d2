import ChatCore
import Connectors
import Crypto
import Foundation
import MessageStore
import TestSupport

/// A Slack workspace that sends events over HTTP.
final class SlackRequestWorld: SlackWorld {
    static let secret = "8f742231b10e8888abcd99yyyzzz85a5"

    override class var signingSecret: String? { secret }

    /// Requests that were not answered with 200.
    private var refused: [[UInt8]] = []

    required init(_ store: SQLStore) throws {
        try super.init(store)
        home.sendOverHTTP()
    }

    /// Sends all requests, with those that were refused before, and takes their events.
    override func follow() async throws {
        clock.advance(by: .milliseconds(10))
        let bodies = refused + home.takeRequests()
        refused = []
        for body in bodies where await connector.take(request(body)).status != 200 { refused.append(body) }
        _ = try await connector.takeWaiting()
    }

    override func loseDeliveries() {
        super.loseDeliveries()
        home.sendOverHTTP()
    }

    /// A request as Slack signs it.
    func request(
        _ body: [UInt8], secret: String = SlackRequestWorld.secret, age seconds: Int64 = 0, retry: Int? = nil
    ) -> SlackRequest {
        let time = String(clock.now().microseconds / 1_000_000 - seconds)
        return SlackRequest(
            signature: Self.signature(of: body, at: time, secret: secret), timestamp: time, retry: retry, body: body)
    }

    func request(_ text: String, age seconds: Int64 = 0) -> SlackRequest { request(Array(text.utf8), age: seconds) }

    static func signature(of body: [UInt8], at time: String, secret: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("v0:\(time):".utf8) + body, using: SymmetricKey(data: Data(secret.utf8)))
        return "v0=" + code.map { String(format: "%02x", $0) }.joined()
    }
}
