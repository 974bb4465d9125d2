/// A position in the change log: how far each of its lanes has been read.
///
/// A log has one lane or several; within a lane changes have ascending numbers. Only stores create cursors; other code
/// keeps them and passes them back. A log that was restored from a backup has another epoch, because its numbers mean
/// other changes.
public struct ChangeCursor: Hashable, Sendable {
    /// The identity of the log, 0 or more.
    public let epoch: Int64
    /// The last change that was read, by lane.
    public private(set) var positions: [ChangeNumber]

    /// - Precondition: The epoch is not negative, and there is at least one lane.
    public init(epoch: Int64, positions: [ChangeNumber]) {
        precondition(epoch >= 0 && !positions.isEmpty, "a log has an epoch and a lane")
        self.epoch = epoch
        self.positions = positions
    }

    /// Whether this cursor is at or after `other` in every lane.
    public func reaches(_ other: ChangeCursor) -> Bool {
        epoch == other.epoch && positions.count == other.positions.count
            && zip(positions, other.positions).allSatisfy { $0 >= $1 }
    }

    /// The number of changes that this cursor lacks to reach `other`; nil for cursors of different logs.
    public func distance(to other: ChangeCursor) -> Int64? {
        guard epoch == other.epoch, positions.count == other.positions.count else { return nil }
        return zip(positions, other.positions).reduce(0) { sum, lane in
            sum.addingClamped(max(0, lane.1.rawValue.subtractingClamped(lane.0.rawValue)))
        }
    }

    /// Whether a change of the same log is before this cursor.
    public func contains(_ change: Change) -> Bool {
        change.lane < positions.count && change.number <= positions[change.lane]
    }

    /// The latest cursor that all cursors of one log reach; nil when there is none.
    public static func earliest(of cursors: [ChangeCursor]) -> ChangeCursor? {
        guard var earliest = cursors.first else { return nil }
        for cursor in cursors.dropFirst() where cursor.epoch == earliest.epoch {
            for lane in earliest.positions.indices where lane < cursor.positions.count {
                earliest.positions[lane] = min(earliest.positions[lane], cursor.positions[lane])
            }
        }
        return earliest
    }
}

/// The text form: the epoch in hexadecimal digits, a hyphen, and the positions separated by full stops.
extension ChangeCursor: LosslessStringConvertible {
    /// The most lanes of a log.
    private static let laneLimit = 256

    public var description: String {
        String(epoch, radix: 16) + "-" + positions.map { String($0.rawValue) }.joined(separator: ".")
    }

    /// Returns nil for a text that is not the ``description`` of a cursor.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let epoch = Int64(parts[0], radix: 16), epoch >= 0 else { return nil }
        let numbers = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        let positions = numbers.compactMap { Int64($0) }.filter { $0 >= 0 }
        guard positions.count == numbers.count, (1...Self.laneLimit).contains(positions.count) else { return nil }
        self.init(epoch: epoch, positions: positions.map { ChangeNumber(rawValue: $0) })
        guard description == text else { return nil }
    }
}

extension ChangeCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let cursor = ChangeCursor(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is no cursor")
        }
        self = cursor
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Part of the change log.
public struct ChangePage: Hashable, Sendable {
    /// The changes; ascending numbers within a lane.
    public let changes: [Change]
    /// The position after the last change; when there are none, the start of the reading, or the end of the log if the
    /// last changes were removed.
    public let end: ChangeCursor
    /// What the indexes need of the changes, if it was read with them.
    public let contents: ChangeContents?

    /// Makes a part; the values are those of the properties.
    public init(changes: [Change], end: ChangeCursor, contents: ChangeContents? = nil) {
        self.changes = changes
        self.end = end
        self.contents = contents
    }

    /// The changes after a cursor.
    public func changes(after cursor: ChangeCursor) -> [Change] { changes.filter { !cursor.contains($0) } }
}

/// What the indexes need of the changes of a page, from the same moment as the page.
public struct ChangeContents: Hashable, Sendable {
    /// The changed messages, as ``ChangeFeed/indexedMessages(of:)`` returns them.
    public let messages: [IndexedMessage]
    /// The generation of ``passages``; nil if none was read.
    public let generation: GenerationNumber?
    /// The passages with vectors that the changes name, or that the changed messages have.
    public let passages: [IndexedPassage]

    public init(messages: [IndexedMessage], generation: GenerationNumber?, passages: [IndexedPassage]) {
        self.messages = messages
        self.generation = generation
        self.passages = passages
    }
}

/// The changes to a list since a cursor.
public struct ListChanges<Element: Hashable & Sendable>: Hashable, Sendable {
    /// New and changed elements in their present state, in the order of their last changes.
    public var items: [Element]
    /// Removed elements; the asker may never have seen them.
    public var removedIDs: [Identifier<Element>]
    /// The cursor for the next reading: after the last change of this list, or where this reading began.
    public var next: ChangeCursor

    /// Whether nothing happened.
    public var isEmpty: Bool { items.isEmpty && removedIDs.isEmpty }

    /// Makes a list of changes; the values are those of the properties.
    public init(items: [Element], removedIDs: [Identifier<Element>], next: ChangeCursor) {
        self.items = items
        self.removedIDs = removedIDs
        self.next = next
    }
}
