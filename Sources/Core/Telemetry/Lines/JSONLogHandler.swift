package import Foundation
package import Logging

/// Writes each log message as one line of JSON: `time`, `level`, `message`, then the sorted metadata as fields of the
/// same object.
///
/// Of an attached error only the type is written because its text may contain anything.
package struct JSONLogHandler: LogHandler {
    private static let ownNames: Set = ["time", "level", "message", "error.type"]

    /// The lowest level that is written.
    package var logLevel = Logger.Level.info
    /// The metadata of every message.
    package var metadata: Logger.Metadata = [:]
    /// Provides the metadata of the present request.
    package var metadataProvider: Logger.MetadataProvider?
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// - Parameters:
    ///   - metadataProvider: Provides the metadata of the present request.
    ///   - now: The present time.
    ///   - write: Receives a line with its end.
    package init(
        metadataProvider: Logger.MetadataProvider?, now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.metadataProvider = metadataProvider
        self.now = now
        self.write = write
    }

    /// A value of the metadata.
    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Writes a message; the message's own metadata takes precedence over the metadata of logger and provider.
    package func log(event: LogEvent) {
        var all = metadataProvider?.get() ?? [:]
        all.merge(metadata) { $1 }
        all.merge(event.metadata ?? [:]) { $1 }
        var line = JSONLine()
        line.add("time", now().formatted(Self.time))
        line.add("level", event.level.rawValue)
        line.add("message", "\(event.message)")
        if let error = event.error { line.add("error.type", "\(type(of: error))") }
        for (name, value) in all.sorted(by: { $0.key < $1.key }) {
            line.add(Self.ownNames.contains(name) ? "metadata.\(name)" : name, json: Self.json(value, of: name))
        }
        write(line.finished)
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func json(_ value: Logger.Metadata.Value, of name: String) -> String {
        switch value {
        case .string(let text): scalar(text, of: name)
        case .stringConvertible(let value): scalar("\(value)", of: name)
        case .array(let values): "[\(values.map { json($0, of: name) }.joined(separator: ","))]"
        case .dictionary(let fields): JSONLine.object(fields.map { ($0.key, json($0.value, of: $0.key)) })
        }
    }

    /// Whole numbers are written as numbers, except for ids, which may consist of digits by chance.
    private static func scalar(_ text: String, of name: String) -> String {
        let isID = name == "id" || name.hasSuffix(".id")
        return !isID && Int64(text).map(String.init) == text ? text : JSONLine.quoted(text)
    }
}

/// One JSON object on one line, field by field in the order in which they are added.
struct JSONLine {
    private var text = "{"

    /// The object with its line end.
    var finished: String { text + "}\n" }

    /// Adds a string.
    mutating func add(_ name: String, _ value: String) { add(name, json: Self.quoted(value)) }

    /// Adds a whole number.
    mutating func add(_ name: String, _ value: UInt64) { add(name, json: String(value)) }

    /// Adds a value that is JSON already.
    mutating func add(_ name: String, json: String) {
        if text.utf8.count > 1 { text += "," }
        text += "\(Self.quoted(name)):\(json)"
    }

    /// Returns an object of fields that are JSON already, by name.
    static func object(_ fields: [(name: String, json: String)]) -> String {
        "{" + fields.sorted { $0.name < $1.name }.map { "\(quoted($0.name)):\($0.json)" }.joined(separator: ",") + "}"
    }

    /// Returns a string as JSON; line separators are escaped too, so that a line stays one.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
