/// A guess of how many tokens a text has, for budgets and batches where the model's own tokenizer is not at hand.
///
/// It errs upwards: Latin script has about 4 letters to a token with the GPT and Llama families' vocabularies, we
/// count 3; every character of other scripts counts as one, and those outside the basic plane (emoji) as two. Numbers
/// and punctuation, which those tokenizers cut finely, count 2 to a token.
public enum TokenEstimate {
    /// Returns an upper guess of the tokens in `text`.
    public static func count(_ text: some StringProtocol) -> Int {
        var sixths = 0
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x20, 0x41...0x5A, 0x61...0x7A: sixths += 2
            case 0..<0x80: sixths += 3
            case 0x80..<0x250: sixths += 4
            case 0x250..<0x10000: sixths += 6
            default: sixths += 12
            }
        }
        return (sixths + 5) / 6
    }
}
