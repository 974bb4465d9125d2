import ChatCore
import Testing
import TextAnalysis

@Suite struct PassagePreparationTests {
    private func texts(_ text: String, tokens: Int, by name: String = "") -> [String] {
        PassagePreparation.pieces(senderName: name, searchableText: text, limit: PassageLimit(tokenCount: tokens))
            .map(\.text)
    }

    @Test func aTextWithinTheLimitIsOnePieceAsItAlwaysWas() {
        let text = "  Moin!\nThe pilot comes at five. \n"

        let pieces = PassagePreparation.pieces(senderName: " Ada ", searchableText: text, limit: PassageLimit())

        #expect(pieces.map(\.text) == ["Ada: Moin!\nThe pilot comes at five."])
        #expect(pieces.map(\.range) == [0..<text.utf8.count])
        #expect(pieces[0].text == PassagePreparation.text(senderName: " Ada ", searchableText: text))
    }

    @Test(arguments: ["", " \n\t ", "\u{3000}"]) func nothingIsEmbeddedOfNothing(text: String) {
        #expect(PassagePreparation.pieces(senderName: "Ada", searchableText: text, limit: PassageLimit()) == [])
    }

    @Test func theLastTokenDecides() {
        // Twelve letters are four tokens, by estimate.
        #expect(texts("abcdefghijkl", tokens: 4) == ["abcdefghijkl"])
        #expect(texts("abcdefghijklm", tokens: 4).count > 1)
        #expect(texts("abcdefghijkl", tokens: 6, by: "Bo").count == 1, "four letters and signs are two tokens more")
        #expect(texts("abcdefghijkl", tokens: 5, by: "Bo").count > 1)
    }

    @Test func everyPieceBeginsWithTheName() {
        let text = String(repeating: "The harbour opens at nine o'clock. ", count: 20)

        let pieces = texts(text, tokens: 60, by: "Grace")

        let sentence = "The harbour opens at nine o'clock."
        let four = "Grace: " + [sentence, sentence, sentence, sentence].joined(separator: " ")
        #expect(pieces.prefix(5) == [four, four, four, four, four])
        // Each begins with the last sentence of the one before, and the last one, of a small one, with its last words.
        #expect(
            pieces.suffix(2) == [
                "Grace: \(sentence) \(sentence) \(sentence)", "Grace: nine o'clock. \(sentence) \(sentence)",
            ])
    }

    @Test(arguments: [
        // A paragraph is better than a later sentence, a sentence than a later word.
        (
            "One two three four five six.\n\nSeven eight nine. Ten eleven twelve thirteen fourteen",
            ["One two three four five six.", "Seven eight nine. Ten eleven twelve thirteen fourteen"]
        ),
        (
            "One two three four five six. Seven eight nine ten eleven twelve",
            ["One two three four five six.", "Seven eight nine ten eleven twelve"]
        ),
        // A single line break does not end a sentence, except at the end of a list item.
        (
            "- one two three four five\n- six seven eight nine\n- ten eleven twelve",
            ["- one two three four five\n- six seven eight nine", "nine\n- ten eleven twelve"]
        ),
        (
            "We met at the old crane on quay\nseven before the ship to Kiel had left",
            ["We met at the old crane on quay\nseven before the", "the ship to Kiel had left"]
        ),
        // Dots that end nothing.
        (
            "It cost 3.50 at Dr. Smith's, i.e. less than at J. Miller, see a.example/x?y=1 for it",
            [
                "It cost 3.50 at Dr. Smith's, i.e. less than at J.",
                "at J. Miller, see a.example/x?y=1 for it",
            ]
        ),
        (
            "Wir fahren am 3. Oktober z. B. nach Kiel. Dann kommt ca. 5 Leute mit! Wer fährt? „Ich.“ Und du… ja.",
            [
                "Wir fahren am 3. Oktober z. B. nach Kiel.", "Kiel. Dann kommt ca. 5 Leute mit! Wer fährt?",
                "Wer fährt? „Ich.“ Und du… ja.",
            ]
        ),
        // No spaces.
        (
            "船は九時に出る。水先案内人は八時に来る。荷物は三番倉庫にある。",
            ["船は九時に出る。水先案内人は八時に来る。", "来る。荷物は三番倉庫にある。"]
        ),
    ])
    func dividesAtTheBestPlace(text: String, wanted: [String]) {
        #expect(texts(text, tokens: 20) == wanted)
    }

    @Test func codeIsDividedBetweenLines() {
        let code = "```\nlet a = f(1). g\nlet b = 2\n```\nthen we wait for it."

        #expect(texts(code, tokens: 20) == ["```\nlet a = f(1). g\nlet b = 2\n```", "then we wait for it."])
    }

    @Test func aWordThatIsTooLongIsDividedBetweenCharacters() {
        let family = "👩‍👩‍👧‍👦"
        let text = String(repeating: family, count: 12)

        let pieces = texts(text, tokens: 40)

        #expect(Set(pieces.joined()) == [Character(family)])
        #expect(pieces.count > 3)
    }

    @Test func aCharacterThatIsTooLongStaysWhole() {
        let monster = "e" + String(repeating: "\u{301}", count: 90)

        #expect(texts(monster + "a" + monster, tokens: 20) == [monster, "a", monster])
    }

    @Test func aLongNameLeavesRoomForTheText() {
        let name = String(repeating: "x", count: 300)

        let pieces = texts(String(repeating: "word ", count: 100), tokens: 40, by: name)

        #expect(pieces.allSatisfy { $0.hasPrefix(name + ": word") && $0.utf8.count > 320 })
    }

    // MARK: - Whatever the text

    private static let samples = [
        "The pilot comes at five. ", "Wait... what?! ", "\n\n", "\n- ",
        "https://a.example/very/long/path?with=query&x=1 ",
        "Größere Schiffe dürfen erst ab 6. März einlaufen, z. B. die Anna. ", "船は九時に出る。", "「そうか！？」と言った。",
        "배가 아홉 시에 떠난다. ", "ท่าเรือเปิดเก้าโมงเช้า", "जहाज नौ बजे चलता है। ", "هل وصلت السفينة؟ نعم. ",
        "Корабль уходит в девять. ", "👩‍👩‍👧‍👦🚢🇩🇪", "e\u{301}\u{327}\u{301}", "\r\n", "          ", "```\ncode(x);\n```\n",
        "aGVsbG8gd29ybGQhaGVsbG8",
        "\u{200B}", "1234567890.12 ", "…", ")", "\"", "\u{FEFF}", "A. B. C. ",
    ]

    @Test(arguments: 0..<300) func piecesCoverTheTextWithinTheLimit(seed: Int) {
        var random = SeededNumbers(seed: seed)
        let count = 1 + random.below(120)
        let text = (0..<count).map { _ in Self.samples[random.below(Self.samples.count)] }.joined()
        let tokens = [12, 30, 64, 256][random.below(4)]
        let name = ["", "Ada", "李小龍"][random.below(3)]
        let limit = PassageLimit(tokenCount: tokens)
        let starts = Set(text.indices.map { text.utf8.distance(from: text.startIndex, to: $0) } + [text.utf8.count])

        let pieces = PassagePreparation.pieces(senderName: name, searchableText: text, limit: limit)

        var covered = 0
        for (place, piece) in pieces.enumerated() {
            let part = text.part(utf8: piece.range)
            #expect(piece.text == PassagePreparation.text(senderName: name, searchableText: part))
            #expect(TokenEstimate.count(piece.text) <= max(tokens, part.count == 1 ? .max : 0), "\(piece)")
            #expect(starts.contains(piece.range.lowerBound) && starts.contains(piece.range.upperBound))
            let gap = text.part(utf8: covered..<max(covered, piece.range.lowerBound))
            #expect(gap.trimmed.isEmpty)
            if place > 0 { #expect(piece.range.lowerBound > pieces[place - 1].range.lowerBound) }
            #expect(piece.range.upperBound > covered)
            covered = piece.range.upperBound
        }
        #expect(text.part(utf8: covered..<text.utf8.count).trimmed.isEmpty)
        if pieces.count > 1, tokens >= 64 {
            let sizes = pieces.map(\.range.count)
            #expect((sizes.last ?? 0) * 5 >= sizes[sizes.count - 2], "no tiny last piece: \(sizes)")
        }
    }
}

extension Substring {
    fileprivate var trimmed: String { String(self).trimmingWhitespace() }
}

/// Numbers that are the same on every run.
private struct SeededNumbers {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1 }

    mutating func below(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
