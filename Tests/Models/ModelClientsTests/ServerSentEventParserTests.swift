import Foundation
import ModelClients
import Testing

@Suite("ServerSentEventParser")
struct ServerSentEventParserTests {
    /// Returns the events of `text`, handed over in pieces of `size` bytes.
    private func events(_ text: String, size: Int = .max) -> [ServerSentEvent] {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: min(size, max(1, bytes.count))) {
            events += parser.receive(bytes[start..<min(start + min(size, bytes.count), bytes.count)])
        }
        return events + (parser.finish().map { [$0] } ?? [])
    }

    @Test(arguments: [
        ("data: a\n\ndata: b\n\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("data: a\r\rdata: b\r\r", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
        ("data: a\r\ndata: b\r\n\r\n", [ServerSentEvent(data: "a\nb")]),
        ("data: a\ndata: b\n\n", [ServerSentEvent(data: "a\nb")]),
        ("data:a\n\ndata:  b\n\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: " b")]),
        (": ping\n\ndata: a\n: ping\n\n: ping\n\n", [ServerSentEvent(data: "a")]),
        ("event: error\nid: 7\nretry: 10\nnew: x\ndata: a\n\n", [ServerSentEvent(kind: "error", data: "a")]),
        ("event: ping\n\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("data\n\ndata:\n\n", [ServerSentEvent(data: ""), ServerSentEvent(data: "")]),
        ("data: {\"a\":\"b: c\"}\n\n", [ServerSentEvent(data: "{\"a\":\"b: c\"}")]),
        ("\u{FEFF}data: a\n\n", [ServerSentEvent(data: "a")]),
        ("data: grüße 漢 🙂\n\n", [ServerSentEvent(data: "grüße 漢 🙂")]),
        ("data: a\n", [ServerSentEvent(data: "a")]),
        ("data: a\n\ndata: cut", [ServerSentEvent(data: "a")]),
        ("\n\n\n", []),
        ("", []),
    ])
    func findsEventsInWhateverPieces(text: String, expected: [ServerSentEvent]) {
        for size in [1, 2, 3, 5, 7, .max] { #expect(events(text, size: size) == expected) }
    }
}
