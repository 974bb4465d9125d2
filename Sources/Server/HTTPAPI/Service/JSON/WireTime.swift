package import ChatCore
import Foundation

/// The JSON form of a moment: ISO 8601 in UTC with milliseconds, unless callable functions are set to another form.
package struct WireTime: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The moment.
    package let moment: Timestamp

    package init(_ moment: Timestamp) {
        self.moment = moment
    }

    /// The moment as ISO 8601.
    package var description: String { moment.iso8601 }

    /// Reads ISO 8601 with a zone.
    package init(from decoder: any Decoder) throws {
        moment = try Timestamp(from: decoder)
    }

    /// Writes the form that the encoder asks for.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let form = WireEncoding.timestampsKey.flatMap { encoder.userInfo[$0] as? CallableTimestamps }
        switch form ?? .iso {
        case .iso: try container.encode(moment.iso8601)
        case .millis: try container.encode(moment.onCalendar.milliseconds)
        case .firestore: try container.encode(FirestoreTime(moment.onCalendar))
        }
    }
}

extension Timestamp {
    /// The moment in a reply, in whole milliseconds.
    var wireDate: Date { Date(timeIntervalSince1970: Double(onCalendar.milliseconds) / 1_000) }
}

/// A Firestore timestamp as callable functions serialise it; before 1970 the seconds are rounded down.
private struct FirestoreTime: Encodable {
    private let _seconds: Int64
    private let _nanoseconds: Int64

    init(_ moment: Timestamp) {
        let (seconds, rest) = moment.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        _seconds = rest < 0 ? seconds - 1 : seconds
        _nanoseconds = (rest < 0 ? rest + 1_000_000 : rest) * 1_000
    }
}

/// Writes JSON bodies.
enum WireEncoding {
    /// The key for the form of times in an encoder's user info.
    static let timestampsKey = CodingUserInfoKey(rawValue: "nexus.timestamps")

    /// Returns the value as JSON on one line, keys in order.
    static func data(_ value: some Encodable, timestamps: CallableTimestamps = .iso) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let timestampsKey { encoder.userInfo[timestampsKey] = timestamps }
        return try encoder.encode(value)
    }
}
