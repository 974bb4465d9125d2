import Glibc

/// The lines of one run: printed at once, and kept for the JSON document.
struct BenchReport {
    private var lines: [JSONLine] = []

    /// Prints and keeps a line.
    mutating func add(_ line: JSONLine) {
        line.write()
        lines.append(line)
    }

    /// Writes all lines as one JSON array.
    func write(to path: String) throws {
        guard let file = fopen(path, "w") else { throw DataFileError(path: path, reason: "cannot be written") }
        defer { fclose(file) }
        fputs("[\n" + lines.map(\.text).joined(separator: ",\n") + "\n]\n", file)
    }
}

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
        fields.append("\(Self.quoted(name)):\((number * 10_000).rounded() / 10_000)")
    }

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

/// The measuring machine.
enum Machine {
    /// The processor's name from the kernel; "unknown" if it gives none.
    static var processor: String {
        guard let file = fopen("/proc/cpuinfo", "r") else { return "unknown" }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 4096)
        while fgets(&buffer, Int32(buffer.count), file) != nil {
            let end = buffer.firstIndex(of: 0) ?? buffer.count
            let line = String(decoding: buffer[..<end].map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard line.hasPrefix("model name"), let colon = line.firstIndex(of: ":") else { continue }
            return String(line[colon...].dropFirst().drop(while: \.isWhitespace).prefix { !$0.isNewline })
        }
        return "unknown"
    }

    /// The number of available processors.
    static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
