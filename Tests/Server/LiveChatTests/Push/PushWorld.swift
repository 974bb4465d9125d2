import ChatCore
import Foundation
import LiveChat
import Synchronization
import TestSupport

/// Notifications that a test adds and takes away.
final class NotificationStub: NotificationRepository {
    private struct State {
        var standing: [PersonalNotification] = []
        var last: Int64 = 0
        var settings: [UserID: PersonalSettings] = [:]
    }

    private let state = Mutex(State())

    /// Adds a notification and returns its number.
    @discardableResult
    func add(
        _ conversation: ConversationID = "c1", for user: UserID = "ben", kind: PersonalNotification.Kind = .message,
        text: String = "See you at noon", at moment: Timestamp
    ) -> Int64 {
        state.withLock { state in
            state.last += 1
            state.standing.append(
                PersonalNotification(
                    number: state.last, userID: user, kind: kind,
                    message: MessageKey(conversationID: conversation, messageID: Self.message(state.last)),
                    seq: state.last, senderID: "ada", senderName: "Ada", text: text, createdAt: moment))
            return state.last
        }
    }

    static func message(_ number: Int64) -> MessageID { MessageID(rawValue: "m\(number)") }

    func loseAll() { state.withLock { ($0.standing, $0.last) = ([], 0) } }

    func settle(_ number: Int64) { state.withLock { $0.standing.removeAll { $0.number == number } } }

    func notifications(of user: UserID, limit: Int, at moment: Timestamp) async throws -> [PersonalNotification] {
        state.withLock { Array($0.standing.filter { $0.userID == user }.reversed().prefix(limit)) }
    }

    func notifications(
        after number: Int64, limit: Int, at moment: Timestamp
    ) async throws -> (notifications: [PersonalNotification], last: Int64) {
        state.withLock { state in
            let page = Array(state.standing.filter { $0.number > number }.prefix(limit))
            return (page, page.count < limit ? max(state.last, number) : page.last?.number ?? number)
        }
    }

    func dismiss(_ numbers: [Int64], of user: UserID, at moment: Timestamp) async throws {
        for number in numbers { settle(number) }
    }

    func personalSettings(of users: Set<UserID>) async throws -> [UserID: PersonalSettings] {
        state.withLock { $0.settings.filter { users.contains($0.key) } }
    }

    func changePersonalSettings(
        of user: UserID, at moment: Timestamp, _ change: @escaping @Sendable (inout PersonalSettings) -> Void
    ) async throws -> PersonalSettings {
        state.withLock { state in
            change(&state.settings[user, default: PersonalSettings()])
            return state.settings[user, default: PersonalSettings()]
        }
    }
}

/// A delivery over fakes, with a clock that the test moves.
final class PushWorld: Sendable {
    let notifications = NotificationStub()
    let devices = InMemoryPushDevices()
    let clock = ManualNow()
    let transport: FakePushTransport
    let open = Mutex<Set<ConversationID>>([])

    init(_ reply: @escaping @Sendable (PushRequest, Int) throws -> PushReply = { _, _ in PushReply(status: 200) }) {
        transport = FakePushTransport(reply)
    }

    func delivery(rules: PushRules = PushRules(), detail: PushDetail = .ids) throws -> PushDelivery {
        let rulesOfHosts = PushEndpointRules(hosts: ["*"])
        let settings = PushSettings(
            detail: detail, web: try Sample.vapid(), apns: try Sample.apnsCredentials(),
            fcm: try FCMCredentials(serviceAccount: try Sample.serviceAccount()),
            webhook: try WebhookCredentials(secret: "a secret of 26 characters"), webhookEndpoints: rulesOfHosts)
        let addresses = [IPAddress("93.184.215.14")].compactMap { $0 }
        let sender = PushSender(
            settings: settings, transport: transport, resolve: { _ in addresses }, now: clock.now)
        return PushDelivery(
            notifications: notifications, devices: devices, sender: sender,
            isOpen: { [self] conversation, _ in open.withLock { $0.contains(conversation) } }, rules: rules,
            now: clock.now, logger: .silent)
    }

    @discardableResult
    func register(
        _ id: String = "d1", of user: UserID = "ben", url: String = "https://gateway.example/notify"
    ) async throws -> PushDevice {
        try await devices.registerPushDevice(
            .webhook(url: url, pushKey: "key-\(id)", appID: "org.example"), of: user,
            newID: PushDevice.ID(rawValue: id), at: clock.now()
        ).device
    }

    /// The messages of the requests, in their order.
    var sent: [String] {
        transport.requests.map { request in
            let body = (try? object(request.body))?["notification"] as? [String: Any]
            return body?["messageId"] as? String ?? "?"
        }
    }

    func number(of device: PushDevice.ID = "d1") async throws -> Int64? {
        try await devices.pushRegistration(device)?.progress.number
    }
}

extension PushDelivery {
    /// Hears that something happened, and sends what is due.
    func sendNew() async throws -> Timestamp? {
        follow(nil)
        return try await sendDue()
    }
}
