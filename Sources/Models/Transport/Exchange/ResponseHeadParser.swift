import Foundation

/// Assembles the head of the final response from the lines that libcurl hands over.
struct ResponseHeadParser {
    /// The effect of a line.
    enum Event {
        /// The head continues, or it is already over (trailers).
        case none
        /// The head is complete.
        case head(ResponseHead)
        /// More bytes than allowed.
        case tooLarge
    }

    private let byteLimit: Int
    private var byteCount = 0
    private var head = ResponseHead(status: 0, headers: [:])
    /// Whether the final head has been handed over.
    private(set) var isComplete = false

    /// Makes a parser that accepts `byteLimit` bytes, interim responses and trailers included.
    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Takes one line with its line end.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> Event {
        byteCount += line.count
        guard byteCount <= byteLimit else { return .tooLarge }
        guard !isComplete else { return .none }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            head = ResponseHead(status: Self.status(of: text), headers: [:])
        } else if text.utf8.allSatisfy({ $0 == 13 || $0 == 10 }) {
            return endOfHead()
        } else {
            receiveField(text)
        }
        return .none
    }

    private mutating func endOfHead() -> Event {
        if (100..<200).contains(head.status) && head.status != 101 { return .none }
        isComplete = true
        return .head(head)
    }

    private mutating func receiveField(_ line: String) {
        if line.hasPrefix(" ") || line.hasPrefix("\t") {
            head.headers.extendLast(with: line.trimmingCharacters(in: .whitespacesAndNewlines))
            return
        }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        head.headers.append(name: String(line[..<colon]), value: value)
    }

    /// The number in "HTTP/1.1 200 OK"; 0 if there is none.
    private static func status(of line: String) -> Int {
        let parts = line.split(whereSeparator: \.isWhitespace)
        return parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }
}
