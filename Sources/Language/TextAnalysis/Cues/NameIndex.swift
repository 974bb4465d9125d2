import ChatCore

/// The names of the people in a scope, prepared to be found in questions.
///
/// Building it takes some microseconds per person; it can be kept until a name changes. Case and accents are folded. A
/// name is only recognised if it is written with a capital in the middle of a sentence or is not an ordinary word, so
/// that "when will it ship" does not name Will.
package struct NameIndex: Sendable {
    /// One way to write one person's name.
    struct Entry {
        let tokens: [String]
        let kind: PersonMention.Kind
        let person: Int
    }

    /// The owner of parts that begin with a prefix.
    enum PrefixOwner {
        case one(Int)
        case several
    }

    private(set) var ids: [UserID]
    private(set) var entries: [String: [Entry]] = [:]
    private(set) var prefixes: [String: PrefixOwner] = [:]
    private(set) var handles: [String: [Int]] = [:]

    /// Collects the names of `participants`.
    package init(_ participants: [Participant]) {
        ids = []
        for participant in participants { add(participant) }
    }

    /// Returns the same names with those of other people.
    package func adding(_ participants: [Participant]) -> NameIndex {
        var index = self
        for participant in participants { index.add(participant) }
        return index
    }

    private mutating func add(_ participant: Participant) {
        let (person, name) = (ids.count, participant.displayName)
        ids.append(participant.id)
        add(name, .fullName, person)
        for alias in participant.aliases { add(alias, .alias, person) }
        handles[participant.id.rawValue.lowercased(), default: []].append(person)
        addParts(of: name, person)
    }

    /// Takes a whole name, and the same without titles before it.
    private mutating func add(_ name: String, _ kind: PersonMention.Kind, _ person: Int) {
        let tokens = NameToken.all(in: name).map(\.word)
        guard let first = tokens.first else { return }
        entries[first, default: []].append(Entry(tokens: tokens, kind: kind, person: person))
        let plain = Array(tokens.drop { Self.titles.contains($0) })
        if let first = plain.first, plain.count < tokens.count {
            entries[first, default: []].append(Entry(tokens: plain, kind: kind, person: person))
        }
    }

    private mutating func addParts(of name: String, _ person: Int) {
        let pieces = name.split(whereSeparator: { $0.isWhitespace || $0 == "-" || $0 == "_" || $0 == "," || $0 == "." })
        for piece in pieces {
            let tokens = NameToken.all(in: String(piece))
            guard let first = tokens.first, !Self.noNames.contains(first.word) else { continue }
            if first.isIdeograph {
                addIdeographs(tokens.map(\.word), isWholeName: pieces.count == 1, person)
            } else if tokens.count == 1, first.word.isNamePart {
                if pieces.count > 1 { add(String(piece), .part, person) }
                for length in 3..<first.word.count { own(String(first.word.prefix(length)), person) }
            }
        }
    }

    /// In a name that is written without blanks, the first two letters are most often the family name.
    private mutating func addIdeographs(_ letters: [String], isWholeName: Bool, _ person: Int) {
        guard letters.count >= 2 else { return }
        if !isWholeName {
            entries[letters[0], default: []].append(Entry(tokens: letters, kind: .part, person: person))
        } else if letters.count > 2 {
            own(letters[0] + letters[1], person)
        }
    }

    private mutating func own(_ prefix: String, _ person: Int) {
        switch prefixes[prefix] {
        case nil: prefixes[prefix] = .one(person)
        case .one(let owner) where owner != person: prefixes[prefix] = .several
        default: break
        }
    }

    /// Pieces of display names that name nobody.
    private static let noNames = NeighbourLanguage.all.reduce(
        Language.all.reduce(titles) { $0.union($1.names.particles) }
    ) { $0.union($1.particles) }
    /// Words that may come before a name.
    private static let titles = Language.all.reduce(into: Set<String>()) { $0.formUnion($1.names.titles) }
}

extension String {
    /// Whether a folded piece of a name can be used alone: at least 3 letters, not only digits.
    fileprivate var isNamePart: Bool {
        count >= 3 && unicodeScalars.contains { !("0"..."9").contains($0) }
    }
}

/// A word of a text, or one letter of Han, kana or Hangul, with the properties of its writing.
struct NameToken {
    let word: String
    let range: Range<Int>
    let isIdeograph: Bool
    /// Whether it starts with a capital, or has a script without them.
    let isCapitalised: Bool

    static func all(in text: String) -> [NameToken] {
        TextAnalyzer.tokens(of: text, language: .other).compactMap { token in
            guard token.kind != .bigram else { return nil }
            let first = text.part(utf8: token.range).unicodeScalars.first
            return NameToken(
                word: token.word, range: token.range, isIdeograph: token.kind == .unigram,
                isCapitalised: first.map { !$0.properties.isLowercase && !("0"..."9").contains($0) } ?? false)
        }
    }
}
