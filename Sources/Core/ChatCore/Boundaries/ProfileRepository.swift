/// Profiles and pictures of people and groups.
///
/// Members of the server see those of everybody; guests and bots see their own, and those of people with whom they share
/// a conversation at that moment. Who sees a group sees its profile. All calls throw ``RepositoryError``.
public protocol ProfileRepository: Sendable {
    /// Returns the profiles that an asker may see, in no order; people without one are left out.
    func profiles(of users: Set<UserID>, asker: UserID, at moment: Timestamp) async throws -> [Profile]

    /// Changes title and time zone of a profile.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - change: The change; it must not set the picture.
    /// - Returns: The changed profile.
    /// - Throws: ``RepositoryError``.
    func changeProfile(of user: UserID, _ change: @escaping @Sendable (inout Profile) -> Void) async throws -> Profile

    /// Sets or removes the picture of a person, and returns the changed profile.
    func setPicture(_ picture: Picture?, of user: UserID) async throws -> Profile

    /// Returns the picture of a person; nil if the person has another one or none, or the asker may not see it.
    func picture(_ id: String, of user: UserID, asker: UserID, at moment: Timestamp) async throws -> Picture?

    /// Returns the profiles of groups that an asker sees, in no order.
    func groupProfiles(
        of groups: Set<ConversationID>, asker: UserID, at moment: Timestamp
    ) async throws -> [GroupProfile]

    /// Sets or removes the picture of a group.
    ///
    /// - Throws: ``RepositoryError/noSuchConversation(_:)``.
    func setPicture(_ picture: Picture?, ofGroup id: ConversationID) async throws

    /// Returns the picture of a group; nil if it has another one or none, or the asker does not see the group.
    func picture(
        _ id: String, ofGroup group: ConversationID, asker: UserID, at moment: Timestamp
    ) async throws -> Picture?
}
