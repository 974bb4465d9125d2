/// How one call gives memberships of a conversation: by hand, or as an import tells them.
///
/// An import changes who is present only where earlier imports of the same source decided it.
public struct MembershipGiving: Sendable {
    /// Where the members' ids come from.
    public let source: String
    /// The source that imports; nil for memberships given by hand.
    public let importer: String?
    /// When the given list was complete; nil for a list that is incomplete, or older than the last one.
    public let completeAt: Timestamp?
    private let lastListedAt: Timestamp?
    private let isOutdated: Bool

    /// Memberships that an administrator or the chat application gives.
    public init(byHandFrom source: String) {
        self.source = source
        (importer, completeAt, lastListedAt, isOutdated) = (nil, nil, nil, false)
    }

    /// The memberships of a roster.
    ///
    /// - Parameters:
    ///   - roster: What is stored.
    ///   - source: Where the members' ids come from.
    ///   - mode: Whether an import tells it.
    ///   - moment: The present time; no list is later.
    ///   - lastListedAt: When the last complete list of the conversation was made; nil when there was none.
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

    /// Returns the membership that results.
    ///
    /// - Parameters:
    ///   - given: What is told.
    ///   - old: What is known; nil for a new member.
    ///   - oldImporter: The source whose imports decide about it; nil when it was given by hand.
    /// - Returns: The membership, and who decides about it from now on.
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
            // A history that is read again must not bring back who has left since.
            let isBack = isOwn && completeAt.map { $0 >= left } ?? false
            if member.leftAt == nil, member.joinedAt <= left, !isBack { member.leftAt = left }
            if !isOwn, member.leftAt != nil { member.leftAt = left }
        } else if let left = member.leftAt, !isOwn || lastListedAt.map({ left <= $0 }) ?? false {
            // Given by hand, or in a later list again.
            member.leftAt = nil
        }
        return (member, isOwn ? importer : oldImporter)
    }
}
