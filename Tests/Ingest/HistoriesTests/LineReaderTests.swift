import Foundation
import Histories
import Testing

@Suite struct LineReaderTests {
    /// The lines; nil for one that is too long.
    private static func lines(_ source: any ByteSource) throws -> [String?] {
        var reader = LineReader(source)
        var lines: [String?] = []
        while let line = try reader.next() {
            switch line {
            case .text(let data): lines.append(String(decoding: data, as: UTF8.self))
            case .tooLong: lines.append(nil)
            }
        }
        return lines
    }

    @Test(arguments: [1, 2, 3, 5, 1_000]) func linesDoNotDependOnThePieces(length: Int) throws {
        let text = "one\r\n\ntwo ☕\r\r\n\r\nlast"

        #expect(try Self.lines(PieceSource(text, piecesOf: length)) == ["one", "", "two ☕\r", "", "last"])
        #expect(try Self.lines(PieceSource(text + "\n", piecesOf: length)) == ["one", "", "two ☕\r", "", "last"])
        #expect(try Self.lines(PieceSource("", piecesOf: length)) == [])
        #expect(try Self.lines(PieceSource("\n", piecesOf: length)) == [""])
    }

    @Test(arguments: [100_000, 10_000_000]) func aLineBeyondTheLimitIsTold(length: Int) throws {
        let longest = String(repeating: "x", count: LineReader.lineByteLimit)
        let text = "\(longest)\n\(longest)y\nshort\n\(longest)z"

        let lines = try Self.lines(PieceSource(text, piecesOf: length))

        #expect(lines.count == 4)
        #expect(lines[0] == longest)
        #expect(lines[1] == nil)
        #expect(lines[2] == "short")
        #expect(lines[3] == nil)
    }

    @Test func bytesAreCounted() throws {
        var reader = LineReader(PieceSource("one\ntwo\n", piecesOf: 5))

        _ = try reader.next()
        #expect(reader.byteCount == 5)
        _ = try reader.next()
        #expect(reader.byteCount == 8)
    }
}
