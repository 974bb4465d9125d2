import Glibc
import VectorIndex

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
        guard let file = fopen(path, "w") else { throw BenchFault("\(path): cannot be written") }
        defer { fclose(file) }
        fputs("[\n" + lines.map(\.text).joined(separator: ",\n") + "\n]\n", file)
    }
}

/// The measuring machine.
enum Machine {
    /// The first line of a run: what it measures, and on which machine.
    static func line(_ kind: String, _ name: String, threadCount: Int) -> JSONLine {
        var line = JSONLine()
        line.add("bench", "bench index")
        line.add(kind, name)
        line.add("machine", processor)
        line.add("processors", processorCount)
        line.add("blas", MatrixProducts.libraryDescription ?? "unknown, perhaps the slow reference BLAS")
        line.add("threads", threadCount)
        return line
    }

    /// The processor's name from the kernel; "unknown" if it gives none.
    private static var processor: String {
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
    private static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
