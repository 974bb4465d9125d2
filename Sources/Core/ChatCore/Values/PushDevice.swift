/// A device of a person that wants to be notified.
///
/// Its description has no token. As JSON it is one object: `id`, `userId`, `registeredAt` in microseconds since 1970,
/// and the fields of ``PushAddress``.
public struct PushDevice: Hashable, Sendable, Identifiable {
    /// The id of a device, given by the server.
    public typealias ID = Identifier<PushDevice>

    /// The device.
    public let id: ID
    /// The person who is notified.
    public let userID: UserID
    /// Where notifications are sent.
    public let address: PushAddress
    /// The time of the latest registration of this address.
    public let registeredAt: Timestamp

    public init(id: ID, userID: UserID, address: PushAddress, registeredAt: Timestamp) {
        self.id = id
        self.userID = userID
        self.address = address
        self.registeredAt = registeredAt
    }

    /// Whether a rejection ends this registration.
    ///
    /// A device that registered again after it was gone is kept.
    ///
    /// - Parameter goneSince: The time that came with the rejection.
    /// - Returns: True without a time: the service then speaks of the registration that was used.
    public func isEnded(by goneSince: Timestamp?) -> Bool {
        goneSince.map { registeredAt <= $0 } ?? true
    }
}

extension PushDevice: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id and the service, for logs: the address describes itself without its token.
    public var description: String { "\(id) (\(address))" }
    /// The id and the service.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PushDevice: Codable {
    private enum Key: String, CodingKey {
        case id, registeredAt
        case userID = "userId"
    }

    /// Reads the object that ``encode(to:)`` writes.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        id = try fields.decode(ID.self, forKey: .id)
        userID = try fields.decode(UserID.self, forKey: .userID)
        registeredAt = Timestamp(microseconds: try fields.decode(Int64.self, forKey: .registeredAt))
        address = try PushAddress(from: decoder)
    }

    /// Writes one object with the fields of the device and of its address.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(userID, forKey: .userID)
        try fields.encode(registeredAt.microseconds, forKey: .registeredAt)
        try address.encode(to: encoder)
    }
}
