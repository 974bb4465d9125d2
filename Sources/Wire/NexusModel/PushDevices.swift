public import Foundation

/// A device for push, without its address, which gives access to it.
public struct PushDeviceDetails: Hashable, Sendable, Codable, Identifiable {
    /// The device.
    public var id: String
    /// The service: `web`, `apns`, `fcm`, `webhook`, or another word.
    public var kind: Kind
    /// When it was registered.
    public var registeredAt: Date

    public init(id: String, kind: Kind, registeredAt: Date) {
        self.id = id
        self.kind = kind
        self.registeredAt = registeredAt
    }
}

/// The devices of a person.
public struct PushDeviceDetailsList: Hashable, Sendable, Codable {
    /// The devices.
    public var devices: [PushDeviceDetails]

    public init(devices: [PushDeviceDetails]) {
        self.devices = devices
    }
}

/// The key that browsers subscribe with.
public struct PushPublicKey: Hashable, Sendable, Codable {
    /// The `applicationServerKey`, in base64url.
    public var key: String

    public init(key: String) {
        self.key = key
    }
}

/// The end of a test notification.
public struct PushTestResult: Hashable, Sendable, Codable {
    /// A stable word.
    public var result: String
    /// Where it failed.
    public var stage: String?
    /// The status of the service's last reply.
    public var status: Int?
    /// The service's code, or the rule that the address breaks.
    public var reason: String?

    public init(result: String, stage: String? = nil, status: Int? = nil, reason: String? = nil) {
        self.result = result
        self.stage = stage
        self.status = status
        self.reason = reason
    }
}

extension PushDeviceDetails {
    /// The service that carries notifications to a device.
    public enum Kind: OpenWord {
        /// Web Push of a browser.
        case web
        /// Apple's.
        case apns
        /// Firebase Cloud Messaging.
        case fcm
        /// An address of the app's own server.
        case webhook
        /// A word of a later server.
        case unknown(String)

        /// The words of this version.
        public static let allCases: [Kind] = [.web, .apns, .fcm, .webhook]

        /// The word.
        public var rawValue: String {
            switch self {
            case .web: "web"
            case .apns: "apns"
            case .fcm: "fcm"
            case .webhook: "webhook"
            case .unknown(let word): word
            }
        }
    }
}
