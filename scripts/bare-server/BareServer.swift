import Hummingbird

/// What `GET /health` is measured beside: a route of Hummingbird that says the same, and nothing else.
///
/// Usage: bare-server PORT
@main struct BareServer {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]) else {
            return print("Usage: bare-server PORT")
        }
        let router = Router()
        router.get("/health") { _, _ in #"{"status":"ok"}"# }
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        try await Application(router: router, configuration: configuration).runService()
    }
}
