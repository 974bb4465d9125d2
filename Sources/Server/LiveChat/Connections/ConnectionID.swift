public import ChatCore

/// The id of one connection of a client.
///
/// The server gives every connection a new one, and never uses one again while the process runs.
public struct ConnectionID: Hashable, Comparable, Sendable, RawRepresentable {
    /// The number; it has no meaning elsewhere.
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Orders ids by their numbers.
    public static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The subject of a ``DeviceID``: an installed app, or a browser with its storage.
public enum Device {}

/// The id of a device, unique among the devices of its user.
public typealias DeviceID = Identifier<Device>

/// One event for one connection.
public struct Delivery<Event: Hashable & Sendable>: Hashable, Sendable {
    /// The connection that gets the event.
    public let connection: ConnectionID
    /// The event.
    public let event: Event

    public init(connection: ConnectionID, event: Event) {
        self.connection = connection
        self.event = event
    }
}
