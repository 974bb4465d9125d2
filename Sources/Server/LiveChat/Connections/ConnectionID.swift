package import ChatCore

/// The id of one connection of a client.
///
/// The server gives every connection a new one, and never uses one again while the process runs.
package struct ConnectionID: Hashable, Comparable, Sendable, RawRepresentable {
    /// The number; it has no meaning elsewhere.
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Orders ids by their numbers.
    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The subject of a ``DeviceID``: an installed app, or a browser with its storage.
package enum Device {}

/// The id of a device, unique among the devices of its user.
package typealias DeviceID = Identifier<Device>

/// One event for one connection.
package struct Delivery<Event: Hashable & Sendable>: Hashable, Sendable {
    /// The connection that gets the event.
    package let connection: ConnectionID
    /// The event.
    package let event: Event

    package init(connection: ConnectionID, event: Event) {
        self.connection = connection
        self.event = event
    }
}
