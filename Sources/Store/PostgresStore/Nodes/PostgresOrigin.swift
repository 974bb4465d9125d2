import MessageStore

/// The server behind a connection, as far as it decides which change log a position belongs to.
///
/// A standby that is promoted begins a new timeline. It may lack the last commits of the old one, and its log uses
/// their numbers again. A server that was restored from a base backup also begins a timeline.
package struct PostgresOrigin: Codable, Hashable, Sendable {
    /// Made by `initdb`; standbys and base backups have that of their primary.
    package let system: Int64
    /// Grows with each promotion.
    package let timeline: Int64

    package init(system: Int64, timeline: Int64) { (self.system, self.timeline) = (system, timeline) }

    /// Returns the epoch of a log whose database stores a number: the same on all nodes, of 48 bits.
    ///
    /// Each step is that of SplitMix64 (https://doi.org/10.1145/2714064.2660195).
    package func epoch(ofStored number: Int64) -> Int64 {
        var hash: UInt64 = 0
        for part in [number, system, timeline] {
            hash = (hash ^ UInt64(bitPattern: part)) &+ 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
            hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
            hash ^= hash >> 31
        }
        return Int64(hash & 0xFFFF_FFFF_FFFF)
    }

    /// Whether the server is of a lower timeline than another one of the same cluster: it is the old primary, or an
    /// older copy.
    func isOlder(than other: PostgresOrigin) -> Bool { system == other.system && timeline < other.timeline }
}
