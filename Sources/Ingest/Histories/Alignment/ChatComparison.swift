public import ChatCore

/// How an export of a chat differs from what is stored of it.
public struct ChatComparison: Hashable, Sendable, Codable {
    /// A person whom the export calls otherwise.
    public struct Renaming: Hashable, Sendable, Codable {
        /// The stored author's id in the source.
        public let id: UserID
        /// The stored name.
        public let from: String
        /// The name in the export.
        public let to: String
    }

    /// Messages that are stored already.
    public internal(set) var same = 0
    /// Messages that are not stored yet.
    public internal(set) var new = 0
    /// Messages whose text would be renewed, or that are deleted in the export.
    public internal(set) var changed = 0
    /// Stored messages of the export's time that it does not have; they stay.
    ///
    /// Not counted where messages have ids.
    public internal(set) var missing = 0
    /// People whom the export calls otherwise; they stay the same people.
    public internal(set) var renamed: [Renaming] = []

    public init() {}

    /// Whether something was stored before.
    var isAboutStored: Bool { same + changed + missing > 0 }
}
