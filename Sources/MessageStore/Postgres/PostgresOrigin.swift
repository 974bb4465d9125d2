import Synchronization

/// The server behind a connection, as far as it decides which change log a position belongs to.
///
/// A standby that is promoted begins a new timeline. It may lack the last commits of the old one, and its log uses
/// their numbers again. A server that was restored from a base backup also begins a timeline.
package struct PostgresOrigin: Hashable, Sendable {
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
}

/// The server that the connections of a node use: after a failover none of them stays with the old one.
final class PostgresLineage: Sendable {
    private let newest = Mutex<PostgresOrigin?>(nil)

    /// Opens a connection, and closes it again if its server has been replaced by a promoted one.
    ///
    /// - Throws: ``PostgresFailure``.
    func connect(_ open: () throws -> any PostgresLink) throws -> any PostgresLink {
        let link = try open()
        let isCurrent = newest.withLock { newest in
            if let known = newest, known.system == link.origin.system, known.timeline > link.origin.timeline {
                return false
            }
            newest = link.origin
            return true
        }
        if isCurrent { return link }
        link.close()
        throw PostgresFailure(code: PostgresFailure.readOnlyCode)
    }

    /// Whether no later connection has found another server.
    func isCurrent(_ origin: PostgresOrigin) -> Bool { newest.withLock { $0 == origin } }
}
