/// The devices that people registered for push, and how far each was notified.
///
/// A registration or its end is a change of its person (``Change/Subject/personal(_:)``). All calls throw
/// ``RepositoryError``.
public protocol PushDeviceRepository: Sendable {
    /// Registers an address for a person.
    ///
    /// The same destination is the same device: its address and time are replaced. A destination of another person
    /// becomes a new device, and the other person loses it. Beyond ``PushDevice/countLimit`` the person's oldest
    /// registrations end.
    ///
    /// - Parameters:
    ///   - address: A valid address.
    ///   - user: The person.
    ///   - session: The session of the person's account that registers it, with whose end the registration ends; nil for
    ///     one that outlasts sessions.
    ///   - newID: The id of a new device.
    ///   - moment: The present time.
    /// - Returns: The device, and whether it is new; nil if the session has ended meanwhile.
    /// - Throws: ``RepositoryError``.
    func registerPushDevice(
        _ address: PushAddress, of user: UserID, session: AccountSession.ID?, newID: PushDevice.ID, at moment: Timestamp
    ) async throws -> (device: PushDevice, isNew: Bool)?

    /// Returns the devices of a person, the last registered first.
    func pushDevices(of user: UserID) async throws -> [PushDevice]

    /// Ends a registration; returns false if the person has no such device.
    func removePushDevice(_ id: PushDevice.ID, of user: UserID) async throws -> Bool

    /// Ends a registration that its service rejected, unless it was made again since.
    ///
    /// - Parameters:
    ///   - device: The device as the notification was sent to it.
    ///   - goneSince: The time that came with the rejection, if any.
    /// - Returns: Whether the device is gone.
    /// - Throws: ``RepositoryError``.
    func endPushDevice(_ device: PushDevice, goneSince: Timestamp?) async throws -> Bool

    /// Returns a registration; nil if it has ended.
    func pushRegistration(_ id: PushDevice.ID) async throws -> PushRegistration?

    /// Returns the registrations of people; nil for all people.
    func pushRegistrations(of users: Set<UserID>?) async throws -> [PushRegistration]

    /// Stores how far a device was notified; does nothing if its registration has ended, or if it got further.
    func setPushProgress(_ progress: PushProgress, of id: PushDevice.ID) async throws

    /// Notes that everything up to a number is done for devices; it never moves back.
    func advancePushDevices(_ ids: [PushDevice.ID], to number: Int64) async throws

    /// Returns what decides whether a person's devices are notified of a message.
    func pushFacts(of message: MessageKey, for user: UserID, at moment: Timestamp) async throws -> PushFacts
}

extension PushDevice {
    /// The most devices of a person.
    public static let countLimit = 20
}
