/// What is wrong with the settings; never holds a value.
enum SettingsError: Error, Equatable, CustomStringConvertible {
    /// There is no such key.
    case unknownKey(String, origin: String)
    /// A value is of the wrong type or outside its range.
    case invalidValue(key: String, expected: String)
    /// A file of settings is not there or not readable.
    case unreadableFile(path: String, reason: String)
    /// Settings that do not go together.
    case inconsistent(String)

    var description: String {
        switch self {
        case .unknownKey(let key, let origin): "unknown setting \"\(key)\" in \(origin); see nexus config --keys"
        case .invalidValue(let key, let expected): "setting \"\(key)\": expected \(expected)"
        case .unreadableFile(let path, let reason): "settings file \(path): \(reason)"
        case .inconsistent(let reason): reason
        }
    }
}
