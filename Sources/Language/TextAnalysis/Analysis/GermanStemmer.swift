/// Reduces German words to stems by the Snowball project's algorithm
/// (https://snowballstem.org/algorithms/german/stemmer.html), release 3.1, without the last rule about apostrophes,
/// which tokens never contain.
///
/// "ae", "oe", "ue" are read as umlauts, and stems have no umlauts: Häuser, Haeuser and hauser all become haus.
struct GermanStemmer {
    /// The word in Latin-1, one byte a letter.
    private var word: [UInt8]
    /// The start of region R1: after the first consonant that follows a vowel, but not before the fourth letter.
    private var firstRegion = 0
    /// The start of region R2: found in the same way, within R1.
    private var secondRegion = 0

    private static let a = UInt8(ascii: "a")
    private static let o = UInt8(ascii: "o")
    private static let u = UInt8(ascii: "u")
    private static let y = UInt8(ascii: "y")
    private static let aUmlaut: UInt8 = 0xE4
    private static let oUmlaut: UInt8 = 0xF6
    private static let uUmlaut: UInt8 = 0xFC
    /// "u" and "y" that sound as consonants.
    private static let consonantU = UInt8(ascii: "U")
    private static let consonantY = UInt8(ascii: "Y")

    /// Returns the stem of a word in lower case that still has its umlauts; words with other letters stay as they are.
    static func stem(_ word: String) -> String {
        var letters: [UInt8] = []
        letters.reserveCapacity(word.utf8.count)
        for scalar in word.unicodeScalars {
            switch scalar {
            case "ä", "ö", "ü": letters.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                guard scalar.isASCII else { return word }
                letters.append(UInt8(truncatingIfNeeded: scalar.value))
            }
        }
        var stemmer = GermanStemmer(word: letters)
        stemmer.run()
        return String(decoding: stemmer.word, as: UTF8.self)
    }

    private init(word: [UInt8]) {
        self.word = word
    }

    private mutating func run() {
        markVowelsAsConsonants()
        spellUmlauts()
        markRegions()
        removeInflection()
        removeComparison()
        removeDerivation()
        for place in word.indices {
            switch word[place] {
            case Self.consonantU, Self.uUmlaut: word[place] = Self.u
            case Self.consonantY: word[place] = Self.y
            case Self.aUmlaut: word[place] = Self.a
            case Self.oUmlaut: word[place] = Self.o
            default: break
            }
        }
    }
}

extension GermanStemmer {
    /// Writes "u" and "y" between vowels as "U" and "Y".
    private mutating func markVowelsAsConsonants() {
        guard word.count >= 3 else { return }
        for place in 1..<(word.count - 1) where isVowel(word[place - 1]) && isVowel(word[place + 1]) {
            if word[place] == Self.u { word[place] = Self.consonantU }
            if word[place] == Self.y { word[place] = Self.consonantY }
        }
    }

    /// Writes ae, oe, ue as umlauts, but not the "ue" of "que".
    private mutating func spellUmlauts() {
        var spelled = 0
        var place = 0
        while place < word.count {
            let next = place + 1 < word.count ? word[place + 1] : 0
            var letter = word[place]
            switch (letter, next) {
            case (Self.a, UInt8(ascii: "e")): letter = Self.aUmlaut
            case (Self.o, UInt8(ascii: "e")): letter = Self.oUmlaut
            case (Self.u, UInt8(ascii: "e")): letter = Self.uUmlaut
            case (UInt8(ascii: "q"), Self.u):
                word[spelled] = letter
                (spelled, letter) = (spelled + 1, next)
            default: place -= 1
            }
            word[spelled] = letter
            spelled += 1
            place += 2
        }
        word.removeLast(word.count - spelled)
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
        let stemCount = word.count - suffix.utf8CodeUnitCount
        switch "\(suffix)" {
        case "em":
            if !stem(of: stemCount, endsIn: "syst") { cut(to: stemCount) }
        case "e", "en", "es":
            cut(to: stemCount)
            if stem(of: word.count, endsIn: "niss") { cut(to: word.count - 1) }
        case "s":
            if isLetter(stemCount - 1, in: "bdfghklmnrt") { cut(to: stemCount) }
        case "ln", "lns": cut(to: stemCount + 1)
        default: cut(to: stemCount)
        }
    }

    /// Step 2: comparison and verb endings.
    private mutating func removeComparison() {
        guard let suffix = longestSuffix(of: Self.comparisons, from: firstRegion) else { return }
        let stemCount = word.count - suffix.utf8CodeUnitCount
        switch "\(suffix)" {
        case "st":
            if stemCount >= 4, isLetter(stemCount - 1, in: "bdfghklmnt") { cut(to: stemCount) }
        case "et":
            guard isLetter(stemCount - 1, in: "Udfgklmnrstz") || (stemCount > 0 && word[stemCount - 1] == Self.aUmlaut),
                !Self.etStems.contains(where: { stem(of: stemCount, endsIn: $0) })
            else { return }
            cut(to: stemCount)
        default: cut(to: stemCount)
        }
    }

    /// Step 3: endings that make one kind of word from another.
    private mutating func removeDerivation() {
        guard let suffix = longestSuffix(of: Self.derivations, from: secondRegion) else { return }
        let stemCount = word.count - suffix.utf8CodeUnitCount
        let shorter = stemCount - 2
        switch "\(suffix)" {
        case "end", "ung":
            cut(to: stemCount)
            if stem(of: stemCount, endsIn: "ig"), !stem(of: shorter, endsIn: "e"), shorter >= secondRegion {
                cut(to: shorter)
            }
        case "ig", "ik", "isch":
            if !stem(of: stemCount, endsIn: "e") { cut(to: stemCount) }
        case "lich", "heit":
            cut(to: stemCount)
            if stem(of: stemCount, endsIn: "er") || stem(of: stemCount, endsIn: "en"), shorter >= firstRegion {
                cut(to: shorter)
            }
        default:
            cut(to: stemCount)
            guard let second = longestSuffix(of: ["lich", "ig"], from: secondRegion) else { return }
            cut(to: stemCount - second.utf8CodeUnitCount)
        }
    }

    // The longest first.
    private static let inflections: [StaticString] = [
        "erinnen", "erin", "ern", "lns", "em", "en", "er", "es", "ln", "e", "s",
    ]
    private static let comparisons: [StaticString] = ["est", "en", "er", "et", "st"]
    private static let derivations: [StaticString] = ["isch", "lich", "heit", "keit", "end", "ung", "ig", "ik"]
    private static let etStems: [StaticString] = ["tick", "plan", "geordn", "intern", "tr"]

    /// Returns the first of `suffixes` that the word ends in; nil when it starts before `region`.
    private func longestSuffix(of suffixes: [StaticString], from region: Int) -> StaticString? {
        guard let suffix = suffixes.first(where: { stem(of: word.count, endsIn: $0) }) else { return nil }
        return word.count - suffix.utf8CodeUnitCount >= region ? suffix : nil
    }

    /// Tells whether the first `count` letters end in `suffix`.
    private func stem(of count: Int, endsIn suffix: StaticString) -> Bool {
        let start = count - suffix.utf8CodeUnitCount
        guard start >= 0 else { return false }
        for offset in 0..<suffix.utf8CodeUnitCount where word[start + offset] != suffix.utf8Start[offset] {
            return false
        }
        return true
    }

    private func isLetter(_ place: Int, in letters: StaticString) -> Bool {
        place >= 0 && letters.withUTF8Buffer { $0.contains(word[place]) }
    }

    private mutating func cut(to count: Int) {
        word.removeLast(word.count - count)
    }

    private func isVowel(_ letter: UInt8) -> Bool {
        switch letter {
        case Self.a, UInt8(ascii: "e"), UInt8(ascii: "i"), Self.o, Self.u, Self.y, Self.aUmlaut, Self.oUmlaut,
            Self.uUmlaut:
            true
        default: false
        }
    }
}
