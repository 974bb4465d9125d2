import ChatCore
import Testing

struct ReactionTests {
    /// Each row holds forms of one emoji; the first one is fully qualified.
    static let forms: [[String]] = [
        ["\u{2764}\u{FE0F}", "\u{2764}", "\u{2764}\u{FE0E}"],
        ["\u{2764}\u{FE0F}\u{200D}\u{1F525}", "\u{2764}\u{200D}\u{1F525}"],
        ["\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}", "\u{1F3F3}\u{200D}\u{1F308}"],
        [
            "\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}\u{FE0F}", "\u{1F441}\u{200D}\u{1F5E8}",
            "\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}",
        ],
        ["\u{26F9}\u{1F3FB}\u{200D}\u{2642}\u{FE0F}", "\u{26F9}\u{1F3FB}\u{200D}\u{2642}"],
        ["\u{261D}\u{1F3FD}", "\u{261D}\u{FE0F}\u{1F3FD}"],
        ["1\u{FE0F}\u{20E3}", "1\u{20E3}"],
        ["\u{1F44D}", "\u{1F44D}\u{FE0F}", "\u{1F44D}\u{FE0E}"],
        ["\u{A9}\u{FE0F}", "\u{A9}"],
    ]

    @Test(arguments: forms) func theFormsOfAnEmojiAreOne(forms: [String]) {
        #expect(Set(forms.map(Emoji.qualified)) == [forms[0]])
    }

    /// Texts that are no other form of anything.
    @Test(arguments: [
        "heart", "+1::skin-tone-3", "100", "#", "naïve", "\u{FE0F}", "", "\u{1F1E9}\u{1F1EA}",
        "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    ]) func otherTextsStayAsTheyAre(text: String) {
        #expect(Emoji.qualified(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test func skinTonesAndSequencesAreOthers() {
        let others = [
            "\u{1F44D}", "\u{1F44D}\u{1F3FB}", "\u{1F44D}\u{1F3FF}", "\u{2764}", "\u{2764}\u{200D}\u{1F525}",
            "\u{1F3F3}", "\u{1F3F3}\u{200D}\u{1F308}",
        ]

        #expect(Set(others.map(Emoji.qualified)).count == others.count)
    }

    @Test func aMessageHasEachEmojiAndEachPersonOnce() {
        var message = Message(
            key: MessageKey(conversationID: "c", messageID: "m"), senderID: "ada", senderName: "Ada", text: "hi",
            timestamp: Timestamp(milliseconds: 0),
            reactions: [
                .init(emoji: "\u{2764}", userIDs: ["ada", "ada"]), .init(emoji: "+1", userIDs: ["ben"]),
                .init(emoji: "\u{2764}\u{FE0F}", userIDs: ["ben", "ada"]),
            ])
        let made = message.reactions
        message.reactions.append(.init(emoji: "\u{2764}\u{FE0E}", userIDs: ["jo", "ben"]))

        #expect(
            made == [
                .init(emoji: "\u{2764}\u{FE0F}", userIDs: ["ada", "ben"]), .init(emoji: "+1", userIDs: ["ben"]),
            ])
        #expect(message.reactions[0].userIDs == ["ada", "ben", "jo"] && message.reactions.count == 2)
    }
}
