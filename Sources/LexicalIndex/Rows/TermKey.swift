/// Names one term: a hash of it, so that the index holds no words.
///
/// Two words may share a key and count as one then; among a million words that happens once in 40 million stores.
public struct TermKey: RawRepresentable, Hashable, Comparable, Sendable {
    /// Changes when ``init(utf8:)`` gives other keys; snapshot files of another version are not read.
    public static let hashVersion = 1

    /// The hash.
    public let rawValue: UInt64

    /// Wraps a hash of the caller's; keys spread over all 64 bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Hashes a term's UTF-8, the same in every process and on every machine, for the hash is kept in files.
    ///
    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) of 64 bits, whose bits are then mixed by the last step of
    /// MurmurHash3 (https://github.com/aappleby/smhasher).
    public init(utf8 bytes: some Sequence<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        self.init(rawValue: hash ^ (hash >> 33))
    }

    /// Orders keys by their number.
    public static func < (left: TermKey, right: TermKey) -> Bool { left.rawValue < right.rawValue }
}
