import ChatCore
import Retrieval
import TestSupport
import Testing

/// A hit shows the place that was found.
@Suite struct ExcerptTests {
    private static let talk = "We spoke of the river 🌊 again, and nobody had anything new to say about it at all. "

    private func long(_ id: MessageID, _ end: String, count: Int = 20) -> Message {
        .sample("pier", id, by: "ada", String(repeating: Self.talk, count: count) + end, at: 1)
    }

    /// The part of the shown text that JavaScript's `slice(start, end)` gives.
    private func slice(_ message: Message, _ excerpt: Excerpt) throws -> String {
        let range = try #require(excerpt.range)
        let units = Array(message.shownText.utf16)[range]
        return String(decoding: units, as: UTF16.self)
    }

    @Test(arguments: [nil, 60])
    func aSearchShowsTheSentenceWithItsWords(passageTokenCount: Int?) async throws {
        let fixture = SearchFixture(passageTokenCount.map { FakeEmbedder(passageTokenCount: $0) } ?? FakeEmbedder())
        try await fixture.open("pier", members: ["ada"])
        try await fixture.add(long("a", "The gauge is in the red envelope with Tove. " + Self.talk + Self.talk))

        let hit = try #require(try await fixture.search("Where is the gauge, in which envelope?").hits.first)

        #expect(hit.excerpt.text.contains("The gauge is in the red envelope with Tove."))
        #expect(try slice(hit.message, hit.excerpt) == hit.excerpt.text)
        #expect(hit.excerpt.text.unicodeScalars.count <= Excerpt.lengthLimit)
        #expect(hit.excerpt.text.hasPrefix("We spoke") && hit.excerpt.text.hasSuffix("."))
    }

    @Test func aShortMessageIsShownWhole() throws {
        let message = Message.sample("pier", "a", by: "ada", "👍🏽 The crane is late.", at: 1)
        let excerpt = Excerpt(of: message, at: nil)

        #expect(excerpt.text == message.text)
        #expect(excerpt.range == 0..<message.text.utf16.count)
    }

    @Test func withoutAPlaceTheBeginningIsShown() throws {
        let excerpt = Excerpt(of: long("a", ""), at: nil)

        #expect(excerpt.text.hasPrefix("We spoke"))
        #expect(excerpt.range?.lowerBound == 0)
    }

    @Test(arguments: [50_000..<50_010, 3..<3, 1_700..<1_701])
    func aPlaceThatIsNotInTheTextIsHarmless(place: Range<Int>) throws {
        let message = long("a", "")
        let excerpt = Excerpt(of: message, at: place)

        #expect(try slice(message, excerpt) == excerpt.text)
        #expect(!excerpt.text.isEmpty)
    }

    @Test func wordsOfAFileHaveNoPlaceInTheText() throws {
        var message = Message.sample("pier", "a", by: "ada", "The list", at: 1)
        var file = Message.Attachment(file: "f1")
        file.name = "list.txt"
        file.content = String(repeating: Self.talk, count: 9) + "Ben brings the ropes."
        message.attachments = [file]
        let place = message.searchableText.utf8.count - 10..<message.searchableText.utf8.count

        let excerpt = Excerpt(of: message, at: place)

        #expect(excerpt.text.hasSuffix("Ben brings the ropes."))
        #expect(excerpt.range == nil)
        #expect(Excerpt(of: message, at: 0..<3).text == "The list [list.txt]")
    }
}
