import ChatCore
import Foundation

/// Reads a history in our own JSON lines.
final class JSONLinesHistory: HistoryReader {
    private let file: HistoryFile
    private let decoder = JSONDecoder()
    private var lines: LineReader
    private var lineNumber = 0

    var byteCount: Int { lines.byteCount }

    init(_ file: HistoryFile) throws {
        self.file = file
        lines = LineReader(try file.open())
    }

    func read(into items: inout [HistoryItem]) throws -> Bool {
        for _ in 0..<256 {
            guard let line = try lines.next() else { return false }
            lineNumber += 1
            guard let content = content(of: line) else { continue }
            items.append(HistoryItem(content: content, place: file.place(lineNumber, .line)))
        }
        return true
    }

    /// The item of a line; nil for a blank one.
    private func content(of line: LineReader.Line) -> HistoryItem.Content? {
        guard case .text(let data) = line else {
            return .rejected(reason: "longer than \(LineReader.lineByteLimit) bytes")
        }
        guard !data.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else { return nil }
        guard String(validating: data, as: UTF8.self) != nil else { return .rejected(reason: "not valid UTF-8") }
        do throws(ImportLineError) {
            switch try ImportRecord(line: data, decoder: decoder) {
            case .conversation(let roster): return .roster(roster)
            case .message(let message, let deletedAt): return .message(message, deletedAt: deletedAt)
            }
        } catch {
            return .rejected(reason: error.reason)
        }
    }
}
