import ChatCore
import Foundation

/// Secrets, and files that settings name.
extension SettingsSource {
    /// Returns a secret: the text, or else the file.
    subscript(setting: SecretSetting) -> SecretText? {
        get throws {
            if let text = try self[setting.text] { return SecretText(text) }
            return try self[setting.file].map { try secret(in: $0, of: setting.file) }
        }
    }

    /// Returns the key of a service: its own, the common one, or OpenAI's own variable for OpenAI.
    func serviceKey(_ setting: SecretSetting, provider: String) throws -> SecretText? {
        for setting in [setting, Settings.apiKey] {
            if let text = try self[setting.text] { return SecretText(text) }
            if let path = try self[setting.file] { return try secret(in: path, of: setting.file) }
        }
        guard provider == "openai" else { return nil }
        guard let openAIKey else {
            throw SettingsError.inconsistent("the provider openai needs a key: OPENAI_API_KEY, api-key or api-key-file")
        }
        return openAIKey
    }

    /// Returns the place of a path, which may begin with `~`.
    func file(_ path: String) -> URL {
        let isInHome = path == "~" || path.hasPrefix("~/")
        let path = isInHome ? NSString(string: path).expandingTildeInPath : path
        return URL(filePath: path, relativeTo: folder).absoluteURL
    }

    /// Reads a file that is not secret.
    func document(_ path: String, of setting: Setting<String?>) throws -> Data {
        let full = URL(filePath: path, relativeTo: folder).path
        guard let data = RegularFile.contents(full) else {
            throw SettingsError.unusableFile(key: setting.name, path: path, reason: FileTrouble.reading(full))
        }
        return data
    }

    /// Reads a file with a secret.
    func secret(in path: String, of setting: Setting<String?>) throws -> SecretText {
        let full = URL(filePath: path, relativeTo: folder).path
        do {
            return try SecretText(contentsOf: full)
        } catch {
            throw SettingsError.unusableFile(
                key: setting.name, path: path, reason: FileTrouble.ofReading(full) ?? "is empty or not a text")
        }
    }
}
