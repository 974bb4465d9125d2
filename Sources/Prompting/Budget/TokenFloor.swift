/// A count that the tokens of a text do not fall below: the counterpart of `TokenEstimate`, which errs upwards.
///
/// The vocabularies in use do not join words across white space, so that each word is a token at least. Scripts
/// without blanks between words are counted as four letters to a token, more than any vocabulary joins on average;
/// signs and emoji do not count.
enum TokenFloor {
    /// Returns a lower guess of the tokens in `text`.
    static func count(_ text: String) -> Int {
        var words = 0
        var unspaced = 0
        var isInWord = false
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                isInWord = false
            } else if scalar.value >= 0x0E00 {
                if scalar.properties.isAlphabetic { unspaced += 1 }
            } else if !isInWord, scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) {
                words += 1
                isInWord = true
            }
        }
        return words + unspaced / 4
    }
}
