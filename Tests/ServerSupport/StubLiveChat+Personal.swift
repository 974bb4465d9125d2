package import ChatCore
import TestSupport

extension StubLiveChat: NotificationRepository {
    package func notifications(
        of user: UserID, limit: Int, at moment: Timestamp
    ) async throws -> [PersonalNotification] { [] }

    package func notifications(
        after number: Int64, limit: Int, at moment: Timestamp
    ) async throws -> (notifications: [PersonalNotification], last: Int64) { ([], number) }

    package func dismiss(_ numbers: [Int64], of user: UserID, at moment: Timestamp) async throws {}

    package func personalSettings(of users: Set<UserID>) async throws -> [UserID: PersonalSettings] { [:] }

    package func changePersonalSettings(
        of user: UserID, at moment: Timestamp, _ change: @escaping @Sendable (inout PersonalSettings) -> Void
    ) async throws -> PersonalSettings {
        var settings = PersonalSettings()
        change(&settings)
        return settings
    }
}

extension StubLiveChat: SavedMessageRepository {
    package func save(
        _ key: MessageKey, for user: UserID, reminder: ReminderChange, limit: Int, at moment: Timestamp
    ) async throws -> MessageSave {
        _ = try await store.roster(of: key.conversationID, asker: user, at: moment)
        let time: Timestamp? = if case .at(let time) = reminder { time } else { nil }
        return MessageSave(savedAt: moment, isNew: true, remindAt: time)
    }

    package func endSaving(_ key: MessageKey, for user: UserID) async throws {}

    package func savedMessages(
        of user: UserID, hasReminder: Bool, before number: Int64?, limit: Int, at moment: Timestamp
    ) async throws -> [SavedMessage] { [] }

    package func remindDue(limit: Int, at moment: Timestamp) async throws -> Int { 0 }

    package func nextReminder() async throws -> Timestamp? { nil }
}

extension StubLiveChat: ProfileRepository {
    package func profiles(of users: Set<UserID>, asker: UserID, at moment: Timestamp) async throws -> [Profile] { [] }

    package func changeProfile(
        of user: UserID, _ change: @escaping @Sendable (inout Profile) -> Void
    ) async throws -> Profile {
        var profile = Profile(userID: user)
        change(&profile)
        return profile
    }

    package func setPicture(_ picture: Picture?, of user: UserID) async throws -> Profile {
        Profile(userID: user, pictureID: picture?.id)
    }

    package func picture(
        _ id: String, of user: UserID, asker: UserID, at moment: Timestamp
    ) async throws -> Picture? { nil }

    package func groupProfiles(
        of groups: Set<ConversationID>, asker: UserID, at moment: Timestamp
    ) async throws -> [GroupProfile] { [] }

    package func setPicture(_ picture: Picture?, ofGroup id: ConversationID) async throws {}

    package func picture(
        _ id: String, ofGroup group: ConversationID, asker: UserID, at moment: Timestamp
    ) async throws -> Picture? { nil }
}

extension StubLiveChat: ScheduledMessageRepository {
    package func scheduledMessages(
        of author: UserID, after place: ScheduledMessage.Place?, limit: Int
    ) async throws -> [ScheduledMessage] { [] }

    package func schedule(_ message: ScheduledMessage, limit: Int, at moment: Timestamp) async throws -> Bool {
        _ = try await store.roster(of: message.conversationID, asker: message.authorID, at: moment)
        return true
    }

    package func changeScheduled(
        _ id: MessageID, of author: UserID, text: String?, sendAt: Timestamp?
    ) async throws -> ScheduledMessage {
        throw RepositoryError.noSuchScheduledMessage(id)
    }

    package func deleteScheduled(_ id: MessageID, of author: UserID) async throws {
        throw RepositoryError.noSuchScheduledMessage(id)
    }

    package func sendScheduled(
        _ id: MessageID, of author: UserID, at moment: Timestamp
    ) async throws -> (message: Message, posted: PostedMessage) {
        throw RepositoryError.noSuchScheduledMessage(id)
    }

    package func sendNextScheduled(lateLimit: Duration, at moment: Timestamp) async throws -> ScheduledSending? { nil }

    package func nextScheduledMessage() async throws -> Timestamp? { nil }
}

extension StubLiveChat: PersonalStateRepository {
    package func personalState(of user: UserID, at moment: Timestamp) async throws -> PersonalState {
        PersonalState(
            entries: [], notifications: [], settings: PersonalSettings(), cursor: try await store.latestChange())
    }

    package func dismissAllNotifications(of user: UserID, at moment: Timestamp) async throws {}

    package func statuses(
        of keys: [MessageKey], sender: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageStatus] { [:] }

    package func details(
        of keys: [MessageKey], for reader: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageDetails] {
        try await replySummaries(of: keys, for: reader, at: moment).mapValues {
            MessageDetails(position: MessagePosition(seq: nil, arrival: nil, replies: $0))
        }
    }

    /// Nothing is unread.
    package func firstUnread(
        in id: ConversationID, of user: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings? {
        _ = try await store.roster(of: id, asker: user, at: moment)
        return nil
    }

    package func receipts(of key: MessageKey, asker: UserID, at moment: Timestamp) async throws -> MessageReceipts {
        _ = try await store.roster(of: key.conversationID, asker: asker, at: moment)
        return MessageReceipts()
    }
}
