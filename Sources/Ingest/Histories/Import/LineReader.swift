package import Foundation
import Glibc

/// Reads text line by line; lines may have any length.
package struct LineReader {
    /// The longest line, in bytes: a message's text at its limit, with every character escaped, is shorter.
    package static let lineByteLimit = 4 << 20

    /// One line, or the mark of one that was too long.
    package enum Line {
        case text(Data)
        case tooLong
    }

    private var source: any ByteSource
    private var piece: [UInt8] = []
    /// The first byte of `piece` that was not returned.
    private var position = 0
    /// The beginning of a line that continues in the next piece.
    private var begun = Data()
    private var isTooLong = false
    /// The bytes that were read so far.
    package private(set) var byteCount = 0

    /// Reads from a source.
    package init(_ source: any ByteSource) {
        self.source = source
    }

    /// Returns the next line without its line end; nil at the end.
    package mutating func next() throws -> Line? {
        while true {
            if let end = lineEnd() {
                defer { position = end + 1 }
                return line(endingWith: piece[position..<end])
            }
            begin(piece[position...])
            position = 0
            piece = []
            guard let next = try source.read() else {
                return begun.isEmpty && !isTooLong ? nil : line(endingWith: [])
            }
            byteCount += next.count
            piece = next
        }
    }

    private func lineEnd() -> Int? {
        piece.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, position < bytes.count else { return nil }
            return memchr(start + position, 0x0A, bytes.count - position).map { UnsafeRawPointer($0) - start }
        }
    }

    /// Stores the beginning of an unfinished line; of one that is too long, nothing.
    private mutating func begin(_ bytes: ArraySlice<UInt8>) {
        isTooLong = isTooLong || begun.count + bytes.count > Self.lineByteLimit
        if isTooLong { begun = Data() } else { begun.append(contentsOf: bytes) }
    }

    private mutating func line(endingWith bytes: ArraySlice<UInt8>) -> Line {
        begin(bytes)
        defer {
            begun = Data()
            isTooLong = false
        }
        if isTooLong { return .tooLong }
        return .text(begun.last == 0x0D ? begun.dropLast() : begun)
    }
}
