/// How one language says that something is no longer so, and what only sounds like it.
///
/// Words are folded, and phrases have one blank between their words, as everywhere in ``Language``. Those of Japanese
/// are found anywhere in the text as it is written.
package struct ChangeWords: Sendable {
    /// They replace an earlier statement: "moved to", "instead", "after all".
    package var strong: Set<String> = []
    /// They replace what was decided: "after all", "instead of"; they are among the strong ones.
    package var reversals: Set<String> = []
    /// They correct what was said, also in the sentences behind: "correction"; they are strong ones.
    package var corrections: Set<String> = []
    /// As the first words of a clause they are strong: "new date: 12 October", but not "about the new date".
    package var announcements: Set<String> = []
    /// They may: "now".
    package var weak: Set<String> = []
    /// Those of them that are strong directly before a day, a time or a price: "now on 12 October".
    package var now: Set<String> = []
    /// As the first words they may: "then we sail on the 12th".
    package var conclusions: Set<String> = []
    /// Around the first of two values, and around the second: "from 12 to 15".
    ///
    /// In Japanese behind them.
    package var origins: Set<String> = []
    package var targets: Set<String> = []
    /// They end what was said: "cancelled".
    package var endings: Set<String> = []
    /// Two words, one behind the other, that end it together: "not" and "anymore".
    package var split: [(String, String)] = []
    /// Before a value that no longer counts: "not", "instead of".
    ///
    /// In Japanese behind it.
    package var formerMarks: Set<String> = []
    /// Those of them that also say that something is done: behind "was moved to" stands the new value.
    package var passives: Set<String> = []
    /// Of a wish, a proposal or a condition: "could we", "if".
    package var proposals: Set<String> = []
    /// The same as the first word of a clause only.
    package var conditions: Set<String> = []
    /// Somebody is asked to do something: "please".
    package var requests: Set<String> = []
    /// The last days of a month or a week: "the end of October" is no day of it.
    package var ends: Set<String> = []
    /// How a proposal is accepted.
    package var acceptances: Set<String> = []
    /// How it is refused.
    package var refusals: Set<String> = []
    /// Something was decided.
    package var decisions: Set<String> = []
    /// Somebody is in charge: "takes over".
    package var roles: Set<String> = []
    /// Before a place: "in".
    ///
    /// In Japanese behind it.
    package var placeMarks: Set<String> = []
    /// Words that have a number or a name for a place: "room".
    package var rooms: Set<String> = []
    /// Words around a value that say nothing of what it is about: "planned", "begins".
    package var plain: Set<String> = []

    /// Before the number of the message that replaces another.
    package var replacedBy = "replaced by"

    /// The longest phrase, in words.
    package static let phraseLength = 4
}

/// Returns the phrases of a list that commas or line breaks separate.
func phraseSet(_ list: String) -> Set<String> {
    Set(
        list.split { $0 == "," || $0.isNewline }.map { phrase in
            phrase.split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty })
}
