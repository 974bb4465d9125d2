import ArgumentParser
import Foundation

/// `nexus config`.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Prints the settings in effect, with secrets masked.")

    @OptionGroup var common: CommonOptions
    @Flag(help: "Print every key with its kind and default instead.") var keys = false
    @Flag(help: "Print the settings as JSON.") var json = false

    func run() async throws {
        try await Failures.reported {
            if keys { return Self.printKeys() }
            let folder = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
            let source = try await common.source([:], folder: folder)
            let settings = try NexusSettings(source)
            if let warning = settings.unknownVariablesWarning { Console.note("nexus: \(warning)") }
            let values = try Settings.all.map { setting in
                (setting, try source.shown(setting) ?? settings.shownDefault(of: setting))
            }
            if json {
                try Console.printJSON(
                    values.reduce(into: [String: String?]()) { $0.updateValue($1.1, forKey: $1.0.name) })
            } else {
                for (key, value) in values { Console.print("\(key.name) = \(value ?? "")") }
            }
        }
    }

    private static func printKeys() {
        for key in Settings.all {
            let secret = key.isSecret ? ", secret" : ""
            Console.print(
                "\(key.name)  \(key.environmentName)  \(key.kind.description)\(secret)  "
                    + "default: \(key.defaultText ?? "none")")
        }
    }
}

extension NexusSettings {
    /// Returns the default in effect of a setting; nil if there is none.
    fileprivate func shownDefault(of setting: any AnySetting) -> String? {
        if let shown = setting.shownDefault { shown(self) } else { setting.defaultText }
    }
}
