/// Reduces French words to stems by Savoy's light stemmer "UniNE".
///
/// Source: Jacques Savoy, "Light Stemming Approaches for the French, Portuguese, German and Hungarian Languages", 2006
/// (https://doi.org/10.1145/1141277.1141523), with the rules of Lucene
/// (https://lucene.apache.org/core/9_12_0/analysis/common/org/apache/lucene/analysis/fr/FrenchLightStemmer.html). Words
/// have no accents here, so endings are written without them.
struct FrenchStemmer {
    private var word: [UInt8]

    /// Returns the stem of a folded word; words with other letters than a–z stay as they are.
    static func stem(_ word: String) -> String {
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return word }
        var stemmer = FrenchStemmer(word: Array(word.utf8))
        stemmer.removePlural()
        stemmer.replaceEnding()
        stemmer.normalise()
        return String(decoding: stemmer.word, as: UTF8.self)
    }

    private init(word: [UInt8]) { self.word = word }
}

extension FrenchStemmer {
    /// Chevaux → cheval, hiboux → hibou, barons → baron.
    private mutating func removePlural() {
        if word.count > 5, ends("x") {
            let isLetterL = ends("aux") && !ends("eaux")
            word.removeLast()
            if isLetterL { replace(1, "l") }
        }
        if word.count > 3, ends("x") { word.removeLast() }
        if word.count > 3, ends("s") { word.removeLast() }
    }

    /// Takes the first ending that fits; some let the later ones follow.
    private mutating func replaceEnding() {
        for rule in Self.rules where word.count > rule.leastCount && ends(rule.ending) {
            replace(rule.ending.utf8CodeUnitCount, rule.replacement)
            if rule.isLast { return }
        }
    }

    /// Doubled letters become one; "ie", "r" and "e" at the end are removed.
    private mutating func normalise() {
        if word.count > 4 {
            var kept: [UInt8] = []
            for byte in word where byte != kept.last || !Self.isLetter(byte) { kept.append(byte) }
            word = kept
        }
        if word.count > 4, ends("ie") { word.removeLast(2) }
        guard word.count > 4 else { return }
        if ends("r") { word.removeLast() }
        if ends("e") { word.removeLast() }
        if ends("e") { word.removeLast() }
        if let last = word.last, Self.isLetter(last), word.dropLast().last == last { word.removeLast() }
    }

    private struct Rule {
        let ending: StaticString
        /// A word of at most this length keeps the ending.
        let leastCount: Int
        let replacement: StaticString
        let isLast: Bool

        init(_ ending: StaticString, over leastCount: Int, _ replacement: StaticString, isLast: Bool = true) {
            (self.ending, self.leastCount, self.replacement, self.isLast) = (ending, leastCount, replacement, isLast)
        }
    }

    private static let rules = [
        Rule("issement", over: 9, "ir"), Rule("issant", over: 8, "ir"), Rule("ivement", over: 7, "if"),
        Rule("ement", over: 6, "e"), Rule("ficatrice", over: 11, "fier"), Rule("ficateur", over: 10, "fier"),
        Rule("catrice", over: 9, "quer"), Rule("cateur", over: 8, "quer"), Rule("atrice", over: 8, "er"),
        Rule("ateur", over: 7, "er"), Rule("trice", over: 6, "teur", isLast: false), Rule("ieme", over: 5, ""),
        Rule("teuse", over: 7, "ter"), Rule("teur", over: 6, "ter"), Rule("euse", over: 5, "eu"),
        Rule("ere", over: 8, "er"), Rule("ive", over: 7, "if"), Rule("folle", over: 4, "fou"),
        Rule("molle", over: 4, "mou"), Rule("nnelle", over: 9, "n"), Rule("nnel", over: 9, "n"),
        Rule("ete", over: 4, "et", isLast: false), Rule("ique", over: 8, "", isLast: false),
        Rule("esse", over: 8, "e"), Rule("inage", over: 7, "in"), Rule("ualisation", over: 12, "uel"),
        Rule("isation", over: 9, ""), Rule("ation", over: 8, ""), Rule("ition", over: 8, ""),
    ]

    private func ends(_ ending: StaticString) -> Bool {
        ending.withUTF8Buffer { word.count >= $0.count && word.suffix($0.count).elementsEqual($0) }
    }

    private mutating func replace(_ count: Int, _ replacement: StaticString) {
        word.removeLast(count)
        replacement.withUTF8Buffer { word.append(contentsOf: $0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }
}
