import Foundation
import NexusClient
import Testing

struct EventStreamParserTests {
    private typealias Event = EventStreamParser.Event

    private static let text =
        "\u{FEFF}: a comment\nid: 1\nevent: delta\ndata: grüße 👋\n\n:\n\ndata\r\ndata: a: b\r\n\r\nevent: empty\n\n"
        + "id: \u{0}2\nretry: 5\ndata:x\rdata: y\r\rdata: lost"

    private static let events = [
        Event(name: "delta", data: "grüße 👋", id: "1"), Event(data: "\na: b", id: "1"), Event(data: "x\ny", id: "1"),
    ]

    @Test func readsEventsWhereverTheyAreCut() throws {
        let bytes = Data(Self.text.utf8)
        for size in 1...bytes.count {
            var parser = EventStreamParser()
            var events: [Event] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                events += try parser.read(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(events == Self.events, "pieces of \(size) bytes")
        }
    }

    @Test func refusesAnEventThatIsTooLargeButNotALongStream() throws {
        var parser = EventStreamParser(byteLimit: 20)
        for _ in 0..<100 {
            #expect(try parser.read(Data(":comment comment\ndata: 12345\n\n".utf8)).map(\.data) == ["12345"])
        }
        #expect(throws: ClientTransportError.tooLarge) {
            try parser.read(Data("data: 12345\ndata: 12345\n\n".utf8))
        }
    }
}
