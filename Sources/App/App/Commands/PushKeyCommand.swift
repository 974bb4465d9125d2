import ArgumentParser
import Foundation
import Glibc
import LiveChat
import UseCases

/// `nexus push-key`.
struct PushKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push-key", abstract: "Makes a key pair for push to browsers (VAPID).",
        discussion: """
            Keep the private key: browsers that subscribed with the public key take messages of no other. Clients get \
            the public key from GET /v1/push/key.
            """)

    @Option(name: .long, help: "Write the private key to this new file, for push.vapid.key-file, and do not show it.")
    var out: String?
    @Flag(help: "Print the pair as JSON.") var json = false

    private struct Pair: Encodable {
        let publicKey: String
        let privateKey: String?
    }

    func run() async throws {
        try await Failures.reported {
            let pair = VAPIDCredentials.makeKeyPair()
            if let out { try Self.write(pair.privateKey + "\n", to: out) }
            let shown = Pair(publicKey: pair.publicKey, privateKey: out == nil ? pair.privateKey : nil)
            if json { return try Console.printJSON(shown) }
            Console.print("public \(shown.publicKey)")
            if let key = shown.privateKey { Console.print("private \(key)") }
        }
    }

    /// Writes a file that only its owner can read; an existing one is kept.
    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = errno == EEXIST ? "exists already" : FileTrouble.words(for: errno)
            throw OperatorFailure(message: "\(path) \(reason)")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }
}
