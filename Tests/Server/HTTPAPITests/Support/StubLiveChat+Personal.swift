import ChatCore
import TestSupport

extension StubLiveChat: NotificationRepository {
    func notifications(
        of user: UserID, limit: Int, at moment: Timestamp
    ) async throws -> [PersonalNotification] { [] }

    func notifications(
        after number: Int64, limit: Int, at moment: Timestamp
    ) async throws -> (notifications: [PersonalNotification], last: Int64) { ([], number) }

    func dismiss(_ numbers: [Int64], of user: UserID, at moment: Timestamp) async throws {}

    func personalSettings(of users: Set<UserID>) async throws -> [UserID: PersonalSettings] { [:] }

    func setPersonalSettings(_ settings: PersonalSettings, of user: UserID, at moment: Timestamp) async throws {}
}

extension StubLiveChat: PersonalStateRepository {
    func personalState(of user: UserID, at moment: Timestamp) async throws -> PersonalState {
        PersonalState(
            entries: [], notifications: [], settings: PersonalSettings(), cursor: try await store.latestChange())
    }

    func dismissAllNotifications(of user: UserID, at moment: Timestamp) async throws {}

    func statuses(
        of keys: [MessageKey], sender: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageStatus] { [:] }

    func details(
        of keys: [MessageKey], for reader: UserID, at moment: Timestamp
    ) async throws -> [MessageKey: MessageDetails] {
        try await replySummaries(of: keys, for: reader, at: moment).mapValues {
            MessageDetails(position: MessagePosition(seq: nil, arrival: nil, replies: $0))
        }
    }

    /// Nothing is unread.
    func firstUnread(
        in id: ConversationID, of user: UserID, earlier: Int, later: Int, at moment: Timestamp
    ) async throws -> MessageSurroundings? {
        _ = try await store.roster(of: id, asker: user, at: moment)
        return nil
    }

    func receipts(of key: MessageKey, asker: UserID, at moment: Timestamp) async throws -> MessageReceipts {
        _ = try await store.roster(of: key.conversationID, asker: asker, at: moment)
        return MessageReceipts()
    }
}
