import ArgumentParser

/// How commands fail: one line on standard error and an exit code.
enum Failures {
    /// A server answered something else than it was asked for.
    static let unexpectedReply = OperatorFailure(
        message: "the server that owns the data folder is of another version")

    /// Runs a command's body; wrong usage stays the parser's, other errors become a line and exit code 2.
    static func reported(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw shown(error)
        }
    }

    /// The same for a command that waits for nothing.
    static func reportedHere(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw shown(error)
        }
    }

    /// Tells of an error, and returns what the command ends with.
    private static func shown(_ error: any Error) -> any Error {
        switch error {
        case is ExitCode, is ValidationError: return error
        case is CancellationError: return ExitCode(2)
        case let error as SettingsError:
            Console.note("nexus: \(error.description)")
            return ExitCode(64)
        default:
            Console.note("nexus: \(ErrorText.line(for: error))")
            return ExitCode(2)
        }
    }
}
