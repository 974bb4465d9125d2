import ArgumentParser
import Foundation
import Glibc

/// The benchmarks of the vector index, the live chat and the store.
///
/// Figures are lines of JSON on the standard output. Exit code: 0 when done, 1 when a result was wrong, 2 when a measurement failed, 64 for wrong options.
@main struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures parts of Nexus, and what they are compared with.",
        subcommands: [IndexCommand.self, LiveCommand.self, StoreCommand.self, RouteCommand.self])

    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            guard !(error is ExitCode), exitCode(for: error) == .failure else { exit(withError: error) }
            note("bench: \(error)")
            Foundation.exit(2)
        }
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
