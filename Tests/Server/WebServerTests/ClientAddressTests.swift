import ChatCore
import Testing
import WebServer

struct ClientAddressTests {
    private let proxies = ClientAddress(
        proxies: ["127.0.0.1", "10.0.0.0/8", "2001:db8:9::/48"].compactMap { IPNetwork($0) })

    @Test(
        arguments: [
            ("127.0.0.1", ["203.0.113.9"], "203.0.113.9"),
            // The client wrote the first two itself.
            ("127.0.0.1", ["8.8.8.8, 127.0.0.1, 203.0.113.9, 10.1.2.3"], "203.0.113.9"),
            ("127.0.0.1", ["8.8.8.8", "203.0.113.9", " 10.1.2.3 "], "203.0.113.9"),
            ("::ffff:127.0.0.1", ["203.0.113.9:4711"], "203.0.113.9"),
            ("2001:db8:9::1", ["[2001:db8:1::5]:4711"], "2001:db8:1::5"),
            ("10.9.9.9", ["2001:db8:1::5"], "2001:db8:1::5"), ("10.9.9.9", ["10.1.1.1"], "10.1.1.1"),
            ("10.9.9.9", [], "10.9.9.9"), ("10.9.9.9", ["unknown"], "10.9.9.9"),
            ("10.9.9.9", ["203.0.113.9, unknown, 10.1.1.1"], "10.1.1.1"),
            // Not a proxy: its word is not taken.
            ("203.0.113.1", ["198.51.100.7"], "203.0.113.1"), ("127.0.0.2", ["198.51.100.7"], "127.0.0.2"),
            (nil, ["198.51.100.7"], nil),
        ] as [(String?, [String], String?)])
    func onlyAProxyNamesTheClient(peer: String?, fields: [String], client: String?) {
        #expect(proxies.client(peer: peer, forwarded: fields) == client)
    }

    @Test func withoutProxiesTheFieldMeansNothing() {
        #expect(ClientAddress(proxies: []).client(peer: "127.0.0.1", forwarded: ["203.0.113.9"]) == "127.0.0.1")
    }

    @Test func connectionsOfProxiesAreOfMany() {
        #expect(proxies.isShared("127.0.0.1") && proxies.isShared("10.0.0.4"))
        #expect(!proxies.isShared("127.0.0.2") && !proxies.isShared("203.0.113.1") && !proxies.isShared(nil))
        let none = ClientAddress(proxies: [])
        #expect(none.isShared("127.0.0.2") && none.isShared("::1") && !none.isShared("203.0.113.1"))
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "10.0.0", "example.com", "::/129", "/8"])
    func otherTextsAreNoNetworks(text: String) { #expect(IPNetwork(text) == nil) }

    @Test(
        arguments: [
            ("203.0.113.7", "203.0.113.7"), ("127.0.0.1", nil), ("::1", nil), ("::ffff:127.0.0.1", nil),
            ("::ffff:203.0.113.7", "203.0.113.7"), ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
            ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"), ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
            ("fe80::1%eth0", "fe80::/64"), ("64:ff9b::203.0.113.7", "203.0.113.7"), ("unix", "unix"), (nil, nil),
        ] as [(String?, String?)])
    func addressesOfANetworkShareALimit(address: String?, shared: String?) {
        #expect(ClientAddress.limited(address) == shared)
    }
}
