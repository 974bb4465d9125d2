import ArgumentParser
import Foundation
import Logging
import Telemetry
import Tracing
import UseCases
import WebServer

/// The options of every command.
struct CommonOptions: ParsableArguments {
    @Option(name: .long, help: "The data folder (data.folder).")
    var data: String?

    @Option(name: .long, help: "A JSON file of settings, instead of ./nexus.json.")
    var config: String?

    @Option(
        name: .long, help: "Any setting as KEY=VALUE; may be repeated. See nexus config --keys.",
        completion: .list(Settings.all.map { "\($0.name)=" }))
    var set: [String] = []

    @Option(name: .long, help: "The least severe level that is logged (log.level).")
    var logLevel: String?

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - overrides: Values of a command's own options, by key.
    ///   - warns: Whether unknown variables are reported on standard error.
    /// - Returns: All settings.
    /// - Throws: ``SettingsError``; a `--set` without "=" is wrong usage.
    func settings(_ overrides: [String: String?] = [:], warns: Bool = true) async throws -> NexusSettings {
        let folder = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        var settings = try NexusSettings(try await source(overrides, folder: folder))
        let own: [any AnySetting] = [
            Settings.dataFolder, Settings.logLevel, Settings.logFormat, Settings.defaultUser,
        ]
        settings.givenKeys = Set(set.map { String($0.prefix { $0 != "=" }) }).subtracting(own.map(\.name)).sorted()
        if warns, let warning = settings.unknownVariablesWarning { Console.note("nexus: \(warning)") }
        return settings
    }

    /// Opens the sources of settings.
    func source(_ overrides: [String: String?], folder: URL) async throws -> SettingsSource {
        var values: [String: String] = [:]
        for pair in set {
            guard let separator = pair.firstIndex(of: "=") else {
                throw ValidationError("--set needs KEY=VALUE, but there is no \"=\"")
            }
            values[String(pair[..<separator])] = String(pair[pair.index(after: separator)...])
        }
        if let data { values[Settings.dataFolder.name] = data }
        if let logLevel { values[Settings.logLevel.name] = logLevel }
        values.merge(overrides.compactMapValues { $0 }) { $1 }
        return try await SettingsSource(
            SettingsSource.Origins(
                commandLine: values, environment: ProcessInfo.processInfo.environment, folder: folder, file: config))
    }
}

extension NexusSettings {
    /// Names the unknown variables that look like settings; nil if there are none.
    var unknownVariablesWarning: String? {
        guard !unknownVariables.isEmpty else { return nil }
        return "unknown settings in the environment, ignored: \(unknownVariables.joined(separator: ", "))"
    }
}

/// The asker of a question, and the messages that it is about.
struct QuestionOptions: ParsableArguments {
    @Option(name: .long, help: "The user who asks; the default is http.default-user.")
    var user: String?

    @Option(name: .long, help: "Only this conversation; may be repeated.")
    var conversation: [String] = []

    @Option(name: .long, help: "Only messages of this sender; may be repeated.")
    var sender: [String] = []

    @Option(name: .long, help: "Only messages of this time or later (ISO 8601).")
    var from: String?

    @Option(name: .long, help: "Only messages before this time (ISO 8601).")
    var to: String?

    @Option(name: .long, help: "Only messages up to this day (2026-10-01) or time; an answer says so.")
    var asOf: String?

    @Option(
        name: .long,
        help: "Only messages with file, image, audio, video, document or link; may be repeated, one of them is enough.")
    var kind: [String] = []

    @Option(name: .long, help: "The number of sources, 1 to 50.")
    var topK = 5

    @Option(name: .long, help: "The IANA name of the asker's time zone.")
    var timeZone: String?
}

/// The failures of commands: one line on standard error and an exit code.
enum Failures {
    /// The server's reply does not fit the command.
    static let unexpectedReply = OperatorFailure(
        message: "the server that owns the data folder has another version: use the same version")

    /// Runs a command's body; the parser reports wrong usage, other errors become a line and exit code 2.
    static func reported(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            throw shown(error)
        }
    }

    /// The same for a synchronous command.
    static func reportedHere(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw shown(error)
        }
    }

    /// Reports an error, and returns the error that ends the command.
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

/// Loggers of this program: to standard error, never with text of messages.
enum CommandLogging {
    static func logger(_ settings: NexusSettings) -> Logger {
        var logger = Logger(label: "nexus") { label -> any LogHandler in
            settings.logsJSON
                ? JSONLogHandler(metadataProvider: present) { LineFile.standardError.write($0) }
                : StreamLogHandler.standardError(label: label, metadataProvider: present)
        }
        logger.logLevel = settings.logLevel
        return logger
    }

    /// The metadata of every line of a request: its id, and its trace if there is one.
    private static let present = Logger.MetadataProvider {
        guard let context = ServiceContext.current else { return [:] }
        var metadata: Logger.Metadata = [:]
        if let id = context.requestID { metadata["request.id"] = "\(id)" }
        if let trace = context.traceContext { metadata["trace.id"] = "\(trace.traceID)" }
        return metadata
    }
}
