import ArgumentParser
import Hummingbird

/// The peer of `GET /health`: a route of Hummingbird with the same reply, and nothing else.
struct RouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route", abstract: "Serves a route of Hummingbird that does nothing.")

    @Option(help: "The port on 127.0.0.1.") var port: Int

    func run() async throws {
        let router = Router()
        router.get("/health") { _, _ in #"{"status":"ok"}"# }
        let configuration = ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
        try await Application(router: router, configuration: configuration).runService()
    }
}
