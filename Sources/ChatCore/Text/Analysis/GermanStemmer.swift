/// Reduces German words to stems by the Snowball project's algorithm (https://snowballstem.org/algorithms/german/stemmer.html),
/// as of its release 3.1, without the last rule about apostrophes, which no token has.
///
/// "ae", "oe", "ue" stand for umlauts, and stems have none: Häuser, Haeuser and hauser all become haus.
struct GermanStemmer {
    private var word: [Unicode.Scalar]
    /// Where region R1 starts: after the first consonant that follows a vowel, but not before the fourth letter.
    private var firstRegion = 0
    /// Where region R2 starts: the same again, from there.
    private var secondRegion = 0

    /// Returns the stem of a word in lower case that still has its umlauts.
    static func stem(_ word: String) -> String {
        var stemmer = GermanStemmer(word: Array(word.unicodeScalars))
        stemmer.markVowelsAsConsonants()
        stemmer.spellUmlauts()
        stemmer.markRegions()
        stemmer.removeInflection()
        stemmer.removeComparison()
        stemmer.removeDerivation()
        return stemmer.result
    }

    private init(word: [Unicode.Scalar]) {
        self.word = word
    }

    /// The word without the marks made on the way and without umlauts.
    private var result: String {
        var text = String.UnicodeScalarView()
        for scalar in word {
            switch scalar {
            case "U", "ü": text.append("u")
            case "Y": text.append("y")
            case "ä": text.append("a")
            case "ö": text.append("o")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

extension GermanStemmer {
    /// Writes "u" and "y" between vowels as "U" and "Y": they sound as consonants there.
    private mutating func markVowelsAsConsonants() {
        guard word.count >= 3 else { return }
        for place in 1..<(word.count - 1) where isVowel(word[place - 1]) && isVowel(word[place + 1]) {
            if word[place] == "u" { word[place] = "U" }
            if word[place] == "y" { word[place] = "Y" }
        }
    }

    private mutating func spellUmlauts() {
        var spelled: [Unicode.Scalar] = []
        var place = 0
        while place < word.count {
            let next = place + 1 < word.count ? word[place + 1] : nil
            switch (word[place], next) {
            case ("ß", _): spelled += ["s", "s"]
            case ("a", "e"): spelled.append("ä")
            case ("o", "e"): spelled.append("ö")
            case ("u", "e"): spelled.append("ü")
            case ("q", "u"): spelled += ["q", "u"]
            default:
                spelled.append(word[place])
                place += 1
                continue
            }
            place += word[place] == "ß" ? 1 : 2
        }
        word = spelled
    }

    private mutating func markRegions() {
        firstRegion = word.count
        secondRegion = word.count
        guard word.count >= 3, let first = endOfSyllable(from: 0) else { return }
        firstRegion = max(first, 3)
        secondRegion = endOfSyllable(from: first) ?? word.count
    }

    /// Returns the place after the first consonant that follows a vowel at or after `start`.
    private func endOfSyllable(from start: Int) -> Int? {
        guard let vowel = word[start...].firstIndex(where: isVowel),
            let consonant = word[vowel...].firstIndex(where: { !isVowel($0) })
        else { return nil }
        return consonant + 1
    }

    /// Step 1: endings of case, number and the female form.
    private mutating func removeInflection() {
        guard let suffix = longestSuffix(of: Self.inflections, from: firstRegion) else { return }
        let stemCount = word.count - suffix.unicodeScalars.count
        switch suffix {
        case "em":
            if !stem(of: stemCount, endsIn: "syst") { cut(to: stemCount) }
        case "e", "en", "es":
            cut(to: stemCount)
            if stem(of: word.count, endsIn: "niss") { cut(to: word.count - 1) }
        case "s":
            if stemCount > 0, "bdfghklmnrt".unicodeScalars.contains(word[stemCount - 1]) { cut(to: stemCount) }
        case "ln", "lns": cut(to: stemCount + 1)
        default: cut(to: stemCount)
        }
    }

    /// Step 2: comparison and verb endings.
    private mutating func removeComparison() {
        guard let suffix = longestSuffix(of: ["en", "er", "est", "st", "et"], from: firstRegion) else { return }
        let stemCount = word.count - suffix.unicodeScalars.count
        switch suffix {
        case "st":
            if stemCount >= 4, "bdfghklmnt".unicodeScalars.contains(word[stemCount - 1]) { cut(to: stemCount) }
        case "et":
            guard stemCount > 0, "Udfgklmnrstzä".unicodeScalars.contains(word[stemCount - 1]),
                !["tick", "plan", "geordn", "intern", "tr"].contains(where: { stem(of: stemCount, endsIn: $0) })
            else { return }
            cut(to: stemCount)
        default: cut(to: stemCount)
        }
    }

    /// Step 3: endings that make one kind of word from another.
    private mutating func removeDerivation() {
        guard let suffix = longestSuffix(of: Self.derivations, from: secondRegion) else { return }
        let stemCount = word.count - suffix.unicodeScalars.count
        switch suffix {
        case "end", "ung":
            cut(to: stemCount)
            let shorter = stemCount - 2
            if stem(of: stemCount, endsIn: "ig"), !stem(of: shorter, endsIn: "e"), shorter >= secondRegion {
                cut(to: shorter)
            }
        case "ig", "ik", "isch":
            if !stem(of: stemCount, endsIn: "e") { cut(to: stemCount) }
        case "lich", "heit":
            cut(to: stemCount)
            let shorter = stemCount - 2
            if stem(of: stemCount, endsIn: "er") || stem(of: stemCount, endsIn: "en"), shorter >= firstRegion {
                cut(to: shorter)
            }
        default:
            cut(to: stemCount)
            guard let second = longestSuffix(of: ["lich", "ig"], from: secondRegion) else { return }
            cut(to: stemCount - second.unicodeScalars.count)
        }
    }

    private static let inflections = ["e", "em", "en", "erinnen", "erin", "ln", "ern", "er", "s", "es", "lns"]
    private static let derivations = ["end", "ig", "ung", "lich", "isch", "ik", "heit", "keit"]

    /// Returns the longest of `suffixes` that the word ends in; nil when it starts before `region`.
    private func longestSuffix(of suffixes: [String], from region: Int) -> String? {
        var longest: String?
        var length = 0
        for suffix in suffixes {
            let count = suffix.unicodeScalars.count
            if count > length, stem(of: word.count, endsIn: suffix) { (longest, length) = (suffix, count) }
        }
        return word.count - length >= region ? longest : nil
    }

    /// Tells whether the first `count` letters end in `suffix`.
    private func stem(of count: Int, endsIn suffix: String) -> Bool {
        word.prefix(count).reversed().starts(with: suffix.unicodeScalars.reversed())
    }

    private mutating func cut(to count: Int) {
        word.removeLast(word.count - count)
    }

    private func isVowel(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a", "e", "i", "o", "u", "y", "ä", "ö", "ü": true
        default: false
        }
    }
}
