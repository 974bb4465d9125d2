/// The notifications of people, and their personal settings.
///
/// All calls throw ``RepositoryError``.
public protocol NotificationRepository: Sendable {
    /// Returns a person's present notifications, newest first: unread, not dismissed, and visible to the person.
    func notifications(of user: UserID, limit: Int, at moment: Timestamp) async throws -> [PersonalNotification]

    /// Returns the present notifications of all people after a number, oldest first; for push.
    ///
    /// - Parameters:
    ///   - number: The last one that the caller knows; 0 for none.
    ///   - limit: The most that are returned.
    ///   - moment: The present time.
    /// - Returns: The notifications, and the last number that was looked at.
    /// - Throws: ``RepositoryError``.
    func notifications(
        after number: Int64, limit: Int, at moment: Timestamp
    ) async throws -> (notifications: [PersonalNotification], last: Int64)

    /// Dismisses notifications of a person, on all devices; others' and unknown numbers do nothing.
    func dismiss(_ numbers: [Int64], of user: UserID, at moment: Timestamp) async throws

    /// Returns people's own settings; people without any are left out.
    func personalSettings(of users: Set<UserID>) async throws -> [UserID: PersonalSettings]

    /// Changes a person's own settings, and returns them.
    ///
    /// Two devices that change different things keep both changes. The closure may run several times.
    func changePersonalSettings(
        of user: UserID, at moment: Timestamp, _ change: @escaping @Sendable (inout PersonalSettings) -> Void
    ) async throws -> PersonalSettings
}
