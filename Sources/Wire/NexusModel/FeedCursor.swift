/// A position in the server's log, as a client keeps it.
///
/// Clients send the text back as it is. The positions of its lanes tell whether a frame is the next one.
public struct FeedCursor: Hashable, Sendable {
    /// What the server sent.
    public let text: String
    /// The identity of the log.
    public let epoch: String
    /// The position of each lane.
    public let positions: [Int64]

    /// Returns nil for a text that is no cursor: an epoch, a hyphen, and positions separated by full stops.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        let words = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        let positions = words.compactMap { Int64($0) }
        guard positions.count == words.count, positions.allSatisfy({ $0 >= 0 }) else { return nil }
        self.text = text
        epoch = String(parts[0])
        self.positions = positions
    }

    package init(text: String, epoch: String, positions: [Int64]) {
        self.text = text
        self.epoch = epoch
        self.positions = positions
    }

    /// Returns the position of a lane; nil if the log has no such lane.
    public func position(of lane: Int) -> Int64? { positions.indices.contains(lane) ? positions[lane] : nil }
}

extension FeedCursor: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let cursor = FeedCursor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a cursor")
        }
        self = cursor
    }

    /// Writes the cursor as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
