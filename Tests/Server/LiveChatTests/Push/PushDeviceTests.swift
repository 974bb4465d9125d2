import ChatCore
import Foundation
import LiveChat
import Testing

struct PushDeviceTests {
    @Test(arguments: Sample.addresses)
    func survivesJSON(address: PushAddress) throws {
        let device = PushDevice.sample(address, registeredAt: Timestamp(microseconds: 1_700_000_000_123_456))

        let data = try JSONEncoder().encode(device)

        #expect(try JSONDecoder().decode(PushDevice.self, from: data) == device)
        #expect(try object(data)["kind"] as? String == address.service.rawValue)
        #expect(address.fault == nil)
    }

    @Test func readsTheFieldsOfAKind() throws {
        let text = #"{"kind": "webhook", "url": "https://a.example", "pushkey": "k", "appId": "app"}"#

        let address = try JSONDecoder().decode(PushAddress.self, from: Data(text.utf8))

        #expect(address == .webhook(url: "https://a.example", pushKey: "k", appID: "app"))
        for broken in [#"{"kind": "sms"}"#, #"{"kind": "fcm"}"#, "[]"] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(PushAddress.self, from: Data(broken.utf8))
            }
        }
    }

    private static let endpoint = Sample.endpoint
    private static let offCurve = "BA" + String(repeating: "A", count: 85)

    @Test(arguments: [
        (PushAddress.web(endpoint: "", p256dh: Vector.receiverPublic, auth: Vector.secret), "endpoint"),
        (.web(endpoint: "ftp://a.example", p256dh: Vector.receiverPublic, auth: Vector.secret), "endpoint"),
        (
            .web(
                endpoint: "https://a.example/" + String(repeating: "a", count: 2_048), p256dh: Vector.receiverPublic,
                auth: Vector.secret), "endpoint"
        ),
        (.web(endpoint: endpoint, p256dh: "", auth: Vector.secret), "p256dh"),
        (.web(endpoint: endpoint, p256dh: "not base64!", auth: Vector.secret), "p256dh"),
        (.web(endpoint: endpoint, p256dh: offCurve, auth: Vector.secret), "p256dh"),
        (.web(endpoint: endpoint, p256dh: Vector.receiverPublic, auth: ""), "auth"),
        (.web(endpoint: endpoint, p256dh: Vector.receiverPublic, auth: "AAAA"), "auth"),
        (.apns(token: "", topic: "org.example"), "token"), (.apns(token: "../../x", topic: "org.example"), "token"),
        (.apns(token: String(repeating: "é", count: 32), topic: "org.example"), "token"),
        (.apns(token: String(repeating: "a", count: 401), topic: "org.example"), "token"),
        (.apns(token: String(repeating: "a", count: 64), topic: ""), "topic"),
        (.apns(token: String(repeating: "a", count: 64), topic: "org\r\nexample"), "topic"),
        (.fcm(token: ""), "token"), (.fcm(token: "a b"), "token"), (.fcm(token: "a\n"), "token"),
        (.fcm(token: String(repeating: "a", count: 1_025)), "token"),
        (.webhook(url: "gateway", pushKey: "k", appID: "a"), "url"),
        (.webhook(url: "https://a.example", pushKey: "", appID: "a"), "pushkey"),
        (.webhook(url: "https://a.example", pushKey: String(repeating: "k", count: 513), appID: "a"), "pushkey"),
        (.webhook(url: "https://a.example", pushKey: "k", appID: String(repeating: "a", count: 65)), "appId"),
        (.webhook(url: "https://a.example", pushKey: "k\0", appID: "a"), "pushkey"),
    ])
    func saysWhatIsWrong(address: PushAddress, field: String) {
        #expect(address.fault?.field == field)
        #expect(address.fault?.reason.isEmpty == false)
    }

    @Test func keysAreTakenWithPaddingAndInPlainBase64() {
        let plain = bytes(Vector.receiverPublic).base64EncodedString()
        let secret = bytes(Vector.secret).base64EncodedString()

        #expect(PushAddress.web(endpoint: Sample.endpoint, p256dh: plain, auth: secret).fault == nil)
    }

    @Test func aDeviceThatRegisteredAgainIsKept() {
        let device = PushDevice.sample(Sample.apns, registeredAt: Timestamp(milliseconds: 1_000))

        #expect(device.isEnded(by: nil))
        #expect(device.isEnded(by: Timestamp(milliseconds: 1_000)))
        #expect(!device.isEnded(by: Timestamp(milliseconds: 999)))
    }

    @Test(arguments: Sample.addresses)
    func describesNoTokens(address: PushAddress) {
        let device = PushDevice.sample(address)
        var text = "\(device) \(address) \([device]) \(String(reflecting: address))"
        dump(device, to: &text)

        for secret in ["mozilla", Vector.secret, "a1a1", "APA91b", "gateway", "key-1"] {
            #expect(!text.contains(secret))
        }
    }
}
