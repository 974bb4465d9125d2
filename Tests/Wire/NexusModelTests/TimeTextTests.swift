import Foundation
import NexusModel
import Testing

/// Times and open words: what they are in JSON.
struct TimeTextTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0), ("2026-10-07T10:20:53.123Z", 1_791_368_453_123_000),
        ("2026-10-07T10:20:53.123456Z", 1_791_368_453_123_456), ("1969-12-31T23:59:59.999999Z", -1),
        ("2024-02-29T12:00:00.000Z", 1_709_208_000_000_000), ("0001-01-01T00:00:00.000Z", -62_135_596_800_000_000),
        ("9999-12-31T23:59:59.000Z", 253_402_300_799_000_000),
    ])
    func aTimeIsTheSameTextAgain(text: String, microseconds: Int64) throws {
        let date = try #require(TimeText.date(text))

        #expect(abs(date.timeIntervalSince1970 - Double(microseconds) / 1_000_000) < 0.000_001)
        #expect(TimeText.text(date) == text)
    }

    @Test func noMicrosecondIsLost() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let (second, rest) = (Int64.random(in: 0..<4_000_000_000, using: &generator), Int.random(in: 0..<1_000_000))
            let date = Date(timeIntervalSince1970: Double(second))
            let start = TimeText.text(date).dropLast(4)
            let text = start + (rest % 1_000 == 0 ? "\(1_000 + rest / 1_000)" : "\(1_000_000 + rest)").dropFirst() + "Z"
            #expect(TimeText.date(String(text)).map { TimeText.text($0) } == String(text))
        }
    }

    @Test func foundationReadsAndWritesTheSame() throws {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: 0.0, to: 60_000, by: 17.3) {
            let date = Date(timeIntervalSince1970: (day * 86_400).rounded())
            #expect(TimeText.text(date) == date.formatted(style) && TimeText.date(date.formatted(style)) == date)
        }
    }

    @Test func otherFormsAreRead() {
        let noon = TimeText.date("2026-10-07T12:00:00Z")

        #expect(
            TimeText.date("2026-10-07T14:00:00+02:00") == noon && TimeText.date("2026-10-07T06:30:00.0-05:30") == noon)
        #expect(TimeText.date("2026-10-07T12:00:00.123456789Z") == TimeText.date("2026-10-07T12:00:00.123456Z"))
    }

    @Test(arguments: [
        "", "2026", "2026-10-07", "2026-10-07T12:00:00", "2026-13-07T12:00:00Z", "2026-10-07T24:00:00Z",
        "2026-10-07T12:00:00.Z", "2026-10-07T12:00:00Zx", "2026-10-0７T12:00:00Z", "2026-10-07T12:00:00+0200",
    ])
    func whatIsNoTimeIsNone(text: String) {
        #expect(TimeText.date(text) == nil)
    }

    @Test func extremesAreTexts() {
        #expect(TimeText.text(.distantPast) == "0001-01-01T00:00:00.000Z")
        for value in [Double.infinity, 1e300] {
            #expect(TimeText.text(Date(timeIntervalSinceReferenceDate: value)) == "9999-12-31T23:59:59.999Z")
        }
        for value in [-Double.infinity, .nan, -1e300] {
            #expect(TimeText.text(Date(timeIntervalSinceReferenceDate: value)) == "0001-01-01T00:00:00.000Z")
        }
    }

    @Test func datesAreTextsInJSON() throws {
        let text = """
            {"createdAt":"2026-10-07T10:00:00.000Z","days":[],"id":"s","language":"de",\
            "last":{"at":"2026-10-07T10:00:00.001Z","outcome":"sung"},"time":"09:00","timeZone":"UTC"}
            """
        let schedule: ChatSchedule = try JSON.decode(text)
        let preview: ChatSchedulePreview = try JSON.decode(
            #"{"next":["2026-10-07T10:00:00.000Z"],"runsPerMonth":1}"#)

        #expect(try Self.json(schedule) == text)
        #expect(schedule.next == nil && schedule.last?.outcome == .unknown("sung"))
        #expect(try Self.json(preview) == #"{"next":["2026-10-07T10:00:00.000Z"],"runsPerMonth":1}"#)
    }

    @Test func aTimeOfALaterServerCostsNoMessage() throws {
        let message: ChatMessage = try JSON.decode(
            #"{"id":"m","conversationId":"c","senderId":"u","text":"x","timestamp":"soon","editedAt":"later"}"#)

        #expect(message.timestamp == .distantPast && message.editedAt == nil && message.text == "x")
    }

    @Test func anItemWithoutATimeWritesNull() throws {
        let item = ChatItem(
            id: "i", kind: .actionItem, conversationId: "c", messageId: "m", text: "x", status: .open,
            priority: "urgent", quote: "x", sentAt: Date(timeIntervalSince1970: 0))
        let text = try Self.json(item)

        #expect(text.contains(#""due":null"#) && text.contains(#""deadline":null"#))
        #expect(text.contains(#""sentAt":"1970-01-01T00:00:00.000Z""#) && text.contains(#""priority":"urgent""#))
    }

    @Test func wordsAreCases() throws {
        let words: [ChatConversation.Kind] = try JSON.decode(#"["direct","group","channel"]"#)

        #expect(words == [.direct, .group, .unknown("channel")])
        #expect(try Self.json(words) == #"["direct","group","channel"]"#)
        #expect(words[1] == "group" && "\(words[2])" == "channel" && Set(words).count == 3)
        #expect(ChatMember.Role(rawValue: "admin") == .administrator)
        guard case .unknown("channel") = words[2] else {
            Issue.record("a later word is unknown")
            return
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
