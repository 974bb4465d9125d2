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
}

/// The rows of `profiles`.
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

    static func profile(_ row: SQLRow) -> Profile {
        Profile(userID: row.identifier(0), title: row[1], timeZone: row[2], pictureID: row[3])
    }

    /// Returns the profile of a person; an empty one if there is none.
    static func find(_ user: UserID, in db: any SQLSession) throws -> Profile {
        try db.row("SELECT \(columns) FROM profiles f WHERE f.user_id = ?", [user.rawValue]).map(profile)
            ?? Profile(userID: user)
    }
}
