import Glibc

/// One JSON object on one line; fields keep the order in which they were added.
struct JSONLine {
    private var fields: [String] = []

    /// Adds a text.
    mutating func add(_ name: String, _ text: String) {
        fields.append("\(Self.quoted(name)):\(Self.quoted(text))")
    }

    /// Adds a whole number.
    mutating func add(_ name: String, _ number: Int) { fields.append("\(Self.quoted(name)):\(number)") }

    /// Adds a finite number, rounded to four decimals.
    mutating func add(_ name: String, _ number: Double) {
        let rounded = (number * 10_000).rounded() / 10_000
        if let whole = Int(exactly: rounded) { return add(name, whole) }
        fields.append("\(Self.quoted(name)):\(rounded)")
    }

    /// Adds an object.
    mutating func add(_ name: String, _ object: JSONLine) { fields.append("\(Self.quoted(name)):\(object.text)") }

    /// The object.
    var text: String { "{" + fields.joined(separator: ",") + "}" }

    /// Writes the line to the standard output at once.
    func write() {
        print(text)
        fflush(nil)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
