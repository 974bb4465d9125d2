import ChatCore
package import LiveChat

/// A time so many seconds after an arbitrary start.
func at(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: 1_760_000_000_000_000 + Int64((seconds * 1_000_000).rounded()))
}

extension ConnectionID: ExpressibleByIntegerLiteral {
    /// Wraps a literal.
    package init(integerLiteral value: UInt64) {
        self.init(rawValue: value)
    }
}

extension Delivery<PresenceFrame> {
    /// The delivery with its people in the order of their ids.
    var inOrder: Delivery {
        let presences = event.presences.sorted { $0.user < $1.user }
        return Delivery(connection: connection, event: PresenceFrame(time: event.time, presences: presences))
    }
}

/// A seeded generator, so that a failure can be repeated.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// Whether something happens that happens once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
