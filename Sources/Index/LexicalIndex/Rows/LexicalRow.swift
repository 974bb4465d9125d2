public import IndexCore

/// The terms of one row, field by field, each as often as it occurs.
public struct FieldTerms: Hashable, Sendable {
    /// Terms of the message text.
    public var text: [TermKey]
    /// Terms of the sender's name.
    public var sender: [TermKey]
    /// Terms of the date in words.
    public var date: [TermKey]

    public init(text: [TermKey] = [], sender: [TermKey] = [], date: [TermKey] = []) {
        self.text = text
        self.sender = sender
        self.date = date
    }

    /// Terms of all fields, repeats included.
    var count: Int { text.count + sender.count + date.count }
}

/// One row from the caller: a message.
public struct LexicalRow: Hashable, Sendable {
    /// The row's key, unique in the index.
    public let key: RowKey
    /// The group that the row lies in; a row lies in one group at a time.
    public let group: GroupKey
    /// The thread within the group; only rows of the same thread are neighbours.
    public let thread: Int64
    /// Orders rows of the same time: the number of their arrival.
    public let order: Int64
    /// The attributes that predicates choose by; the time also decides the row's place in its thread.
    public let attributes: RowAttributes
    /// The caller's bits, returned with hits; ``RowFigures`` counts rows by bits 4 to 7.
    public let flags: UInt16
    /// The row's own terms.
    public let terms: FieldTerms

    public init(
        key: RowKey, group: GroupKey, thread: Int64 = 0, order: Int64 = 0,
        attributes: RowAttributes = RowAttributes(), flags: UInt16 = 0, terms: FieldTerms
    ) {
        self.key = key
        self.group = group
        self.thread = thread
        self.order = order
        self.attributes = attributes
        self.flags = flags
        self.terms = terms
    }

    /// The position of the row in its group.
    var position: RowPosition {
        RowPosition(thread: thread, time: attributes.time, order: order, key: key.rawValue)
    }
}

/// Identifies one term by a hash, so that the index holds no words.
///
/// Two words may share a key, and then count as one; with a million words that happens once in 40 million stores.
public struct TermKey: RawRepresentable, Hashable, Comparable, Sendable {
    /// Changes when ``init(utf8:)`` gives other keys; snapshot files of another version are not read.
    public static let hashVersion = 1

    /// The hash.
    public let rawValue: UInt64

    /// Takes the caller's hash; keys must spread over all 64 bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Hashes a term's UTF-8, equally in every process and on every machine, because files store the hash.
    ///
    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) of 64 bits, whose bits are then mixed with the last step of
    /// MurmurHash3 (https://github.com/aappleby/smhasher).
    public init(utf8 bytes: some Sequence<UInt8>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ (hash >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        self.init(rawValue: hash ^ (hash >> 33))
    }

    /// Orders terms by their hashes, as blocks have them.
    public static func < (left: TermKey, right: TermKey) -> Bool { left.rawValue < right.rawValue }
}
