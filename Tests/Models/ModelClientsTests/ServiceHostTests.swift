import ModelClients
import Testing

@Suite struct ServiceHostTests {
    @Test(arguments: [
        "http://127.0.0.1:8080/v1", "http://localhost/v1", "http://LOCALHOST.:1", "http://10.1.2.3/v1",
        "http://172.16.0.1",
        "http://172.31.255.1/v1", "http://192.168.0.9:11434/v1", "http://169.254.1.1/", "http://100.64.0.1/v1",
        "http://[::1]:8080/v1", "http://[fd00::1]/v1", "http://[fe80::1]/v1", "http://[::ffff:10.0.0.1]/v1",
        "http://gpu:8000/v1", "http://box.local/v1", "http://a.b.internal/v1", "http://nas.lan",
        "http://pi.home.arpa/v1",
    ])
    func isNear(url: String) {
        #expect(ServiceHost.isNear(url))
        #expect(ChatTimeLimits(baseURL: url).firstToken == .seconds(600))
    }

    @Test(arguments: [
        "https://api.example.com/v1", "http://8.8.8.8/v1", "http://172.32.0.1/v1", "http://100.128.0.1/v1",
        "http://192.169.0.1", "http://[2001:db8::1]/v1", "http://10.example.com/v1", "http://local.example/v1",
        "http://[::ffff:8.8.8.8]/v1",
    ])
    func isFar(url: String) {
        #expect(!ServiceHost.isNear(url))
        #expect(ChatTimeLimits(baseURL: url).firstToken == .seconds(120))
    }
}
