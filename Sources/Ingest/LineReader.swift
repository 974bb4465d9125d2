import Foundation

/// Reads a file line by line, a megabyte at a time, whatever its length.
struct LineReader: ~Copyable {
    /// The longest line, in bytes: a message's text at its limit, with every character escaped, is shorter.
    static let lineByteLimit = 4 << 20
    private static let chunkByteCount = 1 << 20

    /// One line, or the mark of one that was too long to keep.
    enum Line {
        case text(Data)
        case tooLong
    }

    private let handle: FileHandle
    private var buffer = Data()
    private var isAtEnd = false
    private var skipsToLineEnd = false

    /// Opens a file.
    init(_ file: URL) throws {
        handle = try FileHandle(forReadingFrom: file)
    }

    deinit {
        try? handle.close()
    }

    /// Returns the next line without its line end; nil at the end of the file.
    mutating func next() throws -> Line? {
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
        guard let chunk = try handle.read(upToCount: Self.chunkByteCount), !chunk.isEmpty else {
            isAtEnd = true
            return
        }
        if buffer.count > Self.lineByteLimit {
            skipsToLineEnd = true
            buffer = chunk
        } else {
            // A copy from the unread rest on: what was read is let go.
            buffer = Data(buffer) + chunk
        }
    }
}
