import ChatCore

/// Who takes part in one conversation, as far as its messages tell; for exports without lists of members.
struct Participants {
    private var names: [UserID: String] = [:]
    private var latest: [UserID: Identity] = [:]

    /// Notes an author; returns whether it is a new one, or has another name than before.
    mutating func insert(_ author: Identity) -> Bool {
        guard latest[author.userID] != author else { return false }
        latest[author.userID] = author
        names[author.userID] = author.name ?? author.userID.rawValue
        return true
    }

    /// How many there are.
    var count: Int { names.count }

    /// The memberships, by user id; who is there without a date was there from the start.
    func members() -> [Member] {
        names.sorted { $0.key < $1.key }.map { user, name in
            Member(userID: user, displayName: name, joinedAt: Timestamp(microseconds: 0))
        }
    }
}
