import ChatCore
import Testing

struct AssistantThreadTests {
    private func title(_ question: String?, given: String? = nil) -> String {
        AssistantThread(
            id: "h", ownerID: "ada", givenTitle: given, firstQuestion: question,
            createdAt: Timestamp(milliseconds: 0)
        ).title
    }

    @Test(
        arguments: [
            (nil, ""), ("When does it sail?", "When does it sail?"), (" When\n does\tit  sail? ", "When does it sail?"),
            // 60 characters stay, of 61 the last words go.
            (
                "Which berth did the harbor master give the old ferry Aurora?",
                "Which berth did the harbor master give the old ferry Aurora?"
            ),
            (
                "Which berth did the harbor master give the old ferry Auroras?",
                "Which berth did the harbor master give the old ferry…"
            ),
            (String(repeating: "船", count: 61), String(repeating: "船", count: 59) + "…"),
            ("a " + String(repeating: "x", count: 80), "a " + String(repeating: "x", count: 57) + "…"),
        ] as [(String?, String)])
    func isNamedByItsFirstQuestion(question: String?, wanted: String) {
        #expect(title(question) == wanted)
        #expect(title(question, given: "Ferries") == "Ferries")
    }

    @Test func aTitleIsCheckedBeforeItIsKept() throws {
        #expect(try AssistantThread.checked(title: nil) == nil)
        #expect(try AssistantThread.checked(title: " Ferries \n") == "Ferries")
        #expect(throws: RepositoryError.invalid(field: "title", reason: "must have 1 to 200 characters")) {
            try AssistantThread.checked(title: "\n ")
        }
        #expect(throws: RepositoryError.invalid(field: "title", reason: "must not contain control characters")) {
            try AssistantThread.checked(title: "a\u{0}b")
        }
    }
}
