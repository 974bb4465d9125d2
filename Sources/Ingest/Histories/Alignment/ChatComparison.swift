package import ChatCore

/// How an export of a chat differs from what is stored of it.
package struct ChatComparison: Hashable, Sendable, Codable {
    /// A person whom the export calls otherwise.
    package struct Renaming: Hashable, Sendable, Codable {
        /// The stored author's id in the source.
        package let id: UserID
        /// The stored name.
        package let from: String
        /// The name in the export.
        package let to: String
    }

    /// Messages that are stored already.
    package internal(set) var same = 0
    /// Messages that are not stored yet.
    package internal(set) var new = 0
    /// Messages whose text would be renewed, or that are deleted in the export.
    package internal(set) var changed = 0
    /// Stored messages of the export's time that it does not have; they stay.
    ///
    /// Not counted where messages have ids.
    package internal(set) var missing = 0
    /// People whom the export calls otherwise; they stay the same people.
    package internal(set) var renamed: [Renaming] = []

    package init() {}

    /// Whether something was stored before.
    var isAboutStored: Bool { same + changed + missing > 0 }
}
