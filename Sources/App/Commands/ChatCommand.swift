import ArgumentParser
import Foundation
import NexusClient
import NexusTransportNIO
import UnixSignals

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

    /// What ended first.
    private enum Ending: Sendable {
        case session
        case input
        case signal
    }

    func run() async throws {
        try await Failures.reported {
            let transport: NIOTransport
            do { transport = try NIOTransport(url: url) } catch is NIOTransport.AddressError {
                throw ValidationError("--url must be an address as http://127.0.0.1:8080")
            }
            let token = try tokenFile.map { try Self.token(in: $0) }
            let source: NexusSession.TokenSource? = tokenFile.map { file in { @Sendable _ in try Self.token(in: file) }
            }
            let person = user ?? token.flatMap { Self.subject(of: $0) }
            let messages = MessageStore(
                file: store.map { URL(filePath: $0) }, owner: store.map { _ in "\(person ?? "")@\(url)" })
            do throws(StoreError) { try await messages.open() } catch {
                throw OperatorFailure(message: ChatDesk.text(.storage(error)))
            }
            let session = NexusSession(
                transport: transport, user: person, device: "chat-\(UUID().uuidString.lowercased())", tokens: source,
                store: messages)
            let terminal = ChatTerminal()
            terminal.open()
            defer { terminal.close() }
            let (isSignedOut, unsent) = await talk(session, terminal)
            await messages.close()
            terminal.close()
            if isSignedOut { throw OperatorFailure(message: "the server does not accept the token: sign in again") }
            guard unsent == 0 else {
                let rest = store == nil ? "" : "; they are sent the next time"
                throw OperatorFailure(message: "\(unsent) of your messages did not reach the server\(rest)")
            }
        }
    }

    /// Runs a session until the person ends it; returns whether it was signed out, and how many messages are lost.
    private func talk(_ session: NexusSession, _ terminal: ChatTerminal) async -> (isSignedOut: Bool, unsent: Int) {
        let desk = ChatDesk(session: session, terminal: terminal)
        return await withTaskGroup(of: Ending?.self) { group in
            async let isSignedOut = desk.showEvents()
            group.addTask {
                await session.run()
                return .session
            }
            group.addTask {
                await Self.readInput(desk, session, terminal)
                return .input
            }
            group.addTask {
                let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup, .sigquit)
                for await _ in signals { return .signal }
                return nil
            }
            while let ending = await group.next(), ending == nil {}
            let unsent = await session.waitingCount
            group.cancelAll()
            await group.waitForAll()
            return (await isSignedOut, unsent)
        }
    }

    private static func readInput(_ desk: ChatDesk, _ session: NexusSession, _ terminal: ChatTerminal) async {
        guard await desk.waitUntilReady() else { return }
        reading: for await input in terminal.input {
            switch input {
            case .line(let line): if await !desk.perform(ChatInput(line)) { break reading }
            case .typing: if let id = await session.openConversation { await session.type(in: id) }
            case .end: break reading
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
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns the subject of a JSON Web Token, which the server verifies; nil for other tokens.
    private static func subject(of token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while text.count % 4 != 0 { text += "=" }
        guard let data = Data(base64Encoded: text) else { return nil }
        return try? JSONDecoder().decode(Claims.self, from: data).sub
    }

    private struct Claims: Decodable {
        let sub: String?
    }
}
