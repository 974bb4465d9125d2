/// Estimates how many tokens a text has, for budgets and batches without the model's own tokenizer.
///
/// The estimate is an upper one: Latin script has about 4 letters per token in the vocabularies of GPT and Llama, we
/// count 3. Every character of other scripts counts as one token, and those outside the basic plane (emoji) as two. Of
/// numbers and punctuation, which those tokenizers split finely, we count 2 per token.
public enum TokenEstimate {
    /// Returns an upper estimate of the tokens in `text`.
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
