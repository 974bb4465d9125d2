/// Reduces English words to stems by Porter's algorithm.
///
/// Source: "An algorithm for suffix stripping", 1980 (https://tartarus.org/martin/PorterStemmer), with its author's two
/// later rules ("-logi", "-bli").
///
/// The results equal those of SQLite's `porter` tokenizer, so that figures measured with FTS5 apply here: words of
/// fewer than 3 or more than 64 bytes are unchanged, a suffix is only removed from a longer word, and bytes outside a–z
/// count as consonants.
struct PorterStemmer {
    private var word: [UInt8]

    /// Returns the stem of a word in lower case.
    static func stem(_ word: String) -> String {
        let bytes = Array(word.utf8)
        guard (3...64).contains(bytes.count) else { return word }
        var stemmer = PorterStemmer(word: bytes)
        stemmer.run()
        return stemmer.word == bytes ? word : String(decoding: stemmer.word, as: UTF8.self)
    }

    private init(word: [UInt8]) {
        self.word = word
    }

    private mutating func run() {
        removePlural()
        removePastAndGerund()
        if ends("y"), hasVowel(before: 1) { replace(1, "i") }
        applyFirst(of: Self.doubleSuffixes, measureAbove: 0)
        applyFirst(of: Self.adjectiveSuffixes, measureAbove: 0)
        removeLastSuffix()
        tidy()
    }
}

// The steps, numbered as in the paper.
extension PorterStemmer {
    /// Step 1a: caresses → caress, ponies → poni, cats → cat.
    private mutating func removePlural() {
        if ends("sses") || ends("ies") {
            word.removeLast(2)
        } else if ends("s"), word[word.count - 2] != UInt8(ascii: "s") {
            word.removeLast()
        }
    }

    /// Step 1b: agreed → agree, plastered → plaster, motoring → motor; then repairs the stem: conflat(ed) → conflate.
    private mutating func removePastAndGerund() {
        if ends("eed") {
            if measure(before: 3) > 0 { word.removeLast() }
            return
        }
        if ends("ed"), hasVowel(before: 2) {
            word.removeLast(2)
        } else if ends("ing"), hasVowel(before: 3) {
            word.removeLast(3)
        } else {
            return
        }
        if ends("at") || ends("bl") || ends("iz") {
            word.append(UInt8(ascii: "e"))
        } else if endsInDoubledConsonant {
            word.removeLast()
        } else if measure(before: 0) == 1, endsInShortSyllable(before: 0) {
            word.append(UInt8(ascii: "e"))
        }
    }

    /// Steps 2 and 3: the first matching suffix decides, even if the stem before it is too short.
    private mutating func applyFirst(of suffixes: [(StaticString, StaticString)], measureAbove limit: Int) {
        for (suffix, replacement) in suffixes where ends(suffix) {
            if measure(before: suffix.utf8CodeUnitCount) > limit { replace(suffix.utf8CodeUnitCount, replacement) }
            return
        }
    }

    /// Step 4: revival → reviv, replacement → replac, adoption → adopt.
    private mutating func removeLastSuffix() {
        for suffix in Self.lastSuffixes where ends(suffix) {
            let count = suffix.utf8CodeUnitCount
            if measure(before: count) > 1 { word.removeLast(count) }
            return
        }
        guard ends("ion"), measure(before: 3) > 1 else { return }
        let letter = word[word.count - 4]
        if letter == UInt8(ascii: "s") || letter == UInt8(ascii: "t") { word.removeLast(3) }
    }

    /// Step 5: probate → probat, controll → control.
    private mutating func tidy() {
        if word.last == UInt8(ascii: "e") {
            let measure = measure(before: 1)
            if measure > 1 || (measure == 1 && !endsInShortSyllable(before: 1)) { word.removeLast() }
        }
        if word.suffix(2).elementsEqual("ll".utf8), measure(before: 1) > 1 { word.removeLast() }
    }

    private static let doubleSuffixes: [(StaticString, StaticString)] = [
        ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("logi", "log"),
        ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"),
        ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
        ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ]

    private static let adjectiveSuffixes: [(StaticString, StaticString)] = [
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
    ]

    private static let lastSuffixes: [StaticString] = [
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ou", "ism", "ate", "iti",
        "ous", "ive", "ize",
    ]
}

// Conditions of the rules on a stem.
extension PorterStemmer {
    /// Tells whether the word is longer than `suffix` and ends in it.
    private func ends(_ suffix: StaticString) -> Bool {
        let count = suffix.utf8CodeUnitCount
        guard word.count > count else { return false }
        let start = word.count - count
        for offset in 0..<count where word[start + offset] != suffix.utf8Start[offset] { return false }
        return true
    }

    private mutating func replace(_ count: Int, _ replacement: StaticString) {
        word.removeLast(count)
        replacement.withUTF8Buffer { word.append(contentsOf: $0) }
    }

    /// Counts the sequences of vowels followed by consonants in the word without its last `suffixCount` bytes.
    private func measure(before suffixCount: Int) -> Int {
        var result = 0
        var isAfterVowel = false
        var isConsonant = false
        for byte in word.dropLast(suffixCount) {
            isConsonant = !Self.isVowel(byte, afterConsonant: isConsonant)
            if isConsonant, isAfterVowel { result += 1 }
            isAfterVowel = !isConsonant
        }
        return result
    }

    private func hasVowel(before suffixCount: Int) -> Bool {
        var isConsonant = false
        for byte in word.dropLast(suffixCount) {
            isConsonant = !Self.isVowel(byte, afterConsonant: isConsonant)
            if !isConsonant { return true }
        }
        return false
    }

    private var endsInDoubledConsonant: Bool {
        guard word.count >= 2, let last = word.last, word[word.count - 2] == last else { return false }
        return !Self.isVowel(last, afterConsonant: false) && !"lsz".utf8.contains(last)
    }

    /// Tells whether the stem ends in consonant, vowel, consonant, the last not w, x or y: hop, fil.
    private func endsInShortSyllable(before suffixCount: Int) -> Bool {
        let stem = word.dropLast(suffixCount)
        guard stem.count >= 3, let last = stem.last, !"wxy".utf8.contains(last) else { return false }
        var pattern = 0
        var isConsonant = false
        for byte in stem {
            isConsonant = !Self.isVowel(byte, afterConsonant: isConsonant)
            pattern = (pattern << 1 | (isConsonant ? 1 : 0)) & 0b111
        }
        return pattern == 0b101
    }

    /// "y" is a vowel after a consonant.
    private static func isVowel(_ byte: UInt8, afterConsonant: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"): true
        case UInt8(ascii: "y"): afterConsonant
        default: false
        }
    }
}
