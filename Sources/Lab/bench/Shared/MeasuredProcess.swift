import Foundation
import Glibc

/// A process that is measured, as `/proc` shows it.
struct MeasuredProcess {
    let id: Int

    /// The memory in use, in bytes.
    func residentByteCount() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = Int(line.filter(\.isNumber))
        else { throw BenchFault("the memory of process \(id) cannot be read") }
        return kilobytes * 1_024
    }

    /// The processor time since its start, in seconds.
    func processorSeconds() throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
        guard let end = text.lastIndex(of: ")") else { throw BenchFault("the times of process \(id) cannot be read") }
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw BenchFault("the times of process \(id) cannot be read")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
