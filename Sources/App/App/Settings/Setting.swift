import ChatCore
import Foundation

/// The kind of a setting's values.
package enum SettingKind: Hashable, Sendable {
    case text
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case flag
    case choice([String])

    /// The kind in words, for the settings table and for errors.
    package var description: String {
        switch self {
        case .text: "text"
        case .integer(let range): "integer \(range.lowerBound)...\(range.upperBound)"
        case .number(let range): "number \(range.lowerBound)...\(range.upperBound)"
        case .flag: "true or false"
        case .choice(let words): words.joined(separator: ", ")
        }
    }
}

/// A setting with values of any type, for lists and errors.
package protocol AnySetting: Sendable {
    /// The key, dotted.
    var name: String { get }
    /// The kind of its values.
    var kind: SettingKind { get }
    /// The default as it would be set; nil for none, or if it follows from other settings.
    var defaultValue: String? { get }
    /// The default in words if they say more than the value.
    var defaultWords: String? { get }
    /// Whether its value is never shown.
    var isSecret: Bool { get }
    /// Returns the default in effect if it follows from other settings; nil for ``defaultText``.
    var shownDefault: (@Sendable (NexusSettings) -> String?)? { get }
}

extension AnySetting {
    /// The default for lists; nil for none.
    package var defaultText: String? { defaultWords ?? defaultValue }

    /// The variable of the environment.
    package var environmentName: String {
        "NEXUS_" + name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
    }
}

/// One setting: its name, its kind and its default, from which everything else about it follows.
///
/// A setting `http.port` is the environment's `NEXUS_HTTP_PORT`, the file's `{"http": {"port": …}}` and the command
/// line's `--set http.port=…`. An optional `Value` has no default, or one that follows from other settings.
package struct Setting<Value: Sendable>: AnySetting {
    package let name: String
    package let kind: SettingKind
    package var defaultValue: String?
    package var defaultWords: String?
    package var isSecret = false
    package private(set) var shownDefault: (@Sendable (NexusSettings) -> String?)?
    /// Reads the value, or else gives the default.
    let read: @Sendable (SettingsSource, any AnySetting) throws -> Value

    /// Returns the same setting with a default that follows from other settings.
    func showing(_ text: @escaping @Sendable (NexusSettings) -> String?) -> Self {
        var copy = self
        copy.shownDefault = text
        return copy
    }
}

extension Setting {
    /// Makes a setting whose text is converted; the text of the default too.
    init(
        _ name: String, default value: String, _ words: String? = nil, expected: String,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.init(name: name, kind: .text, defaultValue: value, defaultWords: words) { source, setting in
            guard let value = parse(try source.text(setting) ?? value) else {
                throw SettingsError.invalidValue(key: name, expected: expected)
            }
            return value
        }
    }

    /// Makes a setting whose text is converted; nil if it is not set.
    init<Parsed>(
        _ name: String, _ words: String? = nil, expected: String, parse: @escaping @Sendable (String) -> Parsed?
    ) where Value == Parsed? {
        self.init(name: name, kind: .text, defaultWords: words) { source, setting in
            try source.text(setting).map { given in
                guard let value = parse(given) else {
                    throw SettingsError.invalidValue(key: name, expected: expected)
                }
                return value
            }
        }
    }
}

extension Setting where Value == Int {
    /// The default has `words` if it is not the same everywhere.
    init(
        _ name: String, in range: ClosedRange<Int>,
        default value: @escaping @autoclosure @Sendable () -> Int, _ words: String? = nil
    ) {
        self.init(name: name, kind: .integer(range), defaultValue: "\(value())", defaultWords: words) {
            try $0.integer($1) ?? value()
        }
    }

    /// Makes a setting for a number of bytes, whose default is also shown in MiB or GiB.
    init(_ name: String, bytes range: ClosedRange<Int>, default value: Int) {
        let short = value.isMultiple(of: 1 << 30) ? "\(value >> 30) GiB" : "\(value >> 20) MiB"
        self.init(name, in: range, default: value, "\(value) (\(short))")
    }
}

extension Setting where Value == Int? {
    init(_ name: String, in range: ClosedRange<Int>, _ words: String? = nil) {
        self.init(name: name, kind: .integer(range), defaultWords: words) { try $0.integer($1) }
    }
}

extension Setting where Value == Double {
    init(_ name: String, in range: ClosedRange<Double>, default value: Double) {
        self.init(name: name, kind: .number(range), defaultValue: String(format: "%g", value)) {
            try $0.number($1) ?? value
        }
    }
}

extension Setting where Value == Double? {
    init(_ name: String, in range: ClosedRange<Double>, _ words: String? = nil) {
        self.init(name: name, kind: .number(range), defaultWords: words) { try $0.number($1) }
    }
}

extension Setting where Value == Bool {
    init(_ name: String, default value: Bool) {
        self.init(name: name, kind: .flag, defaultValue: "\(value)") { try $0.flag($1) ?? value }
    }
}

extension Setting where Value == String {
    /// The `choices` are the only values; nil allows any text.
    init(_ name: String, of choices: [String]? = nil, default value: String) {
        self.init(name: name, kind: choices.map { .choice($0) } ?? .text, defaultValue: value) {
            try $0.text($1) ?? value
        }
    }
}

extension Setting where Value == String? {
    /// The `choices` are the only values; nil allows any text.
    init(_ name: String, of choices: [String]? = nil, _ words: String? = nil, isSecret: Bool = false) {
        self.init(name: name, kind: choices.map { .choice($0) } ?? .text, defaultWords: words, isSecret: isSecret) {
            try $0.text($1)
        }
    }

    /// Makes a setting that an empty text does not turn off.
    init(verbatim name: String, _ words: String) {
        self.init(name: name, kind: .text, defaultWords: words) { try $0.verbatim($1) }
    }
}

extension Setting where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// Makes a setting whose values are the cases.
    init(_ name: String, default value: Value) {
        self.init(name: name, kind: .choice(Value.allCases.map(\.rawValue)), defaultValue: value.rawValue) {
            try $0.text($1).flatMap { Value(rawValue: $0) } ?? value
        }
    }
}

extension Setting where Value == URL {
    /// Makes a setting for a path.
    init(_ name: String, default path: String) {
        self.init(name: name, kind: .text, defaultValue: path) { $0.file(try $0.text($1) ?? path) }
    }
}

extension Setting where Value == URL? {
    init(_ name: String, _ words: String? = nil) {
        self.init(name: name, kind: .text, defaultWords: words) { try $0.text($1).map($0.file) }
    }
}

/// A secret with two settings: the text, and a file with it.
struct SecretSetting: Sendable {
    let text: Setting<String?>
    let file: Setting<String?>

    /// The `other` secret is used if this one is not set.
    init(
        _ name: String, or other: SecretSetting? = nil,
        showing shown: @escaping @Sendable (NexusSettings) -> SecretText? = { _ in nil }
    ) {
        text = Setting(name, other?.text.name, isSecret: true).showing { shown($0)?.description }
        file = Setting("\(name)-file", other?.file.name).showing { _ in nil }
    }
}

extension String {
    /// Returns the parts between commas; nil if one cannot be used.
    func commaSeparated<Part>(_ part: (String) -> Part?) -> [Part]? {
        let texts = split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let parts = texts.compactMap(part)
        return parts.count == texts.count ? parts : nil
    }
}
