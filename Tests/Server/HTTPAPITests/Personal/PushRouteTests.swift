import ChatCore
import Foundation
import LiveChat
import ServerTestSupport
import TestSupport
import Testing

@Suite(.hangGuard) struct PushRouteTests {
    private static let device =
        #"{"kind":"webhook","url":"https://gateway.example/secret-path","pushkey":"secret-key","appId":"app"}"#
    private static let ada = [(name: "X-Nexus-User", value: "ada")]
    private static let eve = [(name: "X-Nexus-User", value: "eve")]

    private func parts(
        _ devices: InMemoryPushDevices = InMemoryPushDevices(), status: Int = 200
    ) throws -> (ServerParts, StubPushTransport) {
        let transport = StubPushTransport(status: status)
        var parts = ServerParts()
        parts.push = try .stub(devices: devices, transport: transport, now: { Sample.now })
        return (parts, transport)
    }

    @Test func aDeviceIsRegisteredListedAndRemovedWithoutItsTokens() async throws {
        try await withServer(parts().0) { server in
            let made = try await server.send("POST", "/v1/devices", Self.device, headers: Self.ada)
            let again = try await server.send("POST", "/v1/devices", Self.device, headers: Self.ada)
            let list = try await server.send("GET", "/v1/devices", headers: Self.ada)
            let removed = try await server.send("DELETE", "/v1/devices/device-1", headers: Self.ada)
            let empty = try await server.send("GET", "/v1/devices", headers: Self.ada)

            #expect(statuses(made, again, list, removed) == [201, 200, 200, 204])
            #expect(made.field("id") == "device-1" && made.field("kind") == "webhook")
            #expect(again.field("id") == "device-1")
            #expect(list.text.contains("device-1"))
            for reply in [made, again, list] { #expect(!reply.text.contains("secret")) }
            #expect(empty.text == #"{"devices":[]}"#)
        }
    }

    @Test func devicesOfOthersAreInvisible() async throws {
        let devices = InMemoryPushDevices()
        let (parts, transport) = try parts(devices)
        try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/devices", Self.device, headers: Self.ada)
            let list = try await server.send("GET", "/v1/devices", headers: Self.eve)
            let removed = try await server.send("DELETE", "/v1/devices/device-1", headers: Self.eve)
            let tested = try await server.send("POST", "/v1/devices/device-1/test", "{}", headers: Self.eve)

            #expect(list.text == #"{"devices":[]}"#)
            #expect(statuses(removed, tested) == [404, 404])
            #expect(removed.field("code") == "device_not_found")
        }
        #expect(try await devices.pushDevices(of: "ada").count == 1)
        #expect(transport.requests.isEmpty)
    }

    @Test func aBrowserFindsTheKey() async throws {
        let reply = try await withServer(parts().0) { try await $0.send("GET", "/v1/push/key") }

        #expect(reply.status == 200)
        let key = try #require(reply.field("key"))
        #expect(key.count == 87 && key.hasPrefix("B"))
    }

    @Test(arguments: [
        (#"{}"#, "kind", "invalid_field"), (#"{"kind":"sms"}"#, "kind", "invalid_field"),
        (#"{"kind":"fcm","token":"t"}"#, "kind", "unsupported_value"),
        (#"{"kind":"webhook","url":"https://gateway.example"}"#, "pushkey", "invalid_field"),
        (#"{"kind":"webhook","url":"http://gateway.example","pushkey":"k","appId":"a"}"#, "url", "invalid_field"),
        (#"{"kind":"webhook","url":"https://127.0.0.1","pushkey":"k","appId":"a"}"#, "url", "invalid_field"),
        (#"{"kind":"webhook","url":"https://other.example","pushkey":"k","appId":"a"}"#, "url", "invalid_field"),
        (#"{"kind":"webhook","url":"https://inside.example","pushkey":"k","appId":"a"}"#, "url", "invalid_field"),
        (
            #"{"kind":"web","endpoint":"https://fcm.googleapis.com/x","p256dh":"x","auth":"x"}"#, "p256dh",
            "invalid_field"
        ),
    ])
    func aWrongAddressIsRefused(body: String, field: String, code: String) async throws {
        let devices = InMemoryPushDevices()
        let reply = try await withServer(parts(devices).0) { server in
            try await server.send("POST", "/v1/devices", body)
        }

        #expect(reply.status == 400)
        #expect(reply.field("field") == field && reply.field("code") == code, "\(reply.text)")
        #expect(try await devices.pushDevices(of: "ada") == [])
    }

    @Test(
        arguments: [
            (200, "delivered", nil, true), (403, "failed", "credentials", true), (503, "failed", "service", true),
            (400, "failed", "service", true), (410, "rejected", "device", false),
        ] as [(Int, String, String?, Bool)])
    func aTestSaysWhereItFailed(status: Int, result: String, stage: String?, isKept: Bool) async throws {
        let devices = InMemoryPushDevices()
        let (parts, transport) = try parts(devices, status: status)
        let reply = try await withServer(parts) { server in
            _ = try await server.send("POST", "/v1/devices", Self.device)
            return try await server.send("POST", "/v1/devices/device-1/test", "{}")
        }

        #expect(reply.status == 200)
        #expect(reply.field("result") == result && reply.field("stage") == stage, "\(reply.text)")
        #expect(reply.field("status") == "\(status)")
        #expect(!reply.text.contains("secret"))
        #expect(transport.requests.count == 1)
        #expect(try await devices.pushDevices(of: "ada").isEmpty != isKept)
    }
}
