/// Where the notifications of a device are sent.
///
/// Tokens, endpoints and keys give access to the device: descriptions show the service only.
public enum PushAddress: Hashable, Sendable {
    /// A subscription of a browser: `endpoint`, `keys.p256dh` and `keys.auth` of `PushSubscription.toJSON()`.
    case web(endpoint: String, p256dh: String, auth: String)
    /// A device token in hexadecimal, and the app's bundle identifier.
    case apns(token: String, topic: String)
    /// A registration token.
    case fcm(token: String)
    /// A gateway, the device's key there, and the app's name there.
    case webhook(url: String, pushKey: String, appID: String)

    /// The service that the address belongs to.
    public var service: PushService {
        switch self {
        case .web: .web
        case .apns: .apns
        case .fcm: .fcm
        case .webhook: .webhook
        }
    }

    /// Names the place that notifications go to: two valid addresses with the same one are the same device.
    ///
    /// The keys of a browser's subscription are no part of it. It gives access to the device as the address does.
    public var destination: String {
        let parts =
            switch self {
            case .web(let endpoint, _, _): [endpoint]
            case .apns(let token, let topic): [token.lowercased(), topic]
            case .fcm(let token): [token]
            case .webhook(let url, let pushKey, let appID): [url, pushKey, appID]
            }
        return ([service.rawValue] + parts).joined(separator: "\n")
    }
}

extension PushAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { service.rawValue }
    /// The service's name.
    public var debugDescription: String { description }
    /// Empty, so that `dump` shows no token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PushAddress: Codable {
    private enum Key: String, CodingKey {
        case kind, endpoint, p256dh, auth, token, topic, url
        case pushKey = "pushkey"
        case appID = "appId"
    }

    /// Reads an object with `kind` and the fields of that kind; nothing else is checked.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        func text(_ key: Key) throws -> String { try fields.decode(String.self, forKey: key) }
        switch try fields.decode(PushService.self, forKey: .kind) {
        case .web: self = .web(endpoint: try text(.endpoint), p256dh: try text(.p256dh), auth: try text(.auth))
        case .apns: self = .apns(token: try text(.token), topic: try text(.topic))
        case .fcm: self = .fcm(token: try text(.token))
        case .webhook: self = .webhook(url: try text(.url), pushKey: try text(.pushKey), appID: try text(.appID))
        }
    }

    /// Writes an object with `kind` and the fields of that kind.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Key.self)
        try fields.encode(service, forKey: .kind)
        switch self {
        case .web(let endpoint, let p256dh, let auth):
            try fields.encode(endpoint, forKey: .endpoint)
            try fields.encode(p256dh, forKey: .p256dh)
            try fields.encode(auth, forKey: .auth)
        case .apns(let token, let topic):
            try fields.encode(token, forKey: .token)
            try fields.encode(topic, forKey: .topic)
        case .fcm(let token):
            try fields.encode(token, forKey: .token)
        case .webhook(let url, let pushKey, let appID):
            try fields.encode(url, forKey: .url)
            try fields.encode(pushKey, forKey: .pushKey)
            try fields.encode(appID, forKey: .appID)
        }
    }
}
