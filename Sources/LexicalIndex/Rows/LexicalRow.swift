public import IndexCore

/// The terms of one row, field by field, each as often as it occurs.
public struct FieldTerms: Hashable, Sendable {
    /// What the message says.
    public var text: [TermKey]
    /// Who says it.
    public var sender: [TermKey]
    /// When it is said, in words.
    public var date: [TermKey]

    public init(text: [TermKey] = [], sender: [TermKey] = [], date: [TermKey] = []) {
        self.text = text
        self.sender = sender
        self.date = date
    }

    /// Terms of all fields, repeats included.
    var count: Int { text.count + sender.count + date.count }
}

/// One row as the caller gives it: a message.
public struct LexicalRow: Hashable, Sendable {
    /// The row's name, unique in the index.
    public let key: RowKey
    /// The group that the row lies in; a row lies in one group at a time.
    public let group: GroupKey
    /// The line of talk within the group; only rows of the same thread are neighbours.
    public let thread: Int64
    /// Decides between rows of the same time: the number of their arrival.
    public let order: Int64
    /// What predicates choose by; the time is the row's place in its thread, too.
    public let attributes: RowAttributes
    /// The caller's bits, given back with hits; ``RowFigures`` counts rows by the upper four.
    public let flags: UInt8
    /// The row's own terms.
    public let terms: FieldTerms

    public init(
        key: RowKey, group: GroupKey, thread: Int64 = 0, order: Int64 = 0,
        attributes: RowAttributes = RowAttributes(), flags: UInt8 = 0, terms: FieldTerms
    ) {
        self.key = key
        self.group = group
        self.thread = thread
        self.order = order
        self.attributes = attributes
        self.flags = flags
        self.terms = terms
    }

    /// Where the row stands in its group.
    var position: RowPosition {
        RowPosition(thread: thread, time: attributes.time, order: order, key: key.rawValue)
    }
}

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
