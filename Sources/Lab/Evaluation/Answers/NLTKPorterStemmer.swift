/// The Porter stemmer as NLTK has it, with its extensions: published answer scores were computed with it.
///
/// It differs from Porter's paper (https://tartarus.org/martin/PorterStemmer/) in a list of irregular words, in `ies`
/// and `ied` of short words, in `y`, and in three more suffixes. Search uses the stemmers of `TextAnalysis`, not this one.
package enum NLTKPorterStemmer {
    private typealias Word = [Unicode.Scalar]

    /// The replacement of an ending, with a condition on the part before it.
    private struct Rule {
        let suffix: Word
        let replacement: Word
        let condition: (Word) -> Bool

        init(_ suffix: String, _ replacement: String, _ condition: @escaping (Word) -> Bool) {
            self.suffix = Word(suffix.unicodeScalars)
            self.replacement = Word(replacement.unicodeScalars)
            self.condition = condition
        }
    }

    private static let irregular: [String: String] = [
        "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
        "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
        "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
    ]

    /// Returns the stem of a word in lower case.
    package static func stem(_ text: String) -> String {
        if let stem = irregular[text] { return stem }
        var word = Word(text.unicodeScalars)
        guard word.count > 2 else { return text }
        for step in [plural, pastTense, finalY, doubleSuffix, fullSuffix, bareSuffix, finalE, finalL] {
            word = step(word)
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: word)
        return String(view)
    }

    // MARK: Parts of a word

    /// Which letters are consonants; `y` is one at the start and after a vowel.
    private static func consonants(_ word: Word) -> [Bool] {
        var kinds: [Bool] = []
        for letter in word {
            switch letter {
            case "a", "e", "i", "o", "u": kinds.append(false)
            case "y": kinds.append(!(kinds.last ?? false))
            default: kinds.append(true)
            }
        }
        return kinds
    }

    /// The number of times a vowel is followed by a consonant.
    private static func measure(_ word: Word) -> Int {
        let kinds = consonants(word)
        return zip(kinds, kinds.dropFirst()).count { !$0 && $1 }
    }

    private static func hasPositiveMeasure(_ word: Word) -> Bool { measure(word) > 0 }

    private static func hasVowel(_ word: Word) -> Bool {
        consonants(word).contains(false)
    }

    private static func endsInDoubleConsonant(_ word: Word) -> Bool {
        word.count >= 2 && word[word.count - 1] == word[word.count - 2] && consonants(word).last == true
    }

    /// Whether it ends in consonant, vowel, consonant other than w, x, y; or is a vowel and a consonant.
    private static func endsShort(_ word: Word) -> Bool {
        let kinds = consonants(word)
        if word.count == 2 { return kinds == [false, true] }
        guard let last = word.last, word.count >= 3 else { return false }
        return kinds.suffix(3) == [true, false, true] && !["w", "x", "y"].contains(last)
    }

    // MARK: Rules

    private static func ends(_ word: Word, _ suffix: String) -> Bool {
        word.count >= suffix.unicodeScalars.count
            && word.suffix(suffix.unicodeScalars.count).elementsEqual(suffix.unicodeScalars)
    }

    /// Applies the first rule whose ending the word has; if its condition fails, no other rule is tried.
    private static func apply(_ rules: [Rule], to word: Word) -> Word {
        guard
            let rule = rules.first(where: {
                word.count >= $0.suffix.count && word.suffix($0.suffix.count) == $0.suffix[...]
            })
        else { return word }
        let stem = Word(word.dropLast(rule.suffix.count))
        return rule.condition(stem) ? stem + rule.replacement : word
    }

    private static func plural(_ word: Word) -> Word {
        if ends(word, "ies"), word.count == 4 { return Word(word.dropLast()) }
        return apply(
            [
                Rule("sses", "ss") { _ in true }, Rule("ies", "i") { _ in true }, Rule("ss", "ss") { _ in true },
                Rule("s", "") { _ in true },
            ], to: word)
    }

    private static func pastTense(_ word: Word) -> Word {
        if ends(word, "ied") { return Word(word.dropLast(word.count == 4 ? 1 : 2)) }
        if ends(word, "eed") {
            return hasPositiveMeasure(Word(word.dropLast(3))) ? Word(word.dropLast()) : word
        }
        let bare = ["ed", "ing"].lazy.filter { ends(word, $0) }.map { Word(word.dropLast($0.count)) }.first(
            where: hasVowel)
        guard let bare else { return word }
        for (ending, whole) in [("at", "ate"), ("bl", "ble"), ("iz", "ize")] where ends(bare, ending) {
            return Word(bare.dropLast(2)) + Word(whole.unicodeScalars)
        }
        if endsInDoubleConsonant(bare), let last = bare.last {
            return ["l", "s", "z"].contains(last) ? bare : Word(bare.dropLast())
        }
        return measure(bare) == 1 && endsShort(bare) ? bare + ["e"] : bare
    }

    private static func finalY(_ word: Word) -> Word {
        apply([Rule("y", "i") { $0.count > 1 && consonants($0).last == true }], to: word)
    }

    private static func doubleSuffix(_ word: Word) -> Word {
        if ends(word, "alli"), hasPositiveMeasure(Word(word.dropLast(4))) {
            return doubleSuffix(Word(word.dropLast(2)))
        }
        let pairs = [
            ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"),
            ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"),
            ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
            ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
        ]
        let logi = Rule("logi", "log") { hasPositiveMeasure($0 + ["l"]) }
        return apply(pairs.map { Rule($0.0, $0.1, hasPositiveMeasure) } + [logi], to: word)
    }

    private static func fullSuffix(_ word: Word) -> Word {
        let pairs = [
            ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
        ]
        return apply(pairs.map { Rule($0.0, $0.1, hasPositiveMeasure) }, to: word)
    }

    private static func bareSuffix(_ word: Word) -> Word {
        let rules = [
            "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate",
            "iti", "ous", "ive", "ize",
        ].map { suffix in
            Rule(suffix, "") { stem in
                measure(stem) > 1 && (suffix != "ion" || stem.last == "s" || stem.last == "t")
            }
        }
        return apply(rules, to: word)
    }

    private static func finalE(_ word: Word) -> Word {
        apply(
            [
                Rule("e", "") { stem in
                    let measure = measure(stem)
                    return measure > 1 || (measure == 1 && !endsShort(stem))
                }
            ], to: word)
    }

    private static func finalL(_ word: Word) -> Word {
        apply([Rule("ll", "l") { measure($0 + ["l"]) > 1 }], to: word)
    }
}
