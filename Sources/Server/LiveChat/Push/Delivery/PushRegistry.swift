package import ChatCore
import Synchronization

/// What people do with their devices: register them, end that, and try whether notifications arrive.
package struct PushRegistry: Sendable {
    private let devices: any PushDeviceRepository
    private let settings: PushSettings
    private let sender: PushSender
    private let transport: any PushTransport
    private let makeID: @Sendable () -> String

    /// - Parameters:
    ///   - devices: The registrations.
    ///   - settings: The services that can be used.
    ///   - sender: Sends to them.
    ///   - transport: The transport of the sender.
    ///   - makeID: Makes the ids of new devices.
    package init(
        devices: any PushDeviceRepository, settings: PushSettings, sender: PushSender, transport: any PushTransport,
        makeID: @escaping @Sendable () -> String
    ) {
        self.devices = devices
        self.settings = settings
        self.sender = sender
        self.transport = transport
        self.makeID = makeID
    }

    /// The key that browsers subscribe with; nil if Web Push is not set up.
    package var publicKey: String? { settings.web?.publicKey }

    /// Whether a service can be used.
    package func isConfigured(_ service: PushService) -> Bool { settings.isConfigured(service) }

    /// Returns the error in an address; nil when there is none.
    package func fault(of address: PushAddress) async -> PushAddress.Fault? { await sender.fault(of: address) }

    /// Registers an address without ``fault(of:)`` for a person; see
    /// ``PushDeviceRepository/registerPushDevice(_:of:session:newID:at:)``.
    ///
    /// - Throws: ``RepositoryError``.
    package func register(
        _ address: PushAddress, of user: UserID, session: AccountSession.ID?, at moment: Timestamp
    ) async throws -> (device: PushDevice, isNew: Bool)? {
        try await devices.registerPushDevice(
            address, of: user, session: session, newID: PushDevice.ID(rawValue: makeID()), at: moment)
    }

    /// Returns the devices of a person, the last registered first.
    package func devices(of user: UserID) async throws -> [PushDevice] { try await devices.pushDevices(of: user) }

    /// Ends a registration; returns false if the person has no such device.
    package func remove(_ id: PushDevice.ID, of user: UserID) async throws -> Bool {
        try await devices.removePushDevice(id, of: user)
    }

    /// Sends a notification to a device of a person, without waiting or pauses.
    ///
    /// A device that its service rejects is ended, as for any notification.
    ///
    /// - Parameters:
    ///   - id: The device.
    ///   - user: The person.
    /// - Returns: What happened; nil if the person has no such device.
    /// - Throws: ``RepositoryError``, `CancellationError`.
    package func test(_ id: PushDevice.ID, of user: UserID) async throws -> PushTest? {
        guard let device = try await devices.pushRegistration(id)?.device, device.userID == user else { return nil }
        let recorder = RecordingTransport(base: transport)
        let outcome = try await sender.over(recorder).send(.test(for: user), to: device)
        if case .rejected(let since) = outcome { _ = try await devices.endPushDevice(device, goneSince: since) }
        return PushTest(outcome: outcome, exchange: recorder.last)
    }
}

/// The end of a notification that was sent as a test.
package struct PushTest: Hashable, Sendable {
    /// What happened to it.
    package enum Result: String, CaseIterable, Sendable {
        case delivered, rejected, failed
    }

    /// Where it failed.
    package enum Stage: String, CaseIterable, Sendable {
        /// The service is not set up on this server.
        case settings
        /// The address of the device.
        case address
        /// The host of the device's URL cannot be resolved, or must not be called.
        case host
        /// There was no connection, or no complete reply.
        case connection
        /// The service does not accept the server's credentials.
        case credentials
        /// The service is busy, fails or refuses the request.
        case service
        /// The service does not know the device any more.
        case device
    }

    /// What became of it.
    package let result: Result
    /// Nil if it was delivered.
    package let stage: Stage?
    /// The status of the service's last reply, if there was one.
    package let status: Int?
    /// The service's code, or the rule that the address breaks.
    package let reason: String?

    init(outcome: PushOutcome, exchange: RecordingTransport.Exchange?) {
        var status: Int?
        if case .reply(let found)? = exchange { status = found }
        self.status = status
        var reason: String?
        switch outcome {
        case .delivered: (result, stage) = (.delivered, nil)
        case .rejected: (result, stage) = (.rejected, .device)
        case .credentialsRefused: (result, stage) = (.failed, .credentials)
        case .tooLarge: (result, stage) = (.failed, .service)
        case .retry:
            result = .failed
            stage = exchange == nil ? .host : status == nil ? .connection : .service
        case .misconfigured(.notConfigured): (result, stage) = (.failed, .settings)
        case .misconfigured(.address(let field)):
            (result, stage) = (.failed, .address)
            reason = field
        case .misconfigured(.endpoint(let fault)):
            (result, stage) = (.failed, .host)
            reason = fault.reason
        case .misconfigured(.refused(_, let code)):
            (result, stage) = (.failed, .service)
            reason = code
        }
        self.reason = reason
    }
}

extension PushNotification {
    /// A notification that belongs to no conversation.
    fileprivate static func test(for user: UserID) -> PushNotification {
        PushNotification(
            conversationID: "nexus-test", messageID: "nexus-test", seq: nil, senderID: user, senderName: "Nexus",
            text: "This is a test.", unread: 0)
    }
}

/// Notes how the last exchange of a test ended.
final class RecordingTransport: PushTransport {
    enum Exchange {
        case reply(status: Int)
        case failure
    }

    private let base: any PushTransport
    private let noted = Mutex<Exchange?>(nil)

    init(base: any PushTransport) {
        self.base = base
    }

    var last: Exchange? { noted.withLock { $0 } }

    func send(_ request: PushRequest) async throws -> PushReply {
        noted.withLock { $0 = .failure }
        let reply = try await base.send(request)
        noted.withLock { $0 = .reply(status: reply.status) }
        return reply
    }
}
