import ChatCore
import LiveChat
import Testing

struct PushEndpointTests {
    private static let rules = PushEndpointRules()

    @Test(arguments: [
        "https://fcm.googleapis.com/fcm/send/abc:def", "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc", "https://wns2-par02p.notify.windows.com/w/?token=a%2Bb",
        "https://fcm.googleapis.com:443/x", "HTTPS://FCM.googleapis.com/x", "https://fcm.googleapis.com",
        "https://fcm.googleapis.com?x=@y",
    ])
    func takesKnownServices(url: String) {
        #expect(Self.rules.fault(of: url) == nil)
    }

    @Test(arguments: [
        ("", PushEndpointFault.notAURL), ("fcm.googleapis.com", .notAURL), ("//fcm.googleapis.com", .notAURL),
        ("https:fcm.googleapis.com", .notAURL), ("https:///x", .notAURL), ("file:///etc/passwd", .notAURL),
        ("gopher://fcm.googleapis.com", .notAURL), ("ftp://fcm.googleapis.com", .notAURL),
        ("https://fcm.googleapis.com/a b", .notAURL), ("https://fcm.googleapis.com/\r\nX: y", .notAURL),
        ("https://fcm.googleapis.com/#x", .notAURL), ("https://evil.example\\@fcm.googleapis.com", .notAURL),
        ("https://evil.example\\.fcm.googleapis.com/", .notAURL), ("https://fcm.googleapis.com\u{ff0f}x", .notAURL),
        ("https://fcm。googleapis。com", .notAURL), ("https://fcm.googleapis.com./", .notAURL),
        ("https://fcm..googleapis.com/", .notAURL), ("https://%66cm.googleapis.com/", .notAURL),
        ("https://fcm.googleapis.com:/", .notAURL), ("https://fcm.googleapis.com:0/", .notAURL),
        ("https://fcm.googleapis.com:65536/", .notAURL), ("https://fcm.googleapis.com:+443/", .notAURL),
        ("https://fcm.googleapis.com:44:3/", .notAURL), ("https://[::1/", .notAURL), ("https://[fcm]/", .notAURL),
        ("https://[::1]x/", .notAURL), ("https://[fe80::1%25eth0]/", .notAURL), ("https://-a.example/", .notAURL),
        ("http://fcm.googleapis.com/x", .notHTTPS), ("http://127.0.0.1/x", .notHTTPS),
        ("http://localhost/x", .notHTTPS),
        ("https://user@fcm.googleapis.com/", .userInfo), ("https://a:b@fcm.googleapis.com/", .userInfo),
        ("https://fcm.googleapis.com@evil.example/", .userInfo),
        ("https://fcm.googleapis.com:443@evil.example/", .userInfo),
        ("https://@fcm.googleapis.com/", .userInfo),
        ("https://fcm.googleapis.com:22/", .port(22)), ("https://fcm.googleapis.com:80/", .port(80)),
        ("https://fcm.googleapis.com:8443/", .port(8_443)),
        ("https://127.0.0.1/", .addressLiteral), ("https://169.254.169.254/latest", .addressLiteral),
        ("https://93.184.215.14/", .addressLiteral), ("https://2130706433/", .addressLiteral),
        ("https://0x7f000001/", .addressLiteral), ("https://0x7f.1/", .addressLiteral),
        ("https://127.1/", .addressLiteral),
        ("https://0177.0.0.1/", .addressLiteral), ("https://[::1]/", .addressLiteral),
        ("https://[::ffff:10.0.0.1]/", .addressLiteral), ("https://[2606:2800:21f:cb07::1]/", .addressLiteral),
        ("https://evil.example/", .unknownHost), ("https://localhost/", .unknownHost),
        ("https://postgres/", .unknownHost),
        ("https://fcm.googleapis.com.evil.example/", .unknownHost), ("https://evilfcm.googleapis.com/", .unknownHost),
        ("https://push.apple.com/", .unknownHost), ("https://evilpush.apple.com/", .unknownHost),
        ("https://metadata.google.internal/", .unknownHost),
    ])
    func refusesOtherURLs(url: String, fault: PushEndpointFault) {
        #expect(Self.rules.fault(of: url) == fault)
    }

    @Test func operatorsAddHostsAndPorts() {
        let rules = PushEndpointRules(hosts: ["Gateway.Example", "*.push.example"], ports: [443, 8_443])

        #expect(rules.fault(of: "https://gateway.example:8443/notify") == nil)
        #expect(rules.fault(of: "https://a.b.push.example/") == nil)
        #expect(rules.fault(of: "https://push.example/") == .unknownHost)
        #expect(rules.fault(of: "https://fcm.googleapis.com/") == .unknownHost)
        #expect(PushEndpointRules(hosts: ["*"]).fault(of: "https://any.example/") == nil)
        #expect(PushEndpointRules(hosts: ["*"]).fault(of: "https://10.0.0.1/") == .addressLiteral)
        #expect(PushEndpointRules(hosts: []).fault(of: "https://any.example/") == .unknownHost)
    }

    @Test func loopbackIsForDevelopment() async throws {
        let rules = PushEndpointRules(allowsLoopback: true)

        for url in ["http://127.0.0.1:8080/x", "http://localhost:8080/x", "https://[::1]:1/x"] {
            #expect(rules.fault(of: url) == nil)
        }
        #expect(rules.fault(of: "http://127.0.0.2/x") == .notHTTPS)
        #expect(rules.fault(of: "http://u@127.0.0.1/x") == .userInfo)
        let found = try await rules.addresses(of: "http://127.0.0.1:8080/x") { _ in [] }
        #expect(found.map(\.description) == ["127.0.0.1"])
        await #expect(throws: PushEndpointFault.notPublic) {
            try await rules.addresses(of: "http://localhost/") { _ in [IPAddress("10.0.0.1")].compactMap { $0 } }
        }
    }

    @Test func allAddressesOfAHostMustBePublic() async throws {
        let url = "https://fcm.googleapis.com/x"
        func found(_ texts: [String]) async throws -> [String] {
            try await Self.rules.addresses(of: url) { host in
                #expect(host == "fcm.googleapis.com")
                return texts.compactMap { IPAddress($0) }
            }.map(\.description)
        }

        let public4 = ["142.250.74.10", "2a00:1450:4001:812::200a"]
        #expect(try await found(public4) == public4)
        await #expect(throws: PushEndpointFault.unresolved) { try await found([]) }
        await #expect(throws: PushEndpointFault.notPublic) { try await found(["142.250.74.10", "10.0.0.1"]) }
        await #expect(throws: PushEndpointFault.notPublic) { try await found(["::1"]) }
        await #expect(throws: PushEndpointFault.unknownHost) {
            try await Self.rules.addresses(of: "https://evil.example/") { _ in
                Issue.record("an unknown host was resolved")
                return []
            }
        }
    }

    @Test func theSystemResolvesLocalhost() async {
        let addresses = await IPAddress.resolve("localhost")

        #expect(!addresses.isEmpty)
        for address in addresses { #expect(address.isLoopback) }
    }
}
