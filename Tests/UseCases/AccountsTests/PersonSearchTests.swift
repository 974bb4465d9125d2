import Accounts
import ChatCore
import Testing

@Suite struct PersonSearchTests {
    private let people = [
        IdentifiedPerson(id: "u1", name: "Zoë Anders"), IdentifiedPerson(id: "anna-b"),
        IdentifiedPerson(id: "u2", name: "Ann Lee"), IdentifiedPerson(id: "u3", name: "Hannes Ott"),
    ]

    private func ids(_ text: String, limit: Int = 10) -> [String] {
        PersonSearch.best(of: people, matching: text, limit: limit).map(\.id.rawValue)
    }

    @Test func beginningsOfNamesComeBeforeBeginningsOfWords() {
        #expect(ids("an") == ["u2", "anna-b", "u1"])
        #expect(ids("an", limit: 1) == ["u2"])
    }

    @Test func caseAccentsAndBlanksAroundDoNotCount() {
        #expect(ids(" zoe ") == ["u1"])
        #expect(ids("OTT") == ["u3"])
        #expect(ids("b") == ["anna-b"])
    }

    @Test func anEmptyTextFindsEverybodyAndAStrangeOneNobody() {
        #expect(ids("").count == 4)
        #expect(ids("%_").isEmpty)
    }
}
