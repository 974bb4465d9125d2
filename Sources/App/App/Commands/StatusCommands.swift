import ArgumentParser

/// `nexus status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Shows the content of a data folder and the progress of embedding.")

    @OptionGroup var common: CommonOptions
    @Flag(help: "Print the state as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let outcome = try await CommandSession(settings: try await common.settings()).perform(.status)
            guard case .status(let status) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(status) } else { Rendering.show(status) }
        }
    }
}

/// `nexus doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Looks for problems: libraries, model, database, services.")

    @OptionGroup var common: CommonOptions
    @Flag(help: "Print the findings as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            let outcome = try await CommandSession(settings: try await common.settings()).perform(.doctor)
            guard case .examined(let findings) = outcome else { throw Failures.unexpectedReply }
            if json { try Console.printJSON(findings) } else { Rendering.show(findings) }
            if findings.contains(where: { $0.verdict == .bad }) { throw ExitCode(2) }
        }
    }
}
