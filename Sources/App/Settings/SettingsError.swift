/// What is wrong with the settings; never holds a value.
enum SettingsError: Error, Equatable, CustomStringConvertible {
    /// There is no such key.
    case unknownKey(String, origin: String)
    /// A value is of the wrong type or outside its range.
    case invalidValue(key: String, expected: String)
    /// A variable of the environment has the value that Kubernetes gives to a service's port.
    case serviceVariable(String, key: String)
    /// A file that a setting names cannot be used.
    case unusableFile(key: String, path: String, reason: String)
    /// A file of settings is not there or not readable.
    case unreadableFile(path: String, reason: String)
    /// Settings that do not go together.
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
