import Foundation
import TestSupport
import Testing

/// Two people in two terminals, with a server that is killed between them.
@Suite(.serialized, .hangGuard) struct ChatCommandTests {
    private static let local = ["--set", "embedding.provider=builtin", "--set", "chat.provider=extractive"]

    /// `nexus chat` with pipes.
    private final class Terminal {
        let process: RunningNexus
        private let input = Pipe()

        init(_ binary: NexusBinary, url: String, user: String) throws {
            process = try binary.start(["chat", "--url", url, "--user", user], input: input)
        }

        func enter(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        func end() throws { try input.fileHandleForWriting.close() }

        /// Waits until something was shown so many times.
        func wait(for text: String, count: Int = 1, inErrors: Bool = false) async throws {
            func found() -> Int {
                (inErrors ? process.errorText : process.outputText).ranges(of: text).count
            }
            while found() < count {
                try #require(process.isRunning, "ended without \(text): \(process.errorText)")
                try await Task.sleep(for: .milliseconds(5))
            }
        }

        /// The messages that were shown, as the number, the sender and the text.
        var messages: [String] {
            process.outputText.split(separator: "\n").map(String.init).filter {
                $0.contains(" ada: ") || $0.contains(" bob: ")
            }
        }
    }

    /// A server on a port below those that the system gives to connections, so that nobody takes it meanwhile.
    private static func server(_ binary: NexusBinary, port: inout Int?) async throws -> NexusServer {
        if let port { return try await NexusServer(binary, local + ["--port", "\(port)"]) }
        for _ in 0..<20 {
            let candidate = Int.random(in: 20_000..<32_000)
            if let server = try? await NexusServer(binary, local + ["--port", "\(candidate)"]) {
                port = candidate
                return server
            }
        }
        throw CancellationError()
    }

    @Test func everyLineArrivesOnceAndInOrderWhenTheServerIsKilled() async throws {
        let binary = try NexusBinary()
        var port: Int?
        var server = try await Self.server(binary, port: &port)
        let ada = try Terminal(binary, url: server.url, user: "ada")
        let bob = try Terminal(binary, url: server.url, user: "bob")
        try await ada.wait(for: "connected\n", inErrors: true)
        try await bob.wait(for: "connected\n", inErrors: true)
        try ada.enter("/new bob")
        try ada.enter("a0")
        try await bob.wait(for: "1 unread", inErrors: true)
        try bob.enter("/list")
        try await bob.wait(for: "1. ada (1 unread)")
        try bob.enter("/open 1")
        try await bob.wait(for: "1 ada: a0\n")

        for round in 0..<3 {
            // Some lines are on their way when the server ends, and some are written while there is none.
            for number in 1...5 {
                try ada.enter("a\(round)-\(number)")
                try bob.enter("b\(round)-\(number)")
            }
            server.process.signal(SIGKILL)
            _ = await server.process.result()
            try ada.enter("a\(round)-alone")
            try bob.enter("b\(round)-alone")
            try await ada.wait(for: "reconnecting…\n", count: round + 1, inErrors: true)
            server = try await Self.server(binary, port: &port)
            for terminal in [ada, bob] {
                try await terminal.wait(for: "connected\n", count: round + 2, inErrors: true)
                try await terminal.wait(for: " ada: a\(round)-alone\n")
                try await terminal.wait(for: " bob: b\(round)-alone\n")
            }
        }
        try ada.enter("the end")
        try ada.end()
        let left = await ada.process.result()
        try await bob.wait(for: " ada: the end\n")
        try bob.enter("/quit")
        let quit = await bob.process.result()
        _ = await server.stop()

        #expect(left.status == 0 && quit.status == 0, "\(left.errors) \(quit.errors)")
        #expect(ada.messages == bob.messages)
        let numbers = ada.messages.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(numbers == Array(1...38))
        for (name, letter) in [("ada", "a"), ("bob", "b")] {
            let rounds = (0..<3).flatMap { round in
                (1...5).map { "\(letter)\(round)-\($0)" } + ["\(letter)\(round)-alone"]
            }
            let texts = ada.messages.filter { $0.contains(" \(name): ") }.compactMap {
                $0.components(separatedBy: ": ").last
            }
            #expect(texts == (letter == "a" ? ["a0"] + rounds + ["the end"] : rounds))
        }
        for errors in [left.errors, quit.errors] {
            #expect(errors.ranges(of: "reconnecting…").count == 3)
            #expect(errors.ranges(of: "\nconnected\n").count + (errors.hasPrefix("connected\n") ? 1 : 0) == 4)
        }
    }

    @Test func editsDeletionsReactionsReceiptsAndPresenceAreShown() async throws {
        let binary = try NexusBinary()
        var port: Int?
        let server = try await Self.server(binary, port: &port)
        let ada = try Terminal(binary, url: server.url, user: "ada")
        let bob = try Terminal(binary, url: server.url, user: "bob")
        try await bob.wait(for: "connected\n", inErrors: true)
        try ada.enter("/new Harbor: bob, cleo")
        try ada.enter("line \u{1B}[31mred\u{7}\u{202E}")
        try ada.enter("second")
        try await bob.wait(for: "Harbor: 2 unread", inErrors: true)
        try bob.enter("/open harb")
        try await bob.wait(for: "2 ada: second\n")
        try await ada.wait(for: "2 read by 1 of 2", inErrors: true)
        try ada.enter("/edit 2 changed")
        try await bob.wait(for: "2 ada: changed (edited)\n")
        try bob.enter("/react 2 👍")
        try await ada.wait(for: "2 reactions: 👍 1\n")
        try ada.enter("/delete 1")
        try await bob.wait(for: "1 deleted\n")
        try bob.enter("/nonsense")
        try await bob.wait(for: "unknown command", inErrors: true)
        try bob.enter("/search changed")
        try await bob.wait(for: "Harbor, ada: changed")
        repeat {
            try bob.enter("/who")
            try await bob.wait(for: "cleo")
            try await Task.sleep(for: .milliseconds(50))
        } while !bob.process.outputText.contains("ada, online")
        try bob.enter("/quit")
        try ada.enter("/quit")
        let results = await (ada.process.result(), bob.process.result())
        _ = await server.stop()

        #expect(results.0.status == 0 && results.1.status == 0)
        #expect(results.1.output.contains("1 ada: line \u{FFFD}[31mred\u{FFFD}\u{FFFD}\n"))
        for text in [results.0.output, results.0.errors, results.1.output, results.1.errors] {
            #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{7}" || $0 == "\u{202E}" })
        }
    }

    @Test func aTokenThatIsRefusedEndsTheSessionAndABadAddressIsWrongUsage() async throws {
        let binary = try NexusBinary()
        let server = try await NexusServer(binary, Self.local + ["--set", "auth.mode=required"])
        let file = try binary.write("token", "no token")

        let refused = try await binary.run(["chat", "--url", server.url, "--token-file", file])
        let wrong = try await binary.run(["chat", "--url", "ftp://host"])
        _ = await server.stop()

        #expect(refused.status == 2 && refused.errors.contains("does not accept the token"))
        #expect(wrong.status == 64)
    }
}
