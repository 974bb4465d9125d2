import Glibc

/// The machine that a figure was measured on.
enum Machine {
    /// The processor's name as the kernel tells it, "unknown" where it does not.
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

    /// Processors that may be used.
    static var processorCount: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }
}
