/// Where a fact of a sentence is stated in the sources, and where another of its kind is.
struct FactPlaces {
    /// A word of a source.
    struct Place: Hashable {
        let source: Int
        /// -1 for a message as a whole: who wrote it is said nowhere in it.
        let word: Int
        /// How surely it states the fact.
        var weight: Float = 1

        /// A number for the place, however surely it states something: words and sources are limited.
        var key: Int { source << 32 | (word + 1) }
    }

    enum Kind: Hashable { case quantity, time, day, name }

    let kind: Kind
    /// The word of the sentence.
    let word: Int
    /// How well the best source states it: 0...1.
    var match: Float = 0
    var matches: [Place] = []
    var rivals: [Place] = []
    /// Whether a source must state it.
    var isSure = true
    /// Whether one of the chosen sources has a rival.
    var hasOwnRival = false
}
