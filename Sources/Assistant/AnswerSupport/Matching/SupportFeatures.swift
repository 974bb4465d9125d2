/// What is compared between a sentence and sources: the input of ``SupportModel``.
package struct SupportFeatures: Hashable, Sendable {
    /// The share of the sentence's content that no word of the sources resembles.
    package var uncovered: Double = 1
    /// The same for the words that are resembled least.
    package var weakest: Double = 1
    /// The share that is not resembled in the best part of one source.
    package var scattered: Double = 1
    /// How many facts no source has.
    package var missing = 0.0
    /// How many facts are different in the sources.
    package var conflicts = 0.0
    /// How much better another fact of the same kind fits the words around a fact.
    package var misplaced = 0.0
    /// Names that no source has.
    package var unknownNames = 0.0
    /// How much better another person fits the words around a name.
    package var otherPerson = 0.0
    /// Whether one side negates what the other states.
    package var negation = 0.0
    /// Whether one side has the opposite word.
    package var opposite = 0.0
    /// Words that the sources reject ("instead of"), or the sentence.
    package var rejection = 0.0
    /// The share of pairs of facts in another order.
    package var reversed = 0.0
    /// Whether events, roles or numbers are turned round: "first B, then A" for "first A, then B".
    package var swapped = 0.0
    /// How far one word without likeness stands out among words that the sources have.
    package var foreign = 0.0
    /// The share of the least covered part of the sentence that no word resembles.
    package var weakPart = 0.0
    /// The share of its words that one side negates and the other states.
    package var negatedShare = 0.0
    /// Facts that the sources state: none, one, or more.
    package var confirmed = 0.0
    /// The share of its words that only a question has.
    package var asked = 0.0

    package init(
        uncovered: Double = 1, weakest: Double = 1, scattered: Double = 1, conflicts: Double = 0, confirmed: Double = 0
    ) {
        (self.uncovered, self.weakest, self.scattered) = (uncovered, weakest, scattered)
        (self.conflicts, self.confirmed) = (conflicts, confirmed)
    }

    package static let names = [
        "uncovered", "weakest", "scattered", "missing", "conflicts", "misplaced", "unknownNames", "otherPerson",
        "negation", "opposite", "rejection", "reversed", "swapped", "foreign", "weakPart", "negatedShare", "confirmed",
        "asked",
    ]

    /// The features in the order of ``names``.
    package var values: [Double] {
        [
            uncovered, weakest, scattered, missing, conflicts, misplaced, unknownNames, otherPerson, negation, opposite,
            rejection, reversed, swapped, foreign, weakPart, negatedShare, confirmed, asked,
        ]
    }
}
