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
