package import ChatCore

extension SQLStore {
    /// Values: user, moment.
    static let companionsOfUser = """
        SELECT DISTINCT o.user_id FROM members p JOIN members o ON o.conversation = p.conversation
        WHERE p.user_id = ?1 AND (p.left_at IS NULL OR p.left_at > ?2) AND o.user_id <> ?1
            AND (o.left_at IS NULL OR o.left_at > ?2)
        """

    /// Returns the people who are members of a conversation together with a user at a moment.
    package func companions(of user: UserID, at moment: Timestamp) async throws -> Set<UserID> {
        try await read { db in
            Set(
                try db.rows(Self.companionsOfUser, [user.rawValue, moment.microseconds])
                    .map { $0.identifier(0) as UserID })
        }
    }
}
