package import ChatCore
import Foundation

extension SQLStore: ProfileRepository {
    package func profiles(of users: Set<UserID>, asker: UserID, at moment: Timestamp) async throws -> [Profile] {
        try await read { db in
            try db.rows(
                ProfileRows.seen, [asker.rawValue, moment.microseconds, users.map(\.rawValue).sorted()]
            ).map(ProfileRows.profile)
        }
    }

    package func changeProfile(
        of user: UserID, _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws -> Profile {
        try await write { db in
            var profile = try ProfileRows.find(user, in: db)
            change(&profile)
            try db.run(
                """
                INSERT INTO profiles (user_id, title, time_zone) VALUES (?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET title = excluded.title, time_zone = excluded.time_zone
                """, [user.rawValue, profile.title, profile.timeZone])
            return profile
        }
    }

    package func setPicture(_ picture: Picture?, of user: UserID) async throws -> Profile {
        try await write { db in
            try db.run(
                """
                INSERT INTO profiles (user_id, picture_id, picture) VALUES (?, ?, ?)
                ON CONFLICT (user_id) DO UPDATE SET picture_id = excluded.picture_id, picture = excluded.picture
                """, [user.rawValue, picture?.id, picture.map { Data($0.bytes) }])
            return try ProfileRows.find(user, in: db)
        }
    }

    package func picture(
        _ id: String, of user: UserID, asker: UserID, at moment: Timestamp
    ) async throws -> Picture? {
        try await read { db in
            try db.row(ProfileRows.picture, [asker.rawValue, moment.microseconds, user.rawValue, id]).flatMap { row in
                (row[0] as Data?).map { Picture(id: id, bytes: [UInt8]($0)) }
            }
        }
    }

    package func groupProfiles(
        of groups: Set<ConversationID>, asker: UserID, at moment: Timestamp
    ) async throws -> [GroupProfile] {
        try await read { db in
            try db.rows(
                ProfileRows.groups, [asker.rawValue, moment.microseconds, groups.map(\.rawValue).sorted()]
            ).map { row in
                let creator: String? = row[1]
                return GroupProfile(
                    conversationID: row.identifier(0), creatorID: creator.map { UserID(rawValue: $0) },
                    pictureID: row[2])
            }
        }
    }

    package func setPicture(_ picture: Picture?, ofGroup id: ConversationID) async throws {
        try await write { db in
            guard let number = try ConversationWriter.Stored.find(id, in: db)?.number else {
                throw RepositoryError.noSuchConversation(id)
            }
            try db.run("DELETE FROM conversation_pictures WHERE conversation = ?", [number])
            guard let picture else { return }
            try db.run(
                "INSERT INTO conversation_pictures (conversation, picture_id, picture) VALUES (?, ?, ?)",
                [number, picture.id, Data(picture.bytes)])
        }
    }

    package func picture(
        _ id: String, ofGroup group: ConversationID, asker: UserID, at moment: Timestamp
    ) async throws -> Picture? {
        try await read { db in
            try db.row(ProfileRows.groupPicture, [asker.rawValue, moment.microseconds, group.rawValue, id]).map { row in
                let bytes: Data = row[0]
                return Picture(id: id, bytes: [UInt8](bytes))
            }
        }
    }
}

/// The rows of `profiles` and `conversation_pictures`.
enum ProfileRows {
    private static let columns = "f.user_id, f.title, f.time_zone, f.picture_id"

    /// Values: asker, moment, the people.
    static let seen = """
        SELECT \(columns) FROM profiles f
        WHERE f.user_id IN (SELECT value FROM json_each(?3, '$')) AND \(Permission.seesProfile)
        """

    /// Values: asker, moment, the person, the picture's id.
    static let picture = """
        SELECT f.picture FROM profiles f WHERE f.user_id = ?3 AND f.picture_id = ?4 AND \(Permission.seesProfile)
        """

    /// Values: asker, moment, the groups.
    static let groups = """
        SELECT c.id, c.made_by, g.picture_id FROM conversations c
        LEFT JOIN conversation_pictures g ON g.conversation = c.number
        WHERE c.id IN (SELECT value FROM json_each(?3, '$')) AND c.kind = 'group' AND \(Permission.sees)
        """

    /// Values: asker, moment, the group, the picture's id.
    static let groupPicture = """
        SELECT g.picture FROM conversations c CROSS JOIN conversation_pictures g ON g.conversation = c.number
        WHERE c.id = ?3 AND g.picture_id = ?4 AND \(Permission.sees)
        """

    static func profile(_ row: SQLRow) -> Profile {
        Profile(userID: row.identifier(0), title: row[1], timeZone: row[2], pictureID: row[3])
    }

    /// Returns the profile of a person; an empty one if there is none.
    static func find(_ user: UserID, in db: any SQLSession) throws -> Profile {
        try db.row("SELECT \(columns) FROM profiles f WHERE f.user_id = ?", [user.rawValue]).map(profile)
            ?? Profile(userID: user)
    }
}
