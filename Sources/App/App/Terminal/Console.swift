import Foundation
import Glibc

/// The output of a command: data to standard output, everything else to standard error.
enum Console {
    /// Whether standard error is a terminal, so that a line can be overwritten.
    static var isInteractive: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line to standard output.
    static func print(_ line: String) {
        write(line + "\n", to: STDOUT_FILENO)
    }

    /// Writes lines to standard output.
    static func print(_ lines: [String]) {
        for line in lines { print(line) }
    }

    /// Writes a line to standard error.
    static func note(_ line: String) {
        write(line + "\n", to: STDERR_FILENO)
    }

    /// Writes a value as one line of JSON to standard output.
    static func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes bytes without a buffer, so that nothing is lost at an exit.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// Returns a text of other people without characters that a terminal could take for commands.
    static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isControl = scalar.value < 0x20 && scalar != "\n" && scalar != "\t"
                    return isControl || (0x7F...0x9F).contains(scalar.value) ? "\u{FFFD}" : scalar
                }))
    }

    /// Returns a foreign text without characters that a terminal takes for commands; further lines are indented, so that
    /// nobody takes them for other messages.
    static func line(_ text: String) -> String {
        let scalars = printable(text).unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.value {
            // Direction marks and separators of lines.
            case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: "\u{FFFD}"
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars)).split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: "\n    ")
    }
}
