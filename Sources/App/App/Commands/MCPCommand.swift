import ArgumentParser
import ChatCore
import Foundation
import UseCases

/// `nexus mcp`.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Speaks MCP over standard input and output, for programs on this machine.",
        discussion: """
            A program starts it and calls the tools of the server's /mcp as the user. Without --url it uses the data \
            folder, through its server if one runs.
            """)

    @OptionGroup var common: CommonOptions
    @Option(help: "The address of a server, instead of the data folder.") var url: String?
    @Option(help: "The user; the default is http.default-user, and with a token its person.") var user: String?
    @Option(help: "A file with a token or a key for --url; it is read again for each request.") var tokenFile: String?

    func run() async throws {
        try await Failures.reported {
            let user: UserID? = try user.map { try QuestionOptions.identifier($0, option: "--user") }
            guard let url else {
                guard tokenFile == nil else { throw ValidationError("--token-file needs --url") }
                return try await relayLocally(as: user)
            }
            guard let address = URL(string: url), let scheme = address.scheme, ["http", "https"].contains(scheme),
                address.host() != nil
            else { throw ValidationError("--url must be an address as https://chat.example.com") }
            let base = url.hasSuffix("/") ? String(url.dropLast()) : url
            let place = base.hasSuffix("/mcp") ? String(base.dropLast(4)) : base
            let file = tokenFile
            try await Self.relay(
                MCPRelay.Target(url: place, user: user) {
                    try file.map { try String(contentsOf: URL(filePath: $0), encoding: .utf8).trimmed }
                })
        }
    }

    private func relayLocally(as user: UserID?) async throws {
        let settings = try await common.settings()
        let asker = try user ?? settings.defaultUser.map { try QuestionOptions.identifier($0, option: "--user") }
        guard let asker else { throw ValidationError("--user is needed, because http.default-user is not set") }
        try await CommandSession(settings: settings).withAPI { api in
            try await Self.relay(
                MCPRelay.Target(url: "http://localhost", socketPath: api.socketPath, user: asker))
        }
    }

    private static func relay(_ target: MCPRelay.Target) async throws {
        try await MCPRelay(target).run(standardInput()) { Console.print($0) }
    }

    /// The lines of standard input, read by a thread because reading blocks.
    private static func standardInput() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
