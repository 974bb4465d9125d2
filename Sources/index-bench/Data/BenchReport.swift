import Glibc

/// The lines of one run: printed as they come, kept for the document.
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
