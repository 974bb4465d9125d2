import ChatCore
import Foundation

/// What nodes tell each other about the people who are connected to them.
///
/// A node numbers its reports, beginning with 1. A report that is not newer than the last one is ignored, and a gap makes
/// the receiver ask for everything. Reports of ranges repair what was lost.
struct PresenceReport: Codable, Equatable, Sendable {
    /// A part of all people, in the order of their ids; nobody else in the range is connected to the sender.
    struct Range: Codable, Equatable, Sendable {
        /// The range begins after this person; nil for the first range.
        var after: UserID?
        /// The last person of the range; nil for the last range.
        var through: UserID?

        func contains(_ user: UserID) -> Bool {
            (after.map { $0 < user } ?? true) && (through.map { user <= $0 } ?? true)
        }
    }

    /// One person at the sender; times in microseconds of the sender's wall clock.
    struct Entry: Codable, Equatable, Sendable {
        var user: UserID
        var status: PresenceStatus
        var lastBeat: Int64?
        var lastSeen: Int64?
        /// Devices with an open connection to the sender.
        var devices: [DeviceID]?
        var hidesLastSeen: Bool?
        /// When ``hidesLastSeen`` was set.
        var hidesSince: Int64?
        /// When the person was erased.
        var forgottenAt: Int64?

        private enum CodingKeys: String, CodingKey {
            case user = "u"
            case status = "s"
            case lastBeat = "b"
            case lastSeen = "l"
            case devices = "d"
            case hidesLastSeen = "h"
            case hidesSince = "t"
            case forgottenAt = "f"
        }
    }

    /// The most bytes of the entries of a report, which leaves room for the rest of a ``NodeText``.
    static let byteLimit = 6_000

    /// Nil for a report that only asks.
    var number: Int64?
    /// Asks these nodes to tell everything, or all if it is empty; nil for no question.
    var asked: [NodeID]?
    /// Nil for changes.
    var range: Range?
    var entries: [Entry] = []

    private enum CodingKeys: String, CodingKey {
        case number = "n"
        case asked = "q"
        case range = "r"
        case entries = "e"
    }

    /// The text of a report; nil if it cannot be read, as one of another version.
    init?(_ text: String) {
        guard let report = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = report
    }

    init(number: Int64? = nil, asked: [NodeID]? = nil, range: Range? = nil, entries: [Entry] = []) {
        (self.number, self.asked, self.range, self.entries) = (number, asked, range, entries)
    }

    var text: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension PresenceReport.Entry {
    /// At most as many bytes as the entry has in a text.
    var byteCount: Int {
        // Names, numbers and the status; quotes and backslashes of ids have two bytes.
        let ids = [user.rawValue] + (devices ?? []).map(\.rawValue)
        return ids.reduce(200) { $0 + 2 * $1.utf8.count + 3 }
    }
}
