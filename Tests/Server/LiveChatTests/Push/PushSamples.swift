import ChatCore
import Crypto
import CryptoExtras
import Foundation
import LiveChat
import Synchronization

extension PushNotification {
    static func sample(_ text: String = "See you at noon", name: String = "Ada", unread: Int = 3) -> PushNotification {
        PushNotification(
            conversationID: "c1", messageID: "m7", seq: 7, senderID: "ada", senderName: name, text: text,
            unread: unread)
    }
}

extension PushDevice {
    static func sample(_ address: PushAddress, registeredAt: Timestamp = Timestamp(microseconds: 0)) -> PushDevice {
        PushDevice(id: "d1", userID: "ben", address: address, registeredAt: registeredAt)
    }
}

/// The keys of appendix A of RFC 8291.
enum Vector {
    static let receiverPrivate = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
    static let receiverPublic =
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
    static let senderPrivate = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
    static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
    static let body =
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
        + "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
}

/// Addresses that are valid, and credentials whose public halves the tests have.
enum Sample {
    static let endpoint = "https://updates.push.services.mozilla.com/wpush/v2/abc"
    static let web = PushAddress.web(endpoint: endpoint, p256dh: Vector.receiverPublic, auth: Vector.secret)
    static let apns = PushAddress.apns(token: String(repeating: "a1", count: 32), topic: "org.example.chat")
    static let fcm = PushAddress.fcm(token: "fcm-token:APA91b_x")
    static let webhook = PushAddress.webhook(
        url: "https://gateway.example/notify", pushKey: "key-1", appID: "org.example")
    static let addresses = [web, apns, fcm, webhook]

    static let vapidKey = P256.Signing.PrivateKey()
    static let apnsKey = P256.Signing.PrivateKey()
    static let rsaKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    static func vapid() throws -> VAPIDCredentials {
        try VAPIDCredentials(privateKey: base64URL(vapidKey.rawRepresentation), subject: "mailto:ops@example.org")
    }

    static func apnsCredentials(origin: String = APNsCredentials.production) throws -> APNsCredentials {
        try APNsCredentials(
            privateKey: apnsKey.pemRepresentation, keyID: "ABC123DEFG", teamID: "DEF123GHIJ", origin: origin)
    }

    static func serviceAccount(without field: String? = nil, tokenURL: String = "https://oauth2.example/token") throws
        -> Data
    {
        var fields = [
            "project_id": "demo-1", "client_email": "push@demo-1.example", "private_key_id": "k1",
            "private_key": try rsaKey.get().pkcs8PEMRepresentation, "token_uri": tokenURL,
        ]
        if let field { fields[field] = nil }
        return try JSONEncoder().encode(fields)
    }

    static func settings(detail: PushDetail = .ids) throws -> PushSettings {
        PushSettings(
            detail: detail, web: try vapid(), apns: try apnsCredentials(),
            fcm: try FCMCredentials(serviceAccount: try serviceAccount()),
            webhook: try WebhookCredentials(secret: "a secret of 26 characters"),
            webhookEndpoints: PushEndpointRules(hosts: ["gateway.example"]))
    }
}

func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

func bytes(_ text: String) -> Data {
    let plain = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)) ?? Data()
}

func object(_ data: Data) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
}

/// Answers each request by a rule, and keeps all requests.
final class FakePushTransport: PushTransport {
    private let sent = Mutex<[PushRequest]>([])
    private let reply: @Sendable (PushRequest, Int) throws -> PushReply

    /// Answers the n-th request, from 1.
    init(_ reply: @escaping @Sendable (PushRequest, Int) throws -> PushReply) {
        self.reply = reply
    }

    var requests: [PushRequest] { sent.withLock { $0 } }

    func send(_ request: PushRequest) async throws -> PushReply {
        let number = sent.withLock { sent in
            sent.append(request)
            return sent.count
        }
        return try reply(request, number)
    }
}

struct NoReply: Error {}
