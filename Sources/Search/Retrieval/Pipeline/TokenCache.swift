package import ChatCore
import Synchronization

/// The token vectors of recently used texts, in memory only.
///
/// The texts are not kept. Each is identified by 128 bits of a hash with a key that is random for each process. Any
/// number of tasks may use the cache at once; if two need the same text at the same time, both may encode it.
package final class TokenCache: Sendable {
    /// 64 MB: about 4,800 messages of 33 tokens, the average of LoCoMo.
    package static let defaultByteLimit = 64 << 20
    /// About how many bytes an entry takes besides its vectors.
    package static let entryOverhead = 160

    private let encoder: any TokenEncoder
    private let store: Mutex<Store>

    /// Starts empty.
    ///
    /// - Parameters:
    ///   - encoder: Encodes texts that are not in the cache.
    ///   - byteLimit: The most bytes that the entries may take; 0 keeps none.
    package init(encoder: any TokenEncoder, byteLimit: Int = defaultByteLimit) {
        self.encoder = encoder
        store = Mutex(Store(byteLimit: byteLimit))
    }

    /// The bytes that the entries take, never more than the limit.
    package var byteCount: Int { store.withLock { $0.byteCount } }

    /// Returns the token vectors of each text, in the order of the texts.
    ///
    /// Missing texts are encoded in one call, each text once. They replace the least recently used ones.
    ///
    /// - Parameter texts: Any number of texts.
    /// - Returns: One value for each text.
    /// - Throws: Errors of the encoder; ``ModelServiceError/invalidReply(reason:)`` when it does not return one value
    ///   for each text. Then nothing of the call is kept.
    package func vectors(of texts: [TokenText]) async throws -> [TokenVectors] {
        let keys = texts.map { TextKey($0) }
        let found = store.withLock { store in keys.map { store.use($0) } }
        var missing: [TextKey: TokenText] = [:]
        for (place, key) in keys.enumerated() where found[place] == nil { missing[key] = texts[place] }
        let made = missing.isEmpty ? [:] : try await encoded(missing)
        return zip(keys, found).compactMap { key, vectors in vectors ?? made[key] }
    }

    /// Encodes and keeps texts.
    private func encoded(_ texts: [TextKey: TokenText]) async throws -> [TextKey: TokenVectors] {
        let wanted = Array(texts)
        let vectors = try await encoder.tokenVectors(of: wanted.map(\.value))
        guard vectors.count == wanted.count else {
            throw ModelServiceError.invalidReply(reason: "not one matrix of token vectors for each text")
        }
        store.withLock { store in
            for (text, vectors) in zip(wanted, vectors) { store.keep(vectors, for: text.key) }
        }
        return Dictionary(zip(wanted.map(\.key), vectors)) { first, _ in first }
    }
}

/// A text and its prefix, as two hashes of their bytes.
private struct TextKey: Hashable {
    private let first, second: Int

    init(_ text: TokenText) {
        first = Self.hash(text, salt: 1)
        second = Self.hash(text, salt: 2)
    }

    private static func hash(_ text: TokenText, salt: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(salt)
        for part in [text.prefix, text.text] {
            // Compares bytes, because equal strings can have different bytes, and then other token ranges.
            var part = part
            part.withUTF8 { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            }
        }
        return hasher.finalize()
    }
}

extension TokenCache {
    /// The entries, with the time of their last use.
    private struct Store {
        private struct Entry {
            let vectors: TokenVectors
            var lastUse: Int

            var byteCount: Int { vectors.byteCount + entryOverhead }
        }

        let byteLimit: Int
        private(set) var byteCount = 0
        private var entries: [TextKey: Entry] = [:]
        /// Counts uses.
        private var time = 0

        init(byteLimit: Int) { self.byteLimit = byteLimit }

        mutating func use(_ key: TextKey) -> TokenVectors? {
            guard let place = entries.index(forKey: key) else { return nil }
            time += 1
            entries.values[place].lastUse = time
            return entries.values[place].vectors
        }

        /// Keeps vectors, unless they alone exceed the limit.
        mutating func keep(_ vectors: TokenVectors, for key: TextKey) {
            time += 1
            let entry = Entry(vectors: vectors, lastUse: time)
            guard entry.byteCount <= byteLimit else { return }
            remove(key)
            if byteCount + entry.byteCount > byteLimit { makeRoom(for: entry.byteCount) }
            entries[key] = entry
            byteCount += entry.byteCount
        }

        /// Removes the least recently used entries: at least an eighth of the limit, so that sorting is rare.
        private mutating func makeRoom(for wanted: Int) {
            let goal = byteLimit - max(wanted, byteLimit / 8)
            for (key, _) in entries.map({ ($0.key, $0.value.lastUse) }).sorted(by: { $0.1 < $1.1 }) {
                if byteCount <= goal { return }
                remove(key)
            }
        }

        private mutating func remove(_ key: TextKey) {
            if let old = entries.removeValue(forKey: key) { byteCount -= old.byteCount }
        }
    }
}

/// The token caches of the generations whose models give token vectors.
final class TokenCaches: Sendable {
    private let embedders: any EmbedderSource
    private let caches = Mutex<[GenerationNumber: TokenCache]>([:])
    private let seenChanges = Mutex(0)

    init(_ embedders: any EmbedderSource) {
        self.embedders = embedders
    }

    /// Drops everything if messages were deleted or edited since the last call, so that nothing erased is kept.
    ///
    /// - Parameter changeCount: See ``LiveLexicon/changeCount``.
    /// - Returns: Whether there were any; then other caches have to be dropped too.
    func forgetErased(_ changeCount: Int) -> Bool {
        let isNews = seenChanges.withLock { seen in
            defer { seen = max(seen, changeCount) }
            return changeCount > seen
        }
        if isNews { caches.withLock { $0 = [:] } }
        return isNews
    }

    /// Returns the cache of a generation; nil when its model gives no tokens.
    func cache(for generation: EmbeddingGeneration) async throws -> TokenCache? {
        if let known = caches.withLock({ $0[generation.number] }) { return known }
        guard let encoder = try await embedders.tokenEncoder(for: generation) else { return nil }
        return caches.withLock { caches in
            if let first = caches[generation.number] { return first }
            let made = TokenCache(encoder: encoder)
            // The cache of a generation that no longer serves is not needed again.
            caches = [generation.number: made]
            return made
        }
    }
}
