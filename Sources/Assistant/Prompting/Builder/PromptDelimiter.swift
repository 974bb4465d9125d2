import Crypto
import Foundation

/// Draws the code that fences the sources of one prompt.
///
/// The author of a message cannot know it, and so cannot write the end of the fence.
enum PromptDelimiter {
    /// Letters and digits that are not mistaken for one another: 5 bits each.
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    /// 80 bits.
    static let usualLength = 16

    /// Returns a code that none of the texts contains.
    ///
    /// - Parameters:
    ///   - texts: The texts between the fences.
    ///   - others: Further texts of the prompt.
    ///   - length: How many characters it has, 5 bits each.
    ///   - generator: Draws the code; a ``PromptKeyGenerator`` always the same one for the same fenced texts.
    /// - Returns: The code.
    static func draw(
        avoiding texts: [String], and others: [String] = [], length: Int = usualLength,
        using generator: inout some RandomNumberGenerator
    ) -> String {
        guard let keyed = generator as? PromptKeyGenerator else {
            return code(length, avoiding: texts + others, using: &generator)
        }
        var own = keyed.generator(for: texts)
        return code(length, avoiding: texts + others, using: &own)
    }

    /// Each further draw is longer, so that it ends for every generator and every text.
    private static func code(
        _ length: Int, avoiding texts: [String], using generator: inout some RandomNumberGenerator
    ) -> String {
        var length = length
        while true {
            let code = String((0..<length).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] })
            if !texts.contains(where: { $0.contains(code) }) { return code }
            length += 4
        }
    }
}

/// Draws the delimiters of a process's prompts: the same one for the same fenced texts, so that the service finds a
/// repeated prompt in its cache, and another one for other texts.
///
/// It is derived from the texts with a key that is drawn once and never leaves the process, so that nobody can know the
/// delimiter of a message while writing it.
package struct PromptKeyGenerator: RandomNumberGenerator {
    private static let key = SymmetricKey(size: .bits256)

    package init() {}

    /// Returns a random number.
    package mutating func next() -> UInt64 {
        var random = SystemRandomNumberGenerator()
        return random.next()
    }

    /// Returns the generator of the delimiter of these texts.
    func generator(for texts: [String]) -> some RandomNumberGenerator {
        var digest = HMAC<SHA256>(key: Self.key)
        for text in texts {
            // The lengths keep the borders between the texts apart.
            digest.update(data: Data("\(text.utf8.count):\(text)".utf8))
        }
        return DigestGenerator(key: SymmetricKey(data: Data(digest.finalize())))
    }
}

/// The numbers that a key decides.
private struct DigestGenerator: RandomNumberGenerator {
    let key: SymmetricKey
    private var place = 0

    init(key: SymmetricKey) {
        self.key = key
    }

    mutating func next() -> UInt64 {
        place += 1
        let code = HMAC<SHA256>.authenticationCode(for: Data("\(place)".utf8), using: key)
        return code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
