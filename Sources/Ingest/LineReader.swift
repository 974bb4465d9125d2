package import Foundation

/// Reads text line by line, whatever its length.
package struct LineReader {
    /// The longest line, in bytes: a message's text at its limit, with every character escaped, is shorter.
    package static let lineByteLimit = 4 << 20

    /// One line, or the mark of one that was too long to keep.
    package enum Line {
        case text(Data)
        case tooLong
    }

    private var source: any ByteSource
    private var buffer = Data()
    private var isAtEnd = false
    private var skipsToLineEnd = false
    /// The bytes that were read so far.
    package private(set) var byteCount = 0

    /// Reads from a source.
    package init(_ source: any ByteSource) {
        self.source = source
    }

    /// Returns the next line without its line end; nil at the end.
    package mutating func next() throws -> Line? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = buffer[buffer.startIndex..<end]
                buffer = buffer[(end + 1)...]
                return finished(line)
            }
            if isAtEnd {
                guard !buffer.isEmpty || skipsToLineEnd else { return nil }
                defer { buffer = Data() }
                return finished(buffer)
            }
            try read()
        }
    }

    private mutating func finished(_ line: Data) -> Line {
        defer { skipsToLineEnd = false }
        if skipsToLineEnd || line.count > Self.lineByteLimit { return .tooLong }
        return .text(line.last == 0x0D ? line.dropLast() : line)
    }

    private mutating func read() throws {
        guard let chunk = try source.read() else {
            isAtEnd = true
            return
        }
        byteCount += chunk.count
        if buffer.count > Self.lineByteLimit {
            skipsToLineEnd = true
            buffer = Data(chunk)
        } else {
            // A copy from the unread rest on: what was read is let go.
            buffer = Data(buffer) + chunk
        }
    }
}
