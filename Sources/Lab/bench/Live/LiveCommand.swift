import ArgumentParser
import Glibc
import NIOCore
import NIOPosix

/// Measures the live chat of a server, a bare WebSocket server with the same load, and the store of a client.
struct LiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live", abstract: "Measures a live chat: sockets, and the store of a client.",
        subcommands: [BareCommand.self, RunCommand.self, ClientStoreCommand.self])
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
