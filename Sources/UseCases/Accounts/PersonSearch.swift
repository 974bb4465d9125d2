package import ChatCore
import Foundation

/// Finds people by what somebody types of their names or ids.
package enum PersonSearch {
    /// Returns people with a word that begins with the text, in the name or in the id.
    ///
    /// Case and accents do not count.
    ///
    /// - Parameters:
    ///   - people: The people.
    ///   - text: The text; an empty one finds everybody.
    ///   - limit: The most people.
    /// - Returns: First those whose name or id begins with the text, then by name, then by id.
    package static func best(of people: [IdentifiedPerson], matching text: String, limit: Int) -> [IdentifiedPerson] {
        let wanted = folded(text).trimmingCharacters(in: .whitespaces)
        let found = people.compactMap { person -> (rank: Int, name: String, person: IdentifiedPerson)? in
            let name = folded(person.name ?? person.id.rawValue)
            let best = min(rank(of: name, for: wanted), rank(of: folded(person.id.rawValue), for: wanted))
            return best < 2 ? (best, name, person) : nil
        }
        return found.sorted { ($0.rank, $0.name, $0.person.id) < ($1.rank, $1.name, $1.person.id) }
            .prefix(limit).map(\.person)
    }

    /// 0 if a text begins with the wanted one, 1 if one of its words does, else 2.
    private static func rank(of text: String, for wanted: String) -> Int {
        if text.hasPrefix(wanted) { return 0 }
        var rest = text[...]
        while let place = rest.firstIndex(where: { !$0.isLetter && !$0.isNumber }) {
            rest = rest[rest.index(after: place)...]
            if rest.hasPrefix(wanted) { return 1 }
        }
        return 2
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }
}
