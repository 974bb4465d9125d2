import ArgumentParser
import ChatCore
import Foundation
import ModelClients
import SentenceEncoder

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
            let settings = try NexusSettings(source, folder: folder)
            if let warning = settings.unknownVariablesWarning { Console.note("nexus: \(warning)") }
            let values = try SettingKey.all.map { ($0, try source.shown($0) ?? settings.shownDefault(of: $0)) }
            if json {
                try Console.printJSON(
                    Dictionary(uniqueKeysWithValues: values.map { key, value in (key.name, value) }))
            } else {
                for (key, value) in values { Console.print("\(key.name) = \(value ?? "")") }
            }
        }
    }

    private static func printKeys() {
        for key in SettingKey.all {
            let secret = key.isSecret ? ", secret" : ""
            Console.print(
                "\(key.name)  \(key.environmentName)  \(key.kind.description)\(secret)  "
                    + "default: \(key.defaultText ?? "none")")
        }
    }
}

extension SettingsSource {
    /// Returns the value of a setting as text; a secret as stars, nil if it is not set.
    fileprivate func shown(_ key: SettingKey) throws -> String? {
        switch key.kind {
        case .text, .choice: try text(key).map { key.isSecret ? "********" : $0 }
        case .integer: try integer(key).map(String.init)
        case .number: try number(key).map { "\($0)" }
        case .flag: try flag(key).map { "\($0)" }
        }
    }
}

extension NexusSettings {
    /// Returns the effective default of a setting that is not set; nil if there is none.
    fileprivate func shownDefault(of key: SettingKey) -> String? {
        switch key {
        case .dataFolder: dataFolder.path
        case .embeddingProvider: embedding.service?.provider ?? "builtin"
        case .embeddingBaseURL: embedding.service?.baseURL
        case .embeddingKey: embedding.service?.key?.description
        case .embeddingModel: embedding.service?.model ?? BuiltInEmbedder.model
        case .embeddingDimensions: embedding.dimensions.map(String.init)
        case .queryPrefix: embedding.queryPrefix
        case .passagePrefix: embedding.passagePrefix
        case .encoderThreads: String(encoderThreadCount)
        case .chatProvider: chat?.service.provider ?? "extractive"
        case .chatBaseURL: chat?.service.baseURL
        case .chatKey: chat?.service.key?.description
        case .chatModel: chat?.service.model
        case .firstTokenSeconds: chat.map { String($0.limits.firstToken.components.seconds) }
        case .tokenGapSeconds: chat.map { String($0.limits.betweenTokens.components.seconds) }
        case .answerSeconds: chat.map { String($0.limits.answer.components.seconds) }
        case .embeddingTimeout: embedding.service.map { _ in String(embedding.timeLimit.components.seconds) }
        case .modelFolder: encoderFolder.deletingLastPathComponent().path
        case .baseURL, .apiKey, .apiKeyFile, .embeddingKeyFile, .chatKeyFile, .promptsFolder, .defaultUser: nil
        case .authMode: authentication == nil ? "none" : "required"
        default: key.defaultText
        }
    }
}
