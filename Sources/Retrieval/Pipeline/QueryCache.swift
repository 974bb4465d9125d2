package import ChatCore
import Synchronization

/// The vectors of the questions that were asked last: the same question again, or its next page, costs no request.
///
/// Kept in memory alone. Two tables take turns: what is asked for moves to the younger one, and when that is full the
/// older one is forgotten.
package final class QueryCache: Sendable {
    private struct Key: Hashable {
        let generation: GenerationNumber
        let text: String
    }

    private struct Tables {
        var young: [Key: [Float]] = [:]
        var old: [Key: [Float]] = [:]

        mutating func keep(_ vector: [Float], _ key: Key, capacity: Int) {
            if young.count >= capacity / 2, young[key] == nil {
                old = young
                young = [:]
            }
            young[key] = vector
        }
    }

    private let capacity: Int
    private let tables = Mutex(Tables())

    /// Makes a cache of at most `capacity` questions.
    package init(capacity: Int = 2_048) {
        self.capacity = max(2, capacity)
    }

    /// Returns the vector of a question in a generation, if it is known.
    package func vector(of text: String, in generation: GenerationNumber) -> [Float]? {
        let key = Key(generation: generation, text: text)
        return tables.withLock { tables in
            guard let known = tables.young[key] ?? tables.old[key] else { return nil }
            tables.keep(known, key, capacity: capacity)
            return known
        }
    }

    /// Keeps the vector of a question.
    package func keep(_ vector: [Float], of text: String, in generation: GenerationNumber) {
        tables.withLock { $0.keep(vector, Key(generation: generation, text: text), capacity: capacity) }
    }
}
