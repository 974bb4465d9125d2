/// How one call sets memberships of a conversation: by hand, or as part of an import.
///
/// An import changes a membership only if earlier imports of the same source created it.
public struct MembershipGiving: Sendable {
    /// The source of the members' ids.
    public let source: String
    /// The importing source; nil for memberships that are set by hand.
    public let importer: String?
    /// When the given list was complete; nil for a list that is incomplete or older than the last one.
    public let completeAt: Timestamp?
    private let lastListedAt: Timestamp?
    private let isOutdated: Bool

    /// Memberships that an administrator or the chat application sets.
    public init(byHandFrom source: String) {
        self.source = source
        (importer, completeAt, lastListedAt, isOutdated) = (nil, nil, nil, false)
    }

    /// The memberships of a roster.
    ///
    /// - Parameters:
    ///   - roster: The conversation to store.
    ///   - source: The source of the members' ids.
    ///   - mode: Whether it is an import.
    ///   - moment: The present time, which limits the time of the list.
    ///   - lastListedAt: The time of the conversation's last complete list; nil when there was none.
    public init(
        _ roster: ConversationRoster, source: String, mode: AcceptMode, at moment: Timestamp,
        lastListedAt: Timestamp? = nil
    ) {
        self.source = source
        guard mode == .importing else {
            (importer, completeAt, self.lastListedAt, isOutdated) = (nil, nil, nil, false)
            return
        }
        let listedAt = roster.listedAt.map { min($0, moment) }
        importer = source
        isOutdated = listedAt.map { listedAt in lastListedAt.map { listedAt < $0 } ?? false } ?? false
        completeAt = isOutdated ? nil : listedAt
        self.lastListedAt = lastListedAt
    }

    /// Returns the resulting membership.
    ///
    /// - Parameters:
    ///   - given: The given membership.
    ///   - old: The stored membership; nil for a new member.
    ///   - oldImporter: The source whose imports decide about it; nil when it was set by hand.
    /// - Returns: The membership, and the source that decides about it from now on.
    public func membership(
        _ given: Member, over old: Member?, importer oldImporter: String?
    ) -> (member: Member, importer: String?) {
        guard let importer else { return (given, nil) }
        var member = given
        guard let old else {
            if isOutdated, member.leftAt == nil { member.leftAt = lastListedAt }
            return (member, importer)
        }
        if !member.joinedAt.isKnown { member.joinedAt = old.joinedAt }
        let isOwn = oldImporter == importer
        if let left = old.leftAt {
            // A history that is read again must not bring back members who have left since.
            let isBack = isOwn && completeAt.map { $0 >= left } ?? false
            if member.leftAt == nil, member.joinedAt <= left, !isBack { member.leftAt = left }
            if !isOwn, member.leftAt != nil { member.leftAt = left }
        } else if let left = member.leftAt, !isOwn || lastListedAt.map({ left <= $0 }) ?? false {
            // Set by hand, or listed again in a later list.
            member.leftAt = nil
        }
        return (member, isOwn ? importer : oldImporter)
    }
}
