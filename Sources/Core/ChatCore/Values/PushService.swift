/// The kinds of services that bring a notification to a device.
public enum PushService: String, Codable, CaseIterable, Sendable {
    /// Web Push of browsers: RFC 8030, 8291 and 8292.
    case web
    /// The Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging, HTTP v1.
    case fcm
    /// A signed request to a gateway, in the shape of the Matrix push gateway.
    case webhook
}
