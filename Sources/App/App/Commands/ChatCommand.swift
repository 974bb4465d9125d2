import ArgumentParser
import Foundation
import NexusClient
import NexusTransportNIO
import UnixSignals
import UseCases

/// `nexus chat`.
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Talks to others through a server, in the terminal.",
        discussion: "Enter /help for what can be done. Lines can also come from a pipe.")

    @Option(help: "The address of the server.") var url = "http://127.0.0.1:8080"
    @Option(help: "The user who talks; needed if the server does not identify callers.") var user: String?
    @Option(help: "A file with the token of the user; it is read again when the server refuses the token.")
    var tokenFile: String?
    @Option(
        help: """
            A file that keeps conversations and unsent messages of this user on this server; it is made if there is none. \
            Without it they are in memory.
            """)
    var store: String?

    /// How long the end waits for messages that are on their way.
    private static let patience = Duration.seconds(30)

    func run() async throws {
        try await Failures.reported {
            guard let transport = try? NIOTransport(url: url) else {
                throw ValidationError("--url must be an address as http://127.0.0.1:8080")
            }
            let person = try user ?? tokenFile.flatMap { NexusSession.user(in: try Self.token(in: $0)) }
            let messages = MessageStore(
                file: store.map { URL(filePath: $0) },
                owner: store.map { _ in MessageStore.owner(server: url, user: person ?? "") })
            do throws(StoreError) { try await messages.open() } catch {
                throw OperatorFailure(message: "\(store ?? ""): \(SessionError.storage(error).sentence.text)")
            }
            let session = NexusSession(
                transport: transport, user: person, device: "chat-\(UUID().uuidString.lowercased())",
                tokens: tokenFile.map { file in
                    AppTokens { _ throws(TokenError) in
                        do { return try Self.token(in: file) } catch { throw .unavailable }
                    }
                }, store: messages)
            let terminal = LineTerminal()
            terminal.open()
            defer { terminal.close() }
            let isSignedOut = await talk(session, terminal)
            let unsent = await session.waitingCount
            await messages.close()
            if isSignedOut { throw OperatorFailure(message: "the server does not accept the token: sign in again") }
            guard unsent == 0 else {
                let rest = store == nil ? "" : "; they are sent the next time"
                throw OperatorFailure(message: "\(unsent) of your messages did not reach the server\(rest)")
            }
        }
    }

    /// Runs a session until it ends, the person ends it, or a signal does; returns whether it was signed out.
    private func talk(_ session: NexusSession, _ terminal: LineTerminal) async -> Bool {
        let desk = ChatDesk(session: session, terminal: terminal)
        let events = session.updates()
        return await withTaskGroup(of: Void.self) { group in
            async let isSignedOut = desk.show(events)
            group.addTask { await session.run() }
            group.addTask { await Self.readInput(desk, session, terminal) }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigquit) { return }
            }
            await group.next()
            await desk.leave()
            group.cancelAll()
            await group.waitForAll()
            return await isSignedOut
        }
    }

    private static func readInput(_ desk: ChatDesk, _ session: NexusSession, _ terminal: LineTerminal) async {
        guard await desk.waitUntilReady() else { return }
        for await line in terminal.input {
            if let line {
                guard await desk.perform(line.trimmed) else { break }
            } else if let id = await session.openConversation {
                await session.type(in: id)
            }
        }
        let end = ContinuousClock.now + patience
        while await session.pendingCount > 0, await session.connection.isConnected || !terminal.isInteractive,
            ContinuousClock.now < end, !Task.isCancelled
        {
            try? await Task.sleep(for: .milliseconds(20))
        }
        await desk.showMessages()
    }

    private static func token(in file: String) throws -> String {
        try String(contentsOf: URL(filePath: file), encoding: .utf8).trimmed
    }
}
