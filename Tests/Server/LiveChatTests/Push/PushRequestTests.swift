import ChatCore
import Crypto
import Foundation
import LiveChat
import Testing

struct PushRequestTests {
    private static let now = Timestamp(milliseconds: 1_700_000_000_000)
    private static let addresses = [IPAddress("93.184.215.14")].compactMap { $0 }
    /// The longest ids and names, with as much escaping as there can be.
    private static let greatest = PushNotification(
        conversationID: ConversationID(rawValue: String(repeating: "\"", count: 256)),
        messageID: MessageID(rawValue: String(repeating: "\\", count: 256)), seq: .max,
        senderID: UserID(rawValue: String(repeating: "\"", count: 256)),
        senderName: String(repeating: "\"\u{1}", count: 600), text: String(repeating: "\"é👩‍👧", count: 20_000),
        unread: .max)

    private static func web(_ notification: PushNotification, _ detail: PushDetail) throws -> (PushRequest, Data) {
        let receiver = try P256.KeyAgreement.PrivateKey(rawRepresentation: bytes(Vector.receiverPrivate))
        let request = try #require(
            try Sample.settings(detail: detail).webRequest(
                notification, to: "d1", endpoint: Sample.endpoint, p256dh: Vector.receiverPublic, auth: Vector.secret,
                authorization: "vapid t=a, k=b", addresses: addresses))
        return (request, try WebPushEncryptionTests.opened(request.body, by: receiver, secret: bytes(Vector.secret)))
    }

    private static func apns(_ notification: PushNotification, _ detail: PushDetail) throws -> PushRequest {
        try Sample.settings(detail: detail).apnsRequest(
            notification, to: "d1", token: "a1", topic: "org.example.chat", origin: APNsCredentials.production,
            authorization: "bearer t", at: now)
    }

    private static func fcm(
        _ notification: PushNotification, _ detail: PushDetail, token: String = "tok"
    ) throws -> PushRequest {
        try Sample.settings(detail: detail).fcmRequest(
            notification, to: "d1", token: token, url: "https://fcm.example/send", authorization: "Bearer t")
    }

    private static func webhook(_ notification: PushNotification, _ detail: PushDetail) throws -> PushRequest {
        try Sample.settings(detail: detail).webhookRequest(
            notification, to: .sample(Sample.webhook, registeredAt: Timestamp(milliseconds: 5_000)),
            url: "https://gateway.example/notify", pushKey: "key-1", appID: "org.example",
            credentials: WebhookCredentials(secret: "a secret of 26 characters"), addresses: addresses, at: now)
    }

    private static let ids: Set = ["conversationId", "messageId", "senderId", "seq", "unread"]
    private static let words: Set = ["senderName", "messageText"]

    // MARK: - Web Push

    @Test func browsersGetIDs() throws {
        let (request, content) = try Self.web(.sample(), .ids)

        let fields = try object(content)
        #expect(Set(fields.keys) == Self.ids)
        #expect(fields["conversationId"] as? String == "c1" && fields["seq"] as? Int == 7)
        #expect(fields["unread"] as? Int == 3)
        #expect(request.method == "POST" && request.url == Sample.endpoint)
        #expect(request.addresses == Self.addresses)
        #expect(request.body.count == 1_024)
        #expect(
            request.headers == [
                "Authorization": "vapid t=a, k=b", "Content-Encoding": "aes128gcm",
                "Content-Type": "application/octet-stream", "TTL": "86400", "Urgency": "high",
                "Topic": PushNotification.sample().collapseKey(on: "d1"),
            ])
    }

    @Test func browsersGetTheTextIfTheOperatorChoseIt() throws {
        let fields = try object(try Self.web(.sample("\"hé\n👩‍👧\""), .text).1)

        #expect(Set(fields.keys) == Self.ids.union(Self.words))
        #expect(fields["messageText"] as? String == "\"hé\n👩‍👧\"" && fields["senderName"] as? String == "Ada")
    }

    // MARK: - APNs

    @Test func appleGetsIDsAndAPlaceholder() throws {
        let request = try Self.apns(.sample(), .ids)

        let fields = try object(request.body)
        let aps = try #require(fields["aps"] as? [String: Any])
        #expect(Set(fields.keys) == Self.ids.union(["aps"]))
        #expect(aps["alert"] as? [String: String] == ["body": "New message"])
        #expect(aps["badge"] as? Int == 3 && aps["mutable-content"] as? Int == 1)
        #expect(aps["thread-id"] as? String == "c1")
        #expect(request.url == "https://api.push.apple.com/3/device/a1" && request.addresses == nil)
        #expect(
            request.headers == [
                "authorization": "bearer t", "content-type": "application/json", "apns-topic": "org.example.chat",
                "apns-push-type": "alert", "apns-priority": "10", "apns-expiration": "1700086400",
                "apns-collapse-id": PushNotification.sample().collapseKey(on: "d1"),
            ])
    }

    @Test func appleGetsTheTextIfTheOperatorChoseIt() throws {
        let fields = try object(try Self.apns(.sample("hello", unread: 0), .text).body)

        let aps = try #require(fields["aps"] as? [String: Any])
        #expect(aps["alert"] as? [String: String] == ["title": "Ada", "body": "hello"])
        #expect(aps["badge"] == nil)
        #expect(fields["messageText"] as? String == "hello" && fields["senderName"] as? String == "Ada")
    }

    // MARK: - FCM

    @Test func googleGetsIDsAsStrings() throws {
        let request = try Self.fcm(.sample(), .ids)

        let message = try #require(try object(request.body)["message"] as? [String: Any])
        let data = try #require(message["data"] as? [String: String])
        let android = try #require(message["android"] as? [String: Any])
        #expect(Set(data.keys) == Self.ids)
        #expect(data["seq"] == "7" && data["unread"] == "3")
        #expect(message["token"] as? String == "tok" && message["notification"] == nil)
        #expect(android["collapse_key"] as? String == PushNotification.sample().collapseKey(on: "d1"))
        #expect(android["priority"] as? String == "HIGH" && android["ttl"] as? String == "86400s")
        #expect(request.headers == ["Authorization": "Bearer t", "Content-Type": "application/json"])
    }

    @Test func googleGetsTheTextIfTheOperatorChoseIt() throws {
        let message = try #require(try object(try Self.fcm(.sample("hello"), .text).body)["message"] as? [String: Any])

        let data = try #require(message["data"] as? [String: String])
        #expect(data["messageText"] == "hello" && data["senderName"] == "Ada")
        #expect(message["notification"] as? [String: String] == ["title": "Ada", "body": "hello"])
    }

    // MARK: - Gateways

    @Test func gatewaysGetTheShapeOfMatrix() throws {
        let request = try Self.webhook(.sample("hello"), .text)

        let fields = try #require(try object(request.body)["notification"] as? [String: Any])
        let device = try #require((fields["devices"] as? [[String: Any]])?.first)
        #expect(fields["event_id"] as? String == "m7" && fields["room_id"] as? String == "c1")
        #expect(fields["counts"] as? [String: Int] == ["unread": 3] && fields["prio"] as? String == "high")
        #expect(fields["content"] as? [String: String] == ["msgtype": "m.text", "body": "hello"])
        #expect(device["app_id"] as? String == "org.example" && device["pushkey"] as? String == "key-1")
        #expect(device["pushkey_ts"] as? Int == 5)
        #expect(Self.ids.union(Self.words).isSubset(of: Set(fields.keys)))
        #expect(request.headers["Idempotency-Key"] == PushNotification.sample().idempotencyKey(on: "d1"))
        #expect(
            try request.headers["Nexus-Signature"]
                == WebhookCredentials(secret: "a secret of 26 characters").signature(of: request.body, at: Self.now))
    }

    @Test func gatewaysGetIDs() throws {
        let body = try Self.webhook(.sample("private text", name: "Private Name"), .ids).body

        #expect(!String(decoding: body, as: UTF8.self).lowercased().contains("private"))
    }

    // MARK: - Sizes

    @Test(arguments: PushDetail.allCases)
    func theGreatestNotificationFits(detail: PushDetail) throws {
        #expect(try Self.web(Self.greatest, detail).0.body.count <= 3_072)
        #expect(try Self.apns(Self.greatest, detail).body.count <= 4_096)
        #expect(try Self.fcm(Self.greatest, detail, token: String(repeating: "t", count: 1_024)).body.count <= 4_096)
        #expect(try Self.webhook(Self.greatest, detail).body.count <= 16_384)
    }

    @Test func describesNoTokens() throws {
        let requests = try [Self.web(.sample(), .text).0, Self.apns(.sample(), .text), Self.fcm(.sample(), .text)]
        var text = "\(requests)"
        dump(requests, to: &text)

        #expect(text.contains("https://updates.push.services.mozilla.com"))
        for secret in ["wpush", "vapid", "bearer", "tok", "noon"] { #expect(!text.contains(secret)) }
    }
}
