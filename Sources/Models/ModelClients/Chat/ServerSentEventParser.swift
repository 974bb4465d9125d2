import Foundation

/// One event of an event stream.
package struct ServerSentEvent: Equatable, Sendable {
    /// The `event` field; empty when there was none.
    package var kind = ""
    /// The `data` fields, joined by line feeds.
    package var data = ""

    package init(kind: String = "", data: String = "") {
        self.kind = kind
        self.data = data
    }
}

/// Parses an event stream that arrives in any pieces (WHATWG HTML, section 9.2.6).
///
/// Comments, `id`, `retry` and unknown fields are dropped, as are events without data. Lines end with LF, CR or CRLF.
package struct ServerSentEventParser: Sendable {
    private var line: [UInt8] = []
    private var event = ServerSentEvent()
    private var hasData = false
    private var followsCarriageReturn = false
    private var isFirstLine = true

    package init() {}

    /// Takes the next bytes and returns the events that they complete.
    package mutating func receive(_ bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        for byte in bytes {
            let endsPair = followsCarriageReturn && byte == 0x0A
            followsCarriageReturn = byte == 0x0D
            if endsPair { continue }
            if byte == 0x0A || byte == 0x0D {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
            }
        }
        return events
    }

    /// Returns the event that was begun, when the stream has ended; an unfinished line does not belong to it.
    package mutating func finish() -> ServerSentEvent? {
        line = []
        return dispatch()
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine && line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        isFirstLine = false
        if line.isEmpty { return dispatch() }
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var value = line.dropFirst(name.count + 1)
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        receiveField(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        return nil
    }

    private mutating func receiveField(_ name: String, _ value: String) {
        switch name {
        case "data":
            event.data += hasData ? "\n" + value : value
            hasData = true
        case "event": event.kind = value
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer { (event, hasData) = (ServerSentEvent(), false) }
        return hasData ? event : nil
    }
}
