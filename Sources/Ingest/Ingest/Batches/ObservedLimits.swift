import ChatCore
import Synchronization

/// How long passages may be, as far as services have refused longer ones; for the life of the process.
///
/// A service counts with its own tokenizer, and an estimate is further off for some writing systems than for others. So
/// what a Thai message has shown does not shorten English ones.
final class ObservedLimits: Sendable {
    /// A kind of text: about the same number of tokens for an estimated one.
    private enum Writing: Hashable {
        /// Words with spaces between them.
        case spaced
        /// Letters without spaces, as in Thai and Japanese.
        case unspaced
        /// Mostly digits, signs or very long words.
        case dense
    }

    private struct Key: Hashable {
        let service: ModelServiceName
        let writing: Writing
    }

    private let limits = Mutex<[Key: Int]>([:])

    /// Notes that a service refused a text, and that parts of `tokenCount` tokens are tried instead.
    func learn(_ text: String, _ tokenCount: Int, of service: ModelServiceName) {
        let key = Key(service: service, writing: Self.writing(of: text))
        limits.withLock { $0[key] = min(tokenCount, $0[key] ?? .max) }
    }

    /// Returns how long passages like this one may be; nil if no refusal is known.
    func tokenCount(for text: String, of service: ModelServiceName) -> Int? {
        guard limits.withLock({ !$0.isEmpty }) else { return nil }
        let key = Key(service: service, writing: Self.writing(of: text))
        return limits.withLock { $0[key] }
    }

    private static func writing(of text: String) -> Writing {
        var (spaced, unspaced, other, words) = (0, 0, 0, 1)
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                words += 1
            } else if !scalar.properties.isAlphabetic {
                other += 1
            } else if isUnspaced(scalar.value) {
                unspaced += 1
            } else {
                spaced += 1
            }
        }
        if unspaced >= spaced, unspaced >= other { return .unspaced }
        return other > spaced || spaced > 20 * words ? .dense : .spaced
    }

    /// From Thai to Burmese, Khmer, and the scripts of East Asia.
    private static func isUnspaced(_ value: UInt32) -> Bool {
        (0x0E00..<0x10A0).contains(value) || (0x1780..<0x1800).contains(value) || value >= 0x2E80
    }
}
