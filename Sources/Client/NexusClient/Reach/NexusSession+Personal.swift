public import Foundation
public import NexusModel

/// What only the person sees: notifications, settings, and devices for push.
extension NexusSession {
    /// Lists the newest notifications, at most 100; ``ChatState/notifications`` has them while the session runs.
    public func notifications() async throws(SessionError) -> [ChatNotification] {
        let list: ChatNotificationList = try await fetch("GET", "/v1/notifications")
        return list.notifications
    }

    /// Removes notifications from all devices of the person.
    public func dismissNotifications(_ ids: [Int64]) async throws(SessionError) {
        try await change("POST", "/v1/notifications/dismiss", ["ids": ids])
    }

    /// Removes all notifications from all devices of the person.
    public func dismissAllNotifications() async throws(SessionError) {
        try await change("POST", "/v1/notifications/dismiss", ["all": true])
    }

    /// Saves a message for the person; nobody else sees it.
    public func save(_ message: String, in conversation: String) async throws(SessionError) {
        try await change("PUT", Self.path(conversation, "messages", message, "saved"))
    }

    /// Saves a message and sets when the person is reminded of it; nil ends the reminder, and the message stays saved.
    ///
    /// - Parameters:
    ///   - message: The message's id.
    ///   - conversation: The conversation's id.
    ///   - time: A time in the future.
    /// - Throws: ``SessionError``.
    public func remind(of message: String, in conversation: String, at time: Date?) async throws(SessionError) {
        // A value that is nil is sent as null.
        let body: [String: String?] = ["remindAt": time.map { TimeText.text($0) }]
        try await change("PUT", Self.path(conversation, "messages", message, "saved"), body)
    }

    /// Ends that a message is saved.
    public func endSaving(_ message: String, in conversation: String) async throws(SessionError) {
        try await change("DELETE", Self.path(conversation, "messages", message, "saved"))
    }

    /// Lists the messages that the person saved and may read, the last saved first.
    ///
    /// - Parameters:
    ///   - reminders: Whether only messages with a reminder are wanted.
    ///   - next: The ``SavedMessagePage/next`` of the page before; nil for the first page.
    ///   - limit: The most messages, 1 to 200.
    /// - Returns: The messages.
    /// - Throws: ``SessionError``.
    public func savedMessages(
        reminders: Bool = false, before next: Int? = nil, limit: Int = 50
    ) async throws(SessionError) -> SavedMessagePage {
        let query = Self.query([
            "limit": "\(limit)", "before": next.map { "\($0)" }, "reminders": reminders ? "true" : nil,
        ])
        return try await fetch("GET", "/v1/saved" + query)
    }

    /// Returns the person's settings; ``ChatState/settings`` has them while the session runs.
    public func settings() async throws(SessionError) -> ChatSettings { try await fetch("GET", "/v1/settings") }

    /// Replaces the person's settings.
    @discardableResult
    public func setSettings(_ settings: ChatSettings) async throws(SessionError) -> ChatSettings {
        try await fetch("PUT", "/v1/settings", settings)
    }

    /// Registers this device for push, or renews its registration: call it at each start.
    ///
    /// ``signOut()`` ends the registration.
    ///
    /// - Parameter registration: How the device is reached.
    /// - Returns: The device, as the server lists it.
    /// - Throws: ``SessionError``.
    @discardableResult
    public func registerForPush(_ registration: PushRegistration) async throws(SessionError) -> PushDeviceDetails {
        let device: PushDeviceDetails = try await fetch("POST", "/v1/devices", registration)
        do throws(StoreError) { try await store.set(pushDevice: device.id) } catch { throw .storage(error) }
        return device
    }

    /// Lists the devices of the person.
    public func pushDevices() async throws(SessionError) -> [PushDeviceDetails] {
        let list: PushDeviceDetailsList = try await fetch("GET", "/v1/devices")
        return list.devices
    }

    /// Ends the registration of a device.
    public func removePushDevice(_ id: String) async throws(SessionError) {
        try await change("DELETE", "/v1/devices/\(Self.encoded(id))")
        do throws(StoreError) {
            if try await store.pushDevice() == id { try await store.set(pushDevice: nil) }
        } catch {
            throw .storage(error)
        }
    }

    /// Sends a test notification to a device, and says where it failed.
    public func testPush(to id: String) async throws(SessionError) -> PushTestResult {
        try await fetch("POST", "/v1/devices/\(Self.encoded(id))/test")
    }
}

/// How a device is reached by push.
public enum PushRegistration: Hashable, Sendable {
    /// By Apple's service: the device's token, and the app's bundle identifier.
    case apns(token: [UInt8], topic: String)
    /// By Firebase Cloud Messaging.
    case fcm(token: String)
    /// By a gateway that takes signed requests.
    case webhook(url: String, pushKey: String, appID: String)
}

extension PushRegistration: Encodable {
    private enum Keys: String, CodingKey {
        case kind, token, topic, url, pushkey, appId
    }

    /// Writes the fields of the request.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        switch self {
        case .apns(let token, let topic):
            try fields.encode("apns", forKey: .kind)
            try fields.encode(token.map(Self.hexadecimal).joined(), forKey: .token)
            try fields.encode(topic, forKey: .topic)
        case .fcm(let token):
            try fields.encode("fcm", forKey: .kind)
            try fields.encode(token, forKey: .token)
        case .webhook(let url, let pushKey, let appID):
            try fields.encode("webhook", forKey: .kind)
            try fields.encode(url, forKey: .url)
            try fields.encode(pushKey, forKey: .pushkey)
            try fields.encode(appID, forKey: .appId)
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}
