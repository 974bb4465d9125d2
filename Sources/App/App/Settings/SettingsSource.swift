import ChatCore
import Configuration
import Foundation
import SystemPackage

/// Reads settings from, in this order: the command line, the environment, `.env`, a JSON file.
struct SettingsSource: Sendable {
    /// The origins of values.
    struct Origins: Sendable {
        /// `--set key=value` and named options, by key.
        var commandLine: [String: String]
        /// The environment.
        var environment: [String: String]
        /// The folder of `.env` and `nexus.json`.
        var folder: URL
        /// A JSON file that the command line or `NEXUS_CONFIG` names; it must exist.
        var file: String?
    }

    /// Our variables that are not settings.
    private static let otherVariables: Set<String> = [
        "NEXUS_CONFIG", "NEXUS_LIVE_TESTS", "NEXUS_LONG_TESTS", "NEXUS_SPEED_TESTS",
    ]

    /// Variables of the environment with our prefix that are not ours: Kubernetes sets `NEXUS_PORT` for a service
    /// called `nexus`.
    let unknownVariables: [String]
    /// The folder of relative paths.
    let folder: URL
    private let reader: ConfigReader
    private let plainReader: ConfigReader

    /// Opens all origins.
    ///
    /// - Parameter origins: See ``Origins``.
    /// - Throws: ``SettingsError`` for an unknown key outside the environment, and for a file that cannot be read.
    init(_ origins: Origins) async throws {
        folder = origins.folder
        let dotEnv = origins.folder.appending(path: ".env")
        let dotEnvText = try Self.text(of: dotEnv, isRequired: false) ?? ""
        try Self.check(origins, dotEnvNames: Self.variableNames(in: dotEnvText))
        unknownVariables = Self.unknown(origins.environment.keys)
        let named = origins.file ?? origins.environment["NEXUS_CONFIG"]
        let file = URL(filePath: named ?? "nexus.json", relativeTo: origins.folder)
        try Self.checkKeys(ofJSON: file, isRequired: named != nil)

        let flags = Settings.all.reduce(into: [String: String]()) { flags, setting in
            flags[setting.environmentName] = origins.commandLine[setting.name]
        }
        let environment = EnvironmentVariablesProvider(environmentVariables: origins.environment)
        let dotEnvProvider = try await EnvironmentVariablesProvider(
            environmentFilePath: FilePath(dotEnv.path), allowMissing: true)
        let json = try await Self.json(file)
        reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: flags).prefixKeys(with: "nexus"),
            environment.prefixKeys(with: "nexus"), dotEnvProvider.prefixKeys(with: "nexus"), json,
        ])
        plainReader = ConfigReader(providers: [environment, dotEnvProvider])
    }

    private static func json(_ file: URL) async throws -> FileProvider<JSONSnapshot> {
        do {
            return try await FileProvider<JSONSnapshot>(filePath: FilePath(file.path), allowMissing: true)
        } catch {
            throw SettingsError.unreadableFile(path: file.relativePath, reason: "not a file of settings in JSON")
        }
    }

    /// The key in OpenAI's own variable `OPENAI_API_KEY`, of the environment or of `.env`.
    var openAIKey: SecretText? {
        plainReader.string(forKey: "openai.api.key", isSecret: true).flatMap { SecretText($0) }
    }

    /// Returns a setting's value, or its default.
    subscript<Value>(setting: Setting<Value>) -> Value {
        get throws { try setting.read(self, setting) }
    }

    /// Returns a text that may be empty; nil when it is not set.
    func verbatim(_ setting: any AnySetting) throws -> String? {
        try read(setting) { try reader.requiredString(forKey: $0, isSecret: setting.isSecret) }
    }

    /// Returns a text; nil when it is not set or empty.
    func text(_ setting: any AnySetting) throws -> String? {
        guard let text = try verbatim(setting), !text.isEmpty else { return nil }
        if case .choice(let words) = setting.kind, !words.contains(text) { throw invalid(setting) }
        return text
    }

    /// Returns an integer within its range; nil when it is not set.
    func integer(_ setting: any AnySetting) throws -> Int? {
        guard let value = try read(setting, { try reader.requiredInt(forKey: $0) }) else { return nil }
        if case .integer(let range) = setting.kind, !range.contains(value) { throw invalid(setting) }
        return value
    }

    /// Returns a number within its range; nil when it is not set.
    func number(_ setting: any AnySetting) throws -> Double? {
        guard let value = try read(setting, { try reader.requiredDouble(forKey: $0) }) else { return nil }
        if case .number(let range) = setting.kind, !range.contains(value) { throw invalid(setting) }
        return value
    }

    /// Returns a flag; nil when it is not set.
    func flag(_ setting: any AnySetting) throws -> Bool? {
        try read(setting) { try reader.requiredBool(forKey: $0) }
    }

    /// Reads a value; one that is set but cannot be converted is an error.
    private func read<Value>(_ setting: any AnySetting, _ value: (ConfigKey) throws -> Value) throws -> Value? {
        do {
            return try value(ConfigKey(setting.name))
        } catch {
            // A key that is not set has no value of any type.
            let name = ConfigKey(setting.name)
            let isSet =
                reader.string(forKey: name, isSecret: true) != nil || reader.double(forKey: name) != nil
                || reader.int(forKey: name) != nil || reader.bool(forKey: name) != nil
                || reader.stringArray(forKey: name) != nil
            guard isSet else { return nil }
            throw invalid(setting)
        }
    }

    private func invalid(_ setting: any AnySetting) -> SettingsError {
        .invalidValue(key: setting.name, expected: setting.kind.description)
    }
}

extension SettingsSource {
    private static func check(_ origins: Origins, dotEnvNames: [String]) throws {
        let names = Set(Settings.all.map(\.name))
        for key in origins.commandLine.keys.sorted() where !names.contains(key) {
            throw SettingsError.unknownKey(key, origin: "the command line")
        }
        if dotEnvNames.contains(where: { $0.hasPrefix("export ") }) {
            // The reader would skip them silently.
            throw SettingsError.unreadableFile(path: ".env", reason: "lines are NAME=VALUE, without \"export\"")
        }
        if let name = unknown(dotEnvNames).first { throw SettingsError.unknownKey(name, origin: ".env") }
        // A service called nexus-http sets a variable with a setting's name.
        for key in Settings.all where origins.commandLine[key.name] == nil {
            guard case .integer = key.kind, let value = origins.environment[key.environmentName],
                value.contains("://")
            else { continue }
            throw SettingsError.serviceVariable(key.environmentName, key: key.name)
        }
    }

    private static func unknown(_ names: some Sequence<String>) -> [String] {
        let variables = Set(Settings.all.map(\.environmentName)).union(otherVariables)
        return names.filter { $0.hasPrefix("NEXUS_") && !variables.contains($0) }.sorted()
    }

    /// Checks the value of every setting, including those that are not used at present.
    ///
    /// - Throws: ``SettingsError/invalidValue(key:expected:)``.
    func checkValues() throws {
        for setting in Settings.all { _ = try shown(setting) }
    }

    /// Returns the value of a setting as text; a secret as stars, nil if it is not set.
    func shown(_ setting: any AnySetting) throws -> String? {
        switch setting.kind {
        case .text, .choice: try text(setting).map { setting.isSecret ? "********" : $0 }
        case .integer: try integer(setting).map(String.init)
        case .number: try number(setting).map { "\($0)" }
        case .flag: try flag(setting).map { "\($0)" }
        }
    }

    private static func checkKeys(ofJSON file: URL, isRequired: Bool) throws {
        guard let text = try text(of: file, isRequired: isRequired) else { return }
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            throw SettingsError.unreadableFile(path: file.relativePath, reason: "not a JSON object")
        }
        let names = Set(Settings.all.map(\.name))
        for key in leaves(of: object, prefix: "") where !names.contains(key) {
            throw SettingsError.unknownKey(key, origin: file.lastPathComponent)
        }
    }

    private static func leaves(of object: [String: Any], prefix: String) -> [String] {
        object.sorted { $0.key < $1.key }.flatMap { key, value in
            (value as? [String: Any]).map { leaves(of: $0, prefix: "\(prefix)\(key).") } ?? [prefix + key]
        }
    }

    private static func text(of file: URL, isRequired: Bool) throws -> String? {
        guard FileManager.default.fileExists(atPath: file.path) else {
            guard isRequired else { return nil }
            throw SettingsError.unreadableFile(path: file.relativePath, reason: "does not exist")
        }
        guard let data = RegularFile.contents(file.path), let text = String(validating: data, as: UTF8.self) else {
            throw SettingsError.unreadableFile(
                path: file.relativePath, reason: "not readable as UTF-8 text, or not a regular file")
        }
        return text
    }

    private static func variableNames(in dotEnv: String) -> [String] {
        dotEnv.split(whereSeparator: \.isNewline).compactMap { line in
            let line = line.drop(while: \.isWhitespace)
            guard !line.hasPrefix("#"), let end = line.firstIndex(of: "=") else { return nil }
            return line[..<end].split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
    }
}

/// An error of the settings; it never holds a value.
enum SettingsError: Error, Equatable, CustomStringConvertible {
    /// There is no such key.
    case unknownKey(String, origin: String)
    /// A value is of the wrong type or outside its range.
    case invalidValue(key: String, expected: String)
    /// A variable of the environment has the value that Kubernetes gives to a service's port.
    case serviceVariable(String, key: String)
    /// A file that a setting names cannot be used.
    case unusableFile(key: String, path: String, reason: String)
    /// A file of settings is missing or not readable.
    case unreadableFile(path: String, reason: String)
    /// Settings that do not fit together.
    case inconsistent(String)

    var description: String {
        switch self {
        case .unknownKey(let key, let origin): "unknown setting \"\(key)\" in \(origin); see nexus config --keys"
        case .invalidValue(let key, let expected): "setting \"\(key)\": expected \(expected)"
        case .serviceVariable(let name, let key):
            "\(name) in the environment is an address, as Kubernetes sets it for a service of that name; "
                + "give the service another name, set enableServiceLinks: false, or give --set \(key)=…"
        case .unusableFile(let key, let path, let reason): "\(key): \(path) \(reason)"
        case .unreadableFile(let path, let reason): "settings file \(path): \(reason)"
        case .inconsistent(let reason): reason
        }
    }
}

/// Reads settings as commands do, for a test with many inputs.
package enum SettingsProbe {
    /// Whether values of the command line are valid settings.
    package static func reads(_ values: [String: String]) async -> Bool {
        (try? await settings(values)) != nil
    }

    /// Returns settings as Swift describes them: `String(describing:)`, interpolation, `String(reflecting:)`, `dump`.
    ///
    /// - Throws: Errors of the settings.
    package static func descriptions(_ values: [String: String]) async throws -> [String] {
        let settings = try await settings(values)
        var dumped = ""
        dump(settings, to: &dumped)
        return [String(describing: settings), "\(settings)", String(reflecting: settings), dumped]
    }

    private static func settings(_ values: [String: String]) async throws -> NexusSettings {
        let folder = URL(filePath: "/nowhere", directoryHint: .isDirectory)
        return try NexusSettings(try await SettingsSource(.init(commandLine: values, environment: [:], folder: folder)))
    }
}
