/// Reduces Spanish nouns and adjectives to stems by Savoy's light stemmer: endings of number and gender go.
///
/// Source: Jacques Savoy, "Report on CLEF-2001 Experiments", 2002 (https://doi.org/10.1007/3-540-45691-0_3), with the
/// rules as Lucene has them
/// (https://lucene.apache.org/core/9_12_0/analysis/common/org/apache/lucene/analysis/es/SpanishLightStemmer.html).
enum SpanishStemmer {
    /// Returns the stem of a folded word; words of fewer than 5 letters stay as they are.
    static func stem(_ word: String) -> String {
        guard word.utf8.count >= 5 else { return word }
        if word.hasSuffix("eses") { return String(word.dropLast(2)) }
        if word.hasSuffix("ces") { return word.dropLast(3) + "z" }
        for ending in ["os", "as", "es", "o", "a", "e"] where word.hasSuffix(ending) {
            return String(word.dropLast(ending.count))
        }
        return word
    }
}
