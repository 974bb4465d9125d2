import ArgumentParser
import Foundation
import HTTPAPI
import Logging
import Telemetry
import Tracing

/// What every command takes.
struct CommonOptions: ParsableArguments {
    @Option(name: .long, help: "The data folder (data.folder).")
    var data: String?

    @Option(name: .long, help: "A JSON file of settings, in place of ./nexus.json.")
    var config: String?

    @Option(name: .long, help: "Any setting as KEY=VALUE; may be repeated. See nexus config --keys.")
    var set: [String] = []

    @Option(name: .long, help: "How much is logged to standard error (log.level).")
    var logLevel: String?

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - overrides: Values of a command's own options, by key.
    ///   - warns: Whether variables that are no settings are reported on standard error.
    /// - Returns: All settings.
    /// - Throws: ``SettingsError``; a `--set` without "=" is wrong usage.
    func settings(_ overrides: [SettingKey: String?] = [:], warns: Bool = true) async throws -> NexusSettings {
        let folder = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
        var settings = try NexusSettings(try await source(overrides, folder: folder), folder: folder)
        let own: [SettingKey] = [.dataFolder, .logLevel, .logFormat, .defaultUser]
        settings.givenKeys = Set(set.map { String($0.prefix { $0 != "=" }) }).subtracting(own.map(\.name)).sorted()
        if warns, let warning = settings.unknownVariablesWarning { Console.note("nexus: \(warning)") }
        return settings
    }

    /// Opens what settings are read from.
    func source(_ overrides: [SettingKey: String?], folder: URL) async throws -> SettingsSource {
        var values: [String: String] = [:]
        for pair in set {
            guard let separator = pair.firstIndex(of: "=") else {
                throw ValidationError("--set wants KEY=VALUE, got no \"=\"")
            }
            values[String(pair[..<separator])] = String(pair[pair.index(after: separator)...])
        }
        if let data { values[SettingKey.dataFolder.name] = data }
        if let logLevel { values[SettingKey.logLevel.name] = logLevel }
        for (key, value) in overrides {
            if let value { values[key.name] = value }
        }
        return try await SettingsSource(
            SettingsSource.Origins(
                commandLine: values, environment: ProcessInfo.processInfo.environment, folder: folder, file: config))
    }
}

extension NexusSettings {
    /// Names the variables that look like settings and are none; nil when there are none.
    var unknownVariablesWarning: String? {
        guard !unknownVariables.isEmpty else { return nil }
        return "no settings, ignored in the environment: \(unknownVariables.joined(separator: ", "))"
    }
}

/// Which part of the messages a question is about, and who asks it.
struct QuestionOptions: ParsableArguments {
    @Option(name: .long, help: "Who asks; the setting http.default-user otherwise.")
    var user: String?

    @Option(name: .long, help: "Only this conversation; may be repeated.")
    var conversation: [String] = []

    @Option(name: .long, help: "Only messages of this sender; may be repeated.")
    var sender: [String] = []

    @Option(name: .long, help: "Only messages from this moment on (ISO 8601).")
    var from: String?

    @Option(name: .long, help: "Only messages before this moment (ISO 8601).")
    var to: String?

    @Option(name: .long, help: "How many sources, 1 to 50.")
    var topK = 5

    @Option(name: .long, help: "The IANA name of the asker's time zone.")
    var timeZone: String?
}

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

/// Loggers of this program: to standard error, never with text of messages.
enum CommandLogging {
    /// Makes a logger.
    static func logger(_ settings: NexusSettings) -> Logger {
        var logger = Logger(label: "nexus") { label -> any LogHandler in
            settings.logsJSON
                ? JSONLogHandler(metadataProvider: present) { LineFile.standardError.write($0) }
                : StreamLogHandler.standardError(label: label, metadataProvider: present)
        }
        logger.logLevel = settings.logLevel
        return logger
    }

    /// What every line of a request carries: its id, and its trace where there is one.
    private static let present = Logger.MetadataProvider {
        guard let context = ServiceContext.current else { return [:] }
        var metadata: Logger.Metadata = [:]
        if let id = context.requestID { metadata["request.id"] = "\(id)" }
        if let trace = context.traceContext { metadata["trace.id"] = "\(trace.traceID)" }
        return metadata
    }
}
