import ArgumentParser
import Glibc
import NIOCore
import NIOPosix

/// Measures the live chat of a server, a bare WebSocket server with the same load, and the store of a client.
@main struct LiveBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live-bench", abstract: "Measures a live chat: sockets, and the store of a client.",
        subcommands: [BareCommand.self, RunCommand.self, StoreCommand.self])
}

/// A WebSocket server without a store: the peer of the measurements.
struct BareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bare", abstract: "Serves rooms of sockets without a store.")

    @Option(help: "The port on 127.0.0.1.") var port: Int

    func run() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let channel = try await BareServer(group: group).start(port: port)
        print("listening on \(port)")
        fflush(nil)
        try await channel.closeFuture.get()
    }
}

/// Writes one line to the standard error.
func note(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// A measurement that cannot be trusted.
struct BenchFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
