package import ChatCore

extension SQLStore: NotificationRepository {
    package func notifications(
        of user: UserID, limit: Int, at moment: Timestamp
    ) async throws -> [PersonalNotification] {
        try await read { db in
            var reading = NotificationReading(db, at: moment)
            return try reading.newest(of: user, limit: limit)
        }
    }

    package func notifications(
        after number: Int64, limit: Int, at moment: Timestamp
    ) async throws -> (notifications: [PersonalNotification], last: Int64) {
        try await read { db in
            var reading = NotificationReading(db, at: moment)
            let (found, last) = try reading.following(number, limit: limit)
            return (found, last)
        }
    }

    package func dismiss(_ numbers: [Int64], of user: UserID, at moment: Timestamp) async throws {
        try await write { db in try NotificationRows(db: db).dismiss(numbers, of: user) }
    }

    package func personalSettings(of users: Set<UserID>) async throws -> [UserID: PersonalSettings] {
        try await read { db in
            let found = try db.together(users) { try PersonalSettingsRows.find($0, in: db) }
            return zip(users, found).reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    package func changePersonalSettings(
        of user: UserID, at moment: Timestamp, _ change: @escaping @Sendable (inout PersonalSettings) -> Void
    ) async throws -> PersonalSettings {
        try await write { db in try PersonalSettingsRows.change(of: user, at: moment, in: db, change) }
    }
}

extension SQLStore: PersonalStateRepository {
    package func personalState(of user: UserID, at moment: Timestamp) async throws -> PersonalState {
        try await read { db in
            var inbox = InboxReading(user, at: moment, in: db)
            var notifications = NotificationReading(db, at: moment)
            try db.ahead(
                { [inbox] in
                    var inbox = inbox
                    _ = try inbox.entries()
                },
                { [notifications] in
                    var notifications = notifications
                    _ = try notifications.entries(of: user)
                },
                { _ = try PersonalSettingsRows.settings(of: user, in: db) }, { _ = try ChangeLog.end(in: db) })
            return PersonalState(
                entries: try inbox.entries().sorted { $0.precedes($1) },
                notifications: try notifications.entries(of: user),
                settings: try PersonalSettingsRows.settings(of: user, in: db), cursor: try ChangeLog.end(in: db))
        }
    }

    package func dismissAllNotifications(of user: UserID, at moment: Timestamp) async throws {
        try await write { db in try NotificationRows(db: db).dismissAll(of: user) }
    }
}
