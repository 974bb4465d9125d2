import App
import NexusModel
import Testing

@Suite("Doubts about an answer")
struct DoubtTests {
    @Test("`nexus ask` names the sentences that the messages do not support")
    func namesSentences() {
        let answer = ChatAnswer(
            answer: "Hi 👋🏽! A [1]. B. C.",
            sentences: [
                .init(start: 0, end: 5, needsSource: false),
                .init(start: 6, end: 12, needsSource: true, support: .supported),
                .init(start: 13, end: 15, needsSource: true, support: .contradicted),
                .init(start: 16, end: 18, needsSource: true, support: .unsupported),
                .init(start: 16, end: 99, needsSource: true, support: .unsupported),
            ])

        #expect(
            Rendering.doubts(about: answer) == ["The messages say otherwise: B.", "No message says this: C."])
        #expect(Rendering.doubts(about: ChatAnswer(answer: "A.")).isEmpty)
    }
}
