import TextAnalysis

/// The words of one language that decide whether two texts state the same: numbers, units, negations, opposites.
///
/// Words are folded as `TextAnalyzer` folds them: lower case, without accents. Japanese words are looked up in the text
/// as they are written.
struct ClaimWords: Sendable {
    /// Cardinals that are added up: "twenty five", "siebzehn".
    var numbers: [String: Double] = [:]
    /// Words that multiply what is before them: hundred, thousand.
    var multipliers: [String: Double] = [:]
    /// Between the words of a number: "two hundred and forty", "treinta y cinco".
    var numberJoints: Set<String> = []
    /// "Third", "dritter".
    var ordinals: [String: Double] = [:]
    /// "Half" before or behind a unit.
    var halves: Set<String> = []
    /// Whole phrases with an amount: "fortnight", "quinze jours".
    var amounts: [String: (value: Double, unit: Unit)] = [:]
    var units: [String: Unit] = [:]
    /// "Not", "nobody", "kein".
    var negations: Set<String> = []
    /// Words behind which something else is rejected: "instead of", "previously".
    var rejections: Set<String> = []
    /// Words before a negation that rejects the word behind it: "but not", "und nicht".
    var contrasts: Set<String> = []
    /// Two sides that exclude each other: "before" and "after".
    var opposites: [(Set<String>, Set<String>)] = []
    /// Words that say of what is beside them that it is not so: "cancelled", "missing", "free" of charge.
    var impliedNegations: Set<String> = []
    /// Words that are too frequent to distinguish messages, but decide what is stated: "against", "other".
    var telling: Set<String> = []
    /// "Said", "wrote", "according": about a message, not in it.
    var reports: Set<String> = []
    /// Words by which writers speak of themselves.
    var writer: Set<String> = []
    /// Words that answers add without stating anything: "takes", "place", "also".
    var fillers: Set<String> = []
    /// Phrases by which an answer says that it does not know; looked up in the folded words with one blank between.
    var ignorance: [String] = []
    /// Single words of greetings and thanks.
    var courtesies: Set<String> = []
    /// "Before", "bevor": what is behind it happens later.
    var before: Set<String> = []
    /// "After", "nachdem": what is behind it happens earlier.
    var after: Set<String> = []
    /// "First", "zuerst": the first of several steps.
    var first: Set<String> = []
    /// "Then", "danach": the next step.
    var next: Set<String> = []
    /// "Than", "als": what is behind it is exceeded.
    var than: Set<String> = []
    /// Words for a higher and a lower degree: "more", "weniger".
    var more: Set<String> = []
    var less: Set<String> = []
    /// Endings of comparatives: "faster".
    var comparativeEndings: [String] = []
    /// Words before a name or number that say which part it has, with a form for all that say the same.
    var roles: [String: String] = [:]
    /// Words that begin a new clause: "but", "because".
    var clauseLeads: Set<String> = []

    private static let byLanguage: [TextLanguage: ClaimWords] = [
        .english: english, .german: german, .japanese: japanese, .french: french, .spanish: spanish,
    ]

    /// Returns the words of a language; those of English for ``TextLanguage/other``, which often cites it.
    static func of(_ language: TextLanguage) -> ClaimWords { byLanguage[language] ?? english }

    /// Looks up the side of each word of ``opposites``: the pair's number, positive for the first side.
    static func sides(of language: TextLanguage) -> [String: [Int]] { sidesByLanguage[language] ?? [:] }

    private static let sidesByLanguage = byLanguage.mapValues { words in
        var sides: [String: [Int]] = [:]
        for (place, pair) in words.opposites.enumerated() {
            for word in pair.0 { sides[word, default: []].append(place + 1) }
            for word in pair.1 { sides[word, default: []].append(-place - 1) }
        }
        return sides
    }
}

/// A unit of a quantity, and how much of its dimension's base unit it is.
struct Unit: Hashable, Sendable {
    /// What is measured; quantities of different dimensions are never equal.
    enum Dimension: String, Sendable {
        case time, months, length, mass, data, percent, temperature, speed, volume, energy
        case euro, dollar, pound, yen, franc
    }

    let dimension: Dimension
    let factor: Double

    init(_ dimension: Dimension, _ factor: Double = 1) {
        (self.dimension, self.factor) = (dimension, factor)
    }

    var isMoney: Bool {
        switch dimension {
        case .euro, .dollar, .pound, .yen, .franc: true
        default: false
        }
    }

    /// Signs and symbols that all languages share; time in minutes, length in metres, mass in grams.
    static let shared: [String: Unit] = [
        "%": .init(.percent), "€": .init(.euro), "eur": .init(.euro), "euro": .init(.euro), "euros": .init(.euro),
        "$": .init(.dollar), "usd": .init(.dollar), "£": .init(.pound), "gbp": .init(.pound), "¥": .init(.yen),
        "jpy": .init(.yen), "chf": .init(.franc), "min": .init(.time, 1), "h": .init(.time, 60),
        "s": .init(.time, 1.0 / 60), "km": .init(.length, 1_000), "m": .init(.length, 1), "cm": .init(.length, 0.01),
        "mm": .init(.length, 0.001), "kg": .init(.mass, 1_000), "g": .init(.mass, 1), "t": .init(.mass, 1_000_000),
        "kb": .init(.data, 1e3), "mb": .init(.data, 1e6), "gb": .init(.data, 1e9), "tb": .init(.data, 1e12),
        "ko": .init(.data, 1e3), "mo": .init(.data, 1e6), "go": .init(.data, 1e9), "to": .init(.data, 1e12),
        "kwh": .init(.energy, 1), "mwh": .init(.energy, 1_000), "l": .init(.volume, 1), "ml": .init(.volume, 0.001),
        "m3": .init(.volume, 1_000), "m³": .init(.volume, 1_000), "km/h": .init(.speed, 1),
        "mph": .init(.speed, 1.609344), "kmh": .init(.speed, 1), "°": .init(.temperature), "°c": .init(.temperature),
        "kilo": .init(.mass, 1_000), "kilos": .init(.mass, 1_000),
    ]
}

/// Returns the words of a list that blanks and line breaks separate.
func wordSet(_ list: String) -> Set<String> {
    Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
}

/// Returns a table from lists of words, each with its value in front: "1 one, 2 two".
func wordTable(_ list: String) -> [String: Double] {
    var table: [String: Double] = [:]
    for entry in list.split(separator: ",") {
        let parts = entry.split(whereSeparator: \.isWhitespace)
        guard let value = parts.first.flatMap({ Double($0) }) else { continue }
        for word in parts.dropFirst() { table[String(word)] = value }
    }
    return table
}

/// Returns pairs of opposites from lines of the form "before earlier / after later".
func oppositePairs(_ list: String) -> [(Set<String>, Set<String>)] {
    list.split(whereSeparator: \.isNewline).compactMap { line in
        let sides = line.split(separator: "/").map { wordSet(String($0)) }
        return sides.count == 2 ? (sides[0], sides[1]) : nil
    }
}
