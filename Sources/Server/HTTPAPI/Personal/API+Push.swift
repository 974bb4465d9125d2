import ChatCore
import Hummingbird
import LiveChat
import NexusModel

/// The devices to which a person's notifications are pushed.
extension API {
    var pushRoutes: [Route] {
        [
            Route(
                .post, "v1/devices", .person, id: "registerDevice",
                "Registers a device of the asker for push, or renews its registration."
            ) { try await registerDevice($0, $1) },
            Route(.get, "v1/devices", .user, id: "listDevices", "Lists the asker's devices.") { incoming, caller in
                let devices = try await push.devices(of: try incoming.asker(caller))
                return try reply(PushDeviceDetailsList(devices: devices.map { PushDeviceDetails($0) }))
            },
            Route(.delete, "v1/devices/:device", .person, id: "removeDevice", "Ends the registration of a device.") {
                incoming, caller in
                let asker = try incoming.asker(caller)
                guard try await push.remove(try incoming.deviceID(), of: asker) else { throw Failure.noSuchDevice }
                return Response(status: .noContent)
            },
            Route(
                .post, "v1/devices/:device/test", .person, id: "testDevice",
                "Sends a test notification to a device, and says where it failed."
            ) { incoming, caller in
                let body = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
                let asker = try incoming.asker(caller, body: body)
                guard let test = try await push.test(try incoming.deviceID(), of: asker) else {
                    throw Failure.noSuchDevice
                }
                return try reply(PushTestResult(test))
            },
            Route(.get, "v1/push/key", .user, id: "getPushKey", "Returns the key that browsers subscribe with.") {
                incoming, caller in
                _ = try incoming.asker(caller)
                guard let key = try push.publicKey else { throw Failure.pushNotConfigured }
                return try reply(PushPublicKey(key: key))
            },
        ]
    }

    private var push: PushRegistry {
        get throws(Failure) {
            guard let push = services.push else { throw .pushNotConfigured }
            return push
        }
    }

    private func registerDevice(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let address = try Self.pushAddress(in: body)
        guard try push.isConfigured(address.service) else {
            throw Failure.unsupported(field: "kind", "\(address.service.rawValue) is not set up on this server")
        }
        if let fault = try await push.fault(of: address) { throw Failure.invalid(field: fault.field, fault.reason) }
        guard
            let (device, isNew) = try await push.register(
                address, of: asker, session: session(of: incoming), at: incoming.receivedAt)
        else { throw Failure.sessionEnded }
        return try reply(PushDeviceDetails(device), status: isNew ? .created : .ok)
    }

    /// Reads the fields of the address's kind; what they contain is not checked.
    private static func pushAddress(in body: JSONField) throws -> PushAddress {
        guard let kind: PushService = try body["kind"].optionalWord() else { throw body["kind"].missing }
        switch kind {
        case .web:
            return .web(
                endpoint: try body["endpoint"].string(), p256dh: try body["p256dh"].string(),
                auth: try body["auth"].string())
        case .apns: return .apns(token: try body["token"].string(), topic: try body["topic"].string())
        case .fcm: return .fcm(token: try body["token"].string())
        case .webhook:
            return .webhook(
                url: try body["url"].string(), pushKey: try body["pushkey"].string(),
                appID: try body["appId"].string())
        }
    }
}

extension IncomingRequest {
    /// Returns the device that the path names; an invalid id is like an unknown device.
    fileprivate func deviceID() throws(Failure) -> PushDevice.ID { PushDevice.ID(rawValue: try parameter("device")) }
}

extension PushDeviceDetails {
    init(_ device: PushDevice) {
        self.init(
            id: device.id.rawValue, kind: .init(device.address.service),
            registeredAt: device.registeredAt.wireDate)
    }
}

extension PushTestResult {
    init(_ test: PushTest) {
        self.init(
            result: test.result.rawValue, stage: test.stage?.rawValue, status: test.status, reason: test.reason)
    }
}

extension API {
    var pushDocuments: [String: RouteDocument] {
        [
            "registerDevice": .json(.pushDevice, request: .newPushDevice, failures: [404, 507]).or(201),
            "listDevices": .json(.pushDevices, failures: [404]),
            "removeDevice": .empty(failures: [507]),
            "testDevice": RouteDocument.json(.pushTest, request: .askerOnly, failures: [507]).withOptionalBody,
            "getPushKey": .json(.pushKey, failures: [404]),
        ]
    }
}

extension JSONSchema {
    private static func text(of kind: String) -> JSONSchema { string.described("For \(kind).") }

    static let newPushDevice = closed(
        .always("kind", word(PushService.self)),
        .maybe("endpoint", text(of: "web: `endpoint` of the browser's subscription")),
        .maybe("p256dh", text(of: "web: `keys.p256dh` of the subscription")),
        .maybe("auth", text(of: "web: `keys.auth` of the subscription")),
        .maybe("token", text(of: "apns, in hexadecimal, and fcm")),
        .maybe("topic", text(of: "apns: the app's bundle identifier")),
        .maybe("url", text(of: "webhook: the gateway")),
        .maybe("pushkey", text(of: "webhook: the device's key at the gateway")),
        .maybe("appId", text(of: "webhook: the app's name at the gateway")),
        .maybe("userId", identifier.described("The asker, if the caller may name one."))
    ).named("NewPushDevice")

    static let pushDevice = reply(PushDeviceDetails.self)
    static let pushDevices = reply(PushDeviceDetailsList.self)
    static let pushKey = reply(PushPublicKey.self)
    static let pushTest = reply(PushTestResult.self)
}

extension PushDeviceDetails: NotedReply {
    static let replyNotes = ReplyNotes("PushDevice", ["kind": .word(PushService.self)])
}

extension PushDeviceDetailsList: NotedReply {
    static let replyNotes = ReplyNotes("PushDeviceList")
}

extension PushPublicKey: NotedReply {
    static let replyNotes = ReplyNotes(
        "PushKey", ["key": .string.described("The `applicationServerKey`, in base64url.")])
}

extension PushTestResult: NotedReply {
    static let replyNotes = ReplyNotes(
        "PushTest",
        [
            "result": .word(PushTest.Result.self),
            "stage": .word(PushTest.Stage.self).described("Where it failed."),
            "status": .integer.described("The status of the service's last reply."),
            "reason": .string.described("The service's code, or the rule that the address breaks."),
        ])
}
