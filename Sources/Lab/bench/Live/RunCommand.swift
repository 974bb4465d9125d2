import ArgumentParser
import Foundation
import Glibc
import NIOCore
import NIOPosix

/// One measurement.
enum Measure: String, CaseIterable, ExpressibleByArgument {
    case idle, fanout, spread, resume, send
}

/// Loads a server and prints a line of JSON for each measurement; a summary goes to the standard error.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Loads a running server.",
        discussion: "Rate limits must be off, and the server must take users from X-Nexus-User (auth.mode=none).")

    @Option(help: "nexus or bare.") var target: BenchTarget
    @Option(help: "The server's port on 127.0.0.1.") var port: Int
    @Option(help: "The port of another node, for the sockets; the same if not given.") var socketPort: Int?
    @Option(help: "The server's process id.") var pid: Int
    @Option(help: "What to measure; repeat it for more than one. All if not given.") var only: [Measure] = []
    @Option(help: "Open sockets of people of whom most have no conversation.") var sockets = 10_000
    @Option(help: "How long idle sockets are watched.") var idleSeconds = 30
    @Option(help: "Members of the large conversation.") var members = 1_000
    @Option(help: "Messages into the large conversation.") var repeats = 50
    @Option(help: "People of the small conversations, each with a socket.") var people = 2_000
    @Option(help: "Conversations of 20 members.") var conversations = 1_000
    @Option(help: "Messages a second over all small conversations.") var rate = 200
    @Option(help: "How long they are sent.") var spreadSeconds = 20
    @Option(help: "How often a client resumes 1,000 changes.") var resumes = 200
    @Option(help: "The size of a resumed frame that the bare server sends.") var resumeBytes = 400_000
    @Option(help: "Clients that send as fast as they can.") var clients = 64
    @Option(help: "How long they send.") var sendSeconds = 10

    func run() async throws {
        try raiseFileLimit()
        // The server needs the other core.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let bench = LiveBench(options: self, group: group)
        let wanted = only.isEmpty ? Measure.allCases : only
        if wanted.contains(.idle) || wanted.contains(.fanout) { try await bench.idleAndFanout(wanted) }
        if wanted.contains(.spread) { try await bench.spread() }
        if wanted.contains(.resume) { try await bench.resume() }
        if wanted.contains(.send) { try await bench.send() }
        try await group.shutdownGracefully()
    }

    private func raiseFileLimit() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        guard limit.rlim_cur > sockets + 500 else {
            throw BenchFault("only \(limit.rlim_cur) files may be open, \(sockets) sockets are wanted")
        }
    }
}
