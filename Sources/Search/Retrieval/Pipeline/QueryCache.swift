package import ChatCore
import Synchronization

/// The vectors of recent questions, so that the same question, or its next page, costs no request.
///
/// Kept in memory only. There are two tables: questions that are asked move to the younger one. When that is full, it
/// becomes the older one, and the previous older one is dropped.
package final class QueryCache: Sendable {
    private struct Key: Hashable {
        let generation: GenerationNumber
        let text: String
    }

    private struct Table {
        var vectors: [Key: [Float]] = [:]
        var byteCount = 0

        mutating func keep(_ vector: [Float], _ key: Key) {
            if vectors.updateValue(vector, forKey: key) == nil {
                byteCount += QueryCache.byteCount(of: vector, key.text)
            }
        }
    }

    private struct Tables {
        var young = Table()
        var old = Table()

        mutating func keep(_ vector: [Float], _ key: Key, capacity: Int, byteLimit: Int) {
            let size = QueryCache.byteCount(of: vector, key.text)
            guard size <= byteLimit / 2 else { return }
            let isFull = young.vectors.count >= capacity / 2 || young.byteCount + size > byteLimit / 2
            if isFull, young.vectors[key] == nil {
                old = young
                young = Table()
            }
            young.keep(vector, key)
        }
    }

    private let capacity: Int
    private let byteLimit: Int
    private let tables = Mutex(Tables())

    /// Makes a cache of at most `capacity` questions, which take at most about `byteLimit` bytes.
    package init(capacity: Int = 2_048, byteLimit: Int = 16 << 20) {
        self.capacity = max(2, capacity)
        self.byteLimit = byteLimit
    }

    /// About how many bytes the vectors take.
    package var byteCount: Int { tables.withLock { $0.young.byteCount + $0.old.byteCount } }

    /// Returns the vector of a question in a generation, if it is known.
    package func vector(of text: String, in generation: GenerationNumber) -> [Float]? {
        let key = Key(generation: generation, text: text)
        return tables.withLock { tables in
            guard let known = tables.young.vectors[key] ?? tables.old.vectors[key] else { return nil }
            tables.keep(known, key, capacity: capacity, byteLimit: byteLimit)
            return known
        }
    }

    /// Keeps the vector of a question.
    package func keep(_ vector: [Float], of text: String, in generation: GenerationNumber) {
        let key = Key(generation: generation, text: text)
        tables.withLock { $0.keep(vector, key, capacity: capacity, byteLimit: byteLimit) }
    }

    private static func byteCount(of vector: [Float], _ text: String) -> Int {
        160 + text.utf8.count + vector.count * MemoryLayout<Float>.stride
    }
}
