import ChatCore
import Retrieval
import TestSupport
import Testing

/// One hit stands for several messages only if they say the same.
@Suite struct RepeatTests {
    private let fixture = SearchFixture()

    private func message(_ id: String, _ text: String, at second: Int, by sender: UserID = "ada") -> Message {
        .sample("pier", MessageID(rawValue: id), by: sender, text, at: second)
    }

    private func find(_ messages: [Message], _ question: String = "pilot") async throws -> SearchResult {
        try await fixture.open("pier", members: ["ada", "ben"])
        try await fixture.accept(messages)
        try await fixture.embed()
        return try await fixture.search(question)
    }

    @Test(arguments: [
        ("The review was moved from Friday to Tuesday.", "The review was moved from Tuesday to Friday."),
        ("Mara owes Jonas 40 euros for it.", "Jonas owes Mara 40 euros for it."),
        ("Tove will come to the dinner.", "Tove will not come to the dinner."),
        ("Tove will come to the dinner.", "Tove will come to the dinner?"),
        ("Nightly report: 3 tests failed of 900", "Nightly report: 4 tests failed of 900"),
        ("The gauge says -3 degrees again", "The gauge says 3 degrees again"),
        ("The share grew by 2.5 percent again", "The share grew by 25 percent again"),
        ("The build of the crane is ✅", "The build of the crane is ❌"),
        ("No, wait for the pilot boat", "No wait for the pilot boat"),
        ("The code of the door is x7Qp", "The code of the door is X7qP"),
        ("Tell us what they said there", "Tell US what they said there"),
        ("Die Sitzung geht von Montag bis Mittwoch", "Die Sitzung geht von Mittwoch bis Montag"),
        ("Wir haben das schon schön gemacht", "Wir haben das schön schon gemacht"),
        ("La reunión pasa del lunes al jueves", "La reunión pasa del jueves al lunes"),
        ("Cette caisse est à Luc maintenant", "Cette caisse est a Luc maintenant"),
        ("Ne venez pas au port ce soir", "Venez au port ce soir"),
        ("会議は火曜日から金曜日に移動しました", "会議は金曜日から火曜日に移動しました"),
        ("今週の会議は行われます", "今週の会議は行われません"),
        (
            String(repeating: "All is well at berth 3. ", count: 40) + "The crane is out.",
            String(repeating: "All is well at berth 3. ", count: 40) + "The crane is not out."
        ),
    ])
    func whatIsNotTheSameIsFoundTwice(first: String, second: String) async throws {
        let found = try await find([message("a", first, at: 1), message("b", second, at: 2)])

        #expect(Set(found.ids) == ["a", "b"])
        #expect(found.hits.allSatisfy { $0.duplicates.isEmpty })
    }

    @Test(arguments: [
        ("The crane is late by an hour.", "the crane  is late\nby an hour"),
        ("It’s late, the crane is “out”", "It's late, the crane is \"out\""),
        ("Berth 3–5 is closed for repairs!", "Berth 3-5 is closed for repairs."),
        ("❤️ for all who came along", "❤ for all who came along"),
        ("明日の会議は中止です。", "明日の会議は中止です"),
        ("Ｔｈｅ boat of １２ is late again", "The boat of 12 is late again"),
        ("Le café est fermé à midi", "Le cafe\u{301} est ferme\u{301} a\u{300} midi"),
        ("İki vapur da yarın sabah gelecek", "i̇ki vapur da yarın sabah gelecek"),
        (
            "The report. " + String(repeating: "All is well at berth 3. ", count: 40),
            "the report.  " + String(repeating: "All is well at berth 3. ", count: 40)
        ),
    ])
    func theSameIsFoundOnce(first: String, second: String) async throws {
        let found = try await find([message("a", first, at: 1), message("b", second, at: 2)])

        #expect(found.ids == ["b"])
        #expect(found.hits.first?.duplicates == [.of("pier", "a")])
    }

    @Test func theOrderOfArrivalDoesNotMatter() async throws {
        let found = try await find([
            message("new", "the crane is late again", at: 9), message("old", "the crane is late again", at: 1),
            message("middle", "the crane is late again", at: 5),
        ])

        #expect(found.ids == ["new"])
        #expect(found.hits.first?.duplicates == [.of("pier", "middle"), .of("pier", "old")])
    }

    @Test func twoPeopleSayDifferentThingsWithTheSameWords() async throws {
        let found = try await find([
            message("a", "I take the night shift", at: 1), message("b", "I take the night shift", at: 2, by: "ben"),
        ])

        #expect(Set(found.ids) == ["a", "b"])
    }

    @Test func tomorrowIsAnotherDayEachTime() async throws {
        let day = 24 * 3_600
        let found = try await find([
            message("a", "The crane is closed tomorrow", at: 0), message("b", "The crane is closed tomorrow", at: 60),
            message("c", "The crane is closed tomorrow", at: 9 * day),
        ])

        #expect(Set(found.ids) == ["b", "c"])
    }

    @Test func repliesToDifferentMessagesAreNotTheSame() async throws {
        var first = message("a", "Yes, let us do that", at: 3)
        var second = message("b", "Yes, let us do that", at: 4)
        (first.replyToID, second.replyToID) = ("x", "y")

        let found = try await find([
            message("x", "shall we paint it", at: 1), message("y", "shall we sell it", at: 2), first, second,
        ])

        #expect(Set(found.ids).isSuperset(of: ["a", "b"]))
    }

    @Test func filesThatAreNotStoredMayDiffer() async throws {
        var first = message("a", "here is the newest plan", at: 1)
        var second = message("b", "here is the newest plan", at: 2)
        first.attachments = [Message.Attachment(name: "plan.pdf")]
        second.attachments = first.attachments

        #expect(Set(try await find([first, second]).ids) == ["a", "b"])
    }

    /// More of them than one search has candidates, and another message behind them.
    @Test func aFloodOfOneMessageIsOneHitAndHidesNoOther() async throws {
        let flood = (0..<150).map { message("f\($0)", "the pilot boat has left the pier", at: $0) }
        let found = try await find(flood + [message("other", "the cook wants a crane", at: 999)], "pilot boat")

        #expect(found.ids == ["f149", "other"])
        #expect(found.hits.first?.duplicates.count == Hit.duplicateLimit)
        #expect(found.hits.first?.duplicates.first == .of("pier", "f148"))
    }

    /// Only what the asker may see, and what passes the filter, is listed.
    @Test func duplicatesAreFilteredLikeHits() async throws {
        _ = try await find((1...4).map { message("m\($0)", "the crane is late again", at: $0) })

        let found = try await fixture.searcher.search(
            SearchRequest(
                question: "crane", scope: SearchScope(asker: "ada", conversations: .all),
                filter: SearchFilter(from: .second(2), to: .second(4)), limit: 5))

        #expect(found.ids == ["m3"])
        #expect(found.hits.first?.duplicates == [.of("pier", "m2")])
    }
}
