public import Foundation

/// Reads server-sent events (HTML Standard, section 9.2) from the pieces of a body, wherever they are cut.
public struct EventStreamParser: Sendable {
    /// One event.
    public struct Event: Hashable, Sendable {
        /// Its name; `message` if the server gives none.
        public var name: String
        /// Its data; lines are joined by line feeds.
        public var data: String
        /// The last id that the server sent, for `Last-Event-ID`.
        public var id: String?

        public init(name: String = "message", data: String, id: String? = nil) {
            self.name = name
            self.data = data
            self.id = id
        }
    }

    private let byteLimit: Int
    /// The line that is not complete.
    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var isAtStart = true
    private var name = ""
    private var data: [String] = []
    private var byteCount = 0
    private var id: String?

    /// - Parameter byteLimit: The most bytes of one event.
    public init(byteLimit: Int = 16 * 1024 * 1024) {
        self.byteLimit = byteLimit
    }

    /// Reads a piece and returns the events that it completes.
    ///
    /// - Parameter piece: Any number of bytes.
    /// - Returns: The events in their order.
    /// - Throws: ``ClientTransportError/tooLarge``.
    public mutating func read(_ piece: Data) throws(ClientTransportError) -> [Event] {
        var events: [Event] = []
        for byte in piece {
            let followsReturn = endsWithReturn
            endsWithReturn = byte == 0x0D
            switch byte {
            case 0x0A where followsReturn: continue
            case 0x0A, 0x0D:
                if let event = endLine() { events.append(event) }
            default:
                line.append(byte)
                byteCount += 1
                guard byteCount <= byteLimit else { throw .tooLarge }
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        let lineLength = line.count
        var text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if isAtStart, text.first == "\u{FEFF}" { text.removeFirst() }
        isAtStart = false
        guard !text.isEmpty else { return endEvent() }
        // A comment is not kept, so it does not count.
        guard !text.hasPrefix(":") else {
            byteCount -= lineLength
            return nil
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = parts.count == 2 ? parts[1] : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch parts[0] {
        case "event": name = String(value)
        case "data": data.append(String(value))
        case "id" where !value.contains("\0"): id = String(value)
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Event? {
        defer {
            name = ""
            data = []
            byteCount = 0
        }
        guard !data.isEmpty else { return nil }
        return Event(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"), id: id)
    }
}
