import ChatCore
import Foundation
import Glibc

/// Finds keys of services: a value, a file, or OpenAI's own variable for OpenAI.
struct KeyReader {
    let source: SettingsSource
    let folder: URL
    let openAIKey: SecretText?

    func key(_ value: SettingKey, file: SettingKey, provider: String) throws -> SecretText? {
        let pairs: [(SettingKey, SettingKey)] = [(value, file), (.apiKey, .apiKeyFile)]
        for (value, file) in pairs {
            if let text = try source.text(value) { return SecretText(text) }
            if let path = try source.text(file) { return try read(path, key: file) }
        }
        guard provider == "openai" else { return nil }
        guard let openAIKey else {
            throw SettingsError.inconsistent("the provider openai needs a key: OPENAI_API_KEY, api-key or api-key-file")
        }
        return openAIKey
    }

    /// Returns a key that has no default.
    func own(_ value: SettingKey, file: SettingKey) throws -> SecretText? {
        if let text = try source.text(value) { return SecretText(text) }
        return try source.text(file).map { try read($0, key: file) }
    }

    /// Reads a file that is not secret.
    func document(_ path: String, key: SettingKey) throws -> Data {
        let full = URL(filePath: path, relativeTo: folder).path
        guard let data = RegularFile.contents(full) else {
            throw SettingsError.unusableFile(key: key.name, path: path, reason: FileTrouble.reading(full))
        }
        return data
    }

    func read(_ path: String, key: SettingKey) throws -> SecretText {
        do {
            return try SecretText(contentsOf: URL(filePath: path, relativeTo: folder).path)
        } catch {
            let full = URL(filePath: path, relativeTo: folder).path
            throw SettingsError.unusableFile(
                key: key.name, path: path, reason: FileTrouble.ofReading(full) ?? "is empty or not a text")
        }
    }
}

/// The reason why a path cannot be used, in words that follow the path.
enum FileTrouble {
    /// The reason why a file cannot be read; `cannot be read` if it is unknown.
    static func reading(_ path: String) -> String { ofReading(path) ?? "cannot be read" }

    /// The reason why a file cannot be read; nil if it can.
    static func ofReading(_ path: String) -> String? {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return "is a folder"
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        return words(for: errno)
    }

    /// An error of the system in words that follow a path.
    static func words(for code: Int32) -> String {
        switch code {
        case ENOENT: "does not exist"
        case ENOTDIR: "does not exist: a part of the path is not a folder"
        case EACCES, EPERM: "may not be used by this user; check its owner and mode, and those of its folders"
        case ENOSPC, EDQUOT: "cannot be written: the disk is full"
        case EROFS: "cannot be written: the disk is read-only"
        case EISDIR: "is a folder"
        default: "cannot be used: \(String(cString: strerror(code)))"
        }
    }
}
