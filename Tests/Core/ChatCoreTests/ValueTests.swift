import ChatCore
import Foundation
import Testing
import TextAnalysis

@Suite struct ValueTests {
    @Test(arguments: ["", "a\nb", "tab\there", "\u{7F}", String(repeating: "x", count: 257)])
    func idsThatCannotBeAreRefused(text: String) {
        #expect(MessageID(validating: text) == nil)
    }

    @Test(arguments: ["a", "général", "🚢", "with blank", String(repeating: "x", count: 256)])
    func idsOfAnyPrintableTextAreTaken(text: String) {
        #expect(MessageID(validating: text)?.rawValue == text)
    }

    @Test func idsAreOrderedByBytes() {
        let ids: [MessageID] = ["b", "Z", "é", "a"]

        #expect(ids.sorted() == ["Z", "a", "b", "é"])
    }

    @Test func idsThatOnlyLookAlikeAreDifferent() {
        let composed: UserID = "ren\u{E9}"
        let decomposed: UserID = "rene\u{301}"

        #expect(composed.rawValue == decomposed.rawValue)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func captionsAreSearchedLikeText() {
        let message = Message(
            key: MessageKey(conversationID: "c", messageID: "m"), senderID: "u", senderName: "U", text: "look",
            timestamp: Timestamp(microseconds: 0),
            attachments: [.init(name: "a.jpg", caption: "a cat"), .init(name: "b.jpg")])

        #expect(message.searchableText == "look [a cat]")
    }

    @Test func passagesCarryTheSendersName() {
        #expect(PassagePreparation.text(senderName: "Ada", searchableText: " hi \n") == "Ada: hi")
        #expect(PassagePreparation.text(senderName: "", searchableText: "hi") == "hi")
        #expect(PassagePreparation.text(senderName: "Ada", searchableText: " \n") == nil)
    }

    @Test func filtersTakeTheirStartAndLeaveTheirEnd() {
        let filter = SearchFilter(
            senderIDs: ["ada"], from: Timestamp(microseconds: 10), to: Timestamp(microseconds: 20))

        func message(by sender: UserID, at microseconds: Int64) -> Message {
            Message(
                key: MessageKey(conversationID: "c", messageID: "m"), senderID: sender, senderName: "", text: "",
                timestamp: Timestamp(microseconds: microseconds))
        }
        #expect(filter.admits(message(by: "ada", at: 10)))
        #expect(!filter.admits(message(by: "ada", at: 20)))
        #expect(!filter.admits(message(by: "ada", at: 9)))
        #expect(!filter.admits(message(by: "bob", at: 15)))
        #expect(!SearchFilter(senderIDs: []).admits(message(by: "ada", at: 15)))
    }

    @Test func aVectorOfASpaceHasItsLengthAndNumbersOnly() throws {
        let space = EmbeddingSpace(provider: "builtin", model: "m", dimensions: 2)

        try space.check([0.6, -0.8])
        for wrong in [[], [1], [0.6, .nan], [.infinity, 0], [1, 0, 0]] as [[Float]] {
            #expect(throws: ModelServiceError.self) { try space.check(wrong) }
        }
    }

    @Test func tokenEstimatesErrUpwards() {
        // Counts by the GPT-4o tokenizer: 7, 9, 2.
        #expect(TokenEstimate.count("The pilot goes live on Tuesday.") >= 7)
        #expect(TokenEstimate.count("Wir verschieben den Start um zwei Wochen.") >= 9)
        #expect(TokenEstimate.count("🚢") >= 1)
        #expect(TokenEstimate.count("") == 0)
    }
}
