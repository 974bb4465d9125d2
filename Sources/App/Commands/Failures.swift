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
        } catch let code as ExitCode {
            throw code
        } catch let usage as ValidationError {
            throw usage
        } catch let error as SettingsError {
            Console.note("nexus: \(error.description)")
            throw ExitCode(64)
        } catch is CancellationError {
            throw ExitCode(2)
        } catch {
            Console.note("nexus: \(ErrorText.line(for: error))")
            throw ExitCode(2)
        }
    }
}
