import ChatCore
import Foundation
import HTTPAPI
import TestSupport
import Testing

/// Frames that are put together from texts that are kept.
@Suite struct FrameMemoryTests {
    private static func cursor(_ position: Int64) -> ChangeCursor {
        ChangeCursor(epoch: 7, positions: [ChangeNumber(rawValue: position)])
    }

    private static func page(_ texts: String..., end: Int64) -> FeedPage {
        FeedPage(
            changes: texts.map { text in
                .message(.short("c", "m1", text), MessagePosition(seq: 1, arrival: nil), [])
            }, end: cursor(end))
    }

    private static func fields(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func equalChangesGetFramesOfTheirOwnReaders() throws {
        let memory = FrameMemory()

        let first = try memory.text(of: Self.page("one \"quoted\"", end: 9), after: Self.cursor(4), links: nil)
        let second = try memory.text(of: Self.page("one \"quoted\"", end: 9), after: Self.cursor(6), links: nil)
        let other = try memory.text(of: Self.page("two", end: 9), after: Self.cursor(6), links: nil)

        #expect(second == first.replacing("\"prev\":4", with: "\"prev\":6"))
        for (text, start, words) in [(first, 4, "one \"quoted\""), (second, 6, "one \"quoted\""), (other, 6, "two")] {
            let frame = try Self.fields(text)
            #expect(frame["v"] as? Int == 1 && frame["lane"] as? Int == 0)
            #expect(frame["prev"] as? Int == start && frame["pos"] as? Int == 9)
            #expect(frame["cursor"] as? String == "\(Self.cursor(9))")
            let changes = try #require(frame["changes"] as? [[String: Any]])
            #expect(changes.count == 1 && changes[0]["type"] as? String == "message")
            #expect((changes[0]["message"] as? [String: Any])?["text"] as? String == words)
        }
    }

    @Test func aFrameOfManyKindsIsWhole() throws {
        let memory = FrameMemory()
        var page = Self.page("one", end: 9)
        page.changes += [.departure("d"), .threads]
        page.limited = ["e"]

        let frame = try Self.fields(try memory.text(of: page, after: Self.cursor(4), links: nil))

        #expect(
            (frame["changes"] as? [[String: Any]])?.map { $0["type"] as? String } == [
                "message", "departure", "threads",
            ])
        #expect(frame["limited"] as? [String] == ["e"])
        #expect(Set(frame.keys) == ["v", "lane", "prev", "pos", "cursor", "changes", "limited"])
    }

    @Test func manyDifferentFramesStayRight() throws {
        let memory = FrameMemory()
        for number in 0..<200 {
            let text = try memory.text(
                of: Self.page("text \(number)", end: 9), after: Self.cursor(4), links: nil)
            #expect(text.contains("text \(number)\""))
        }
    }
}
