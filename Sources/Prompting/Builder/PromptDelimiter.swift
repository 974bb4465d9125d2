/// Draws the code that fences the sources of one prompt.
///
/// Who writes a message cannot know it, and so cannot write the end of the fence.
enum PromptDelimiter {
    /// Letters and digits that are not mistaken for one another: 5 bits each.
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    /// 80 bits.
    private static let length = 16

    /// Returns a code that none of `texts` holds.
    ///
    /// Each further draw is longer, so that it ends whatever the generator and the texts are.
    static func draw(avoiding texts: [String], using generator: inout some RandomNumberGenerator) -> String {
        var length = length
        while true {
            let code = String((0..<length).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] })
            if !texts.contains(where: { $0.contains(code) }) { return code }
            length += 4
        }
    }
}
