/// A count that the tokens of a text do not fall below: the counterpart of `TokenEstimate`, which errs upwards.
///
/// The vocabularies in use do not join words across white space, so that each word is a token at least. Scripts
/// without blanks between words are counted as four characters to a token, more than any vocabulary joins on average.
enum TokenFloor {
    /// Returns a lower guess of the tokens in `text`.
    static func count(_ text: String) -> Int {
        var words = 0
        var unspaced = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            let isUnspaced = scalar.value >= 0x0E00
            if isUnspaced { unspaced += 1 }
            let isWordPart = !isUnspaced && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
            let endsWord = isUnspaced || scalar.properties.isWhitespace
            if isWordPart, !isInWord {
                words += 1
                isInWord = true
            } else if endsWord {
                isInWord = false
            }
        }
        return words + unspaced / 4
    }
}
