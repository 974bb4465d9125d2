package import ChatCore
import Synchronization

extension PushDeviceRepository {
    /// Registers a device that outlasts sessions.
    package func registerPushDevice(
        _ address: PushAddress, of user: UserID, newID: PushDevice.ID, at moment: Timestamp
    ) async throws -> (device: PushDevice, isNew: Bool) {
        let registration = try await registerPushDevice(address, of: user, session: nil, newID: newID, at: moment)
        guard let registration else { preconditionFailure("no session can have ended") }
        return registration
    }
}

/// The devices for push, in memory; a test decides what else is known of a message.
package final class InMemoryPushDevices: PushDeviceRepository {
    private struct State {
        var registrations: [PushDevice.ID: PushRegistration] = [:]
        var facts: [MessageKey: PushFacts] = [:]
        var unreadCount = 0
        var failsToStore = false
        var storedCount = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets what is known of a message.
    package func setFacts(_ facts: PushFacts, of message: MessageKey) { state.withLock { $0.facts[message] = facts } }

    /// Decides whether progress can be stored from now on, as in a crash before it is.
    package func failToStore(_ fails: Bool) { state.withLock { $0.failsToStore = fails } }

    /// Forgets how far a device was notified, as a failover to a standby that lacks it does.
    package func loseProgress(of id: PushDevice.ID) {
        state.withLock { $0.registrations[id]?.progress = PushProgress(number: 0) }
    }

    /// How often progress was stored.
    package var storedCount: Int { state.withLock { $0.storedCount } }

    package func registerPushDevice(
        _ address: PushAddress, of user: UserID, session: AccountSession.ID?, newID: PushDevice.ID, at moment: Timestamp
    ) async throws -> (device: PushDevice, isNew: Bool)? {
        state.withLock { state in
            let known = state.registrations.values.first { $0.device.address.destination == address.destination }
            if let known, known.device.userID == user {
                let device = PushDevice(
                    id: known.device.id, userID: user, address: address,
                    registeredAt: max(known.device.registeredAt, moment))
                state.registrations[device.id] = PushRegistration(
                    device: device, begunAt: known.begunAt, progress: known.progress)
                return (device, false)
            }
            let number = state.registrations.values.map(\.progress.number).max() ?? 0
            if let known { state.registrations[known.device.id] = nil }
            let device = PushDevice(id: newID, userID: user, address: address, registeredAt: moment)
            let others = Self.sorted(state.registrations.values.map(\.device).filter { $0.userID == user })
            for old in others.dropFirst(PushDevice.countLimit - 1) { state.registrations[old.id] = nil }
            state.registrations[newID] = PushRegistration(
                device: device, begunAt: moment, progress: PushProgress(number: number))
            return (device, true)
        }
    }

    private static func sorted(_ devices: [PushDevice]) -> [PushDevice] {
        devices.sorted { ($1.registeredAt, $0.id) < ($0.registeredAt, $1.id) }
    }

    package func pushDevices(of user: UserID) async throws -> [PushDevice] {
        Self.sorted(state.withLock { $0.registrations.values.map(\.device).filter { $0.userID == user } })
    }

    package func removePushDevice(_ id: PushDevice.ID, of user: UserID) async throws -> Bool {
        state.withLock { state in
            guard state.registrations[id]?.device.userID == user else { return false }
            state.registrations[id] = nil
            return true
        }
    }

    package func endPushDevice(_ device: PushDevice, goneSince: Timestamp?) async throws -> Bool {
        state.withLock { state in
            guard let stored = state.registrations[device.id]?.device else { return true }
            guard stored.isEnded(by: goneSince ?? device.registeredAt) else { return false }
            state.registrations[device.id] = nil
            return true
        }
    }

    package func pushRegistration(_ id: PushDevice.ID) async throws -> PushRegistration? {
        state.withLock { $0.registrations[id] }
    }

    package func pushRegistrations(of users: Set<UserID>?) async throws -> [PushRegistration] {
        state.withLock { state in
            state.registrations.values.filter { users?.contains($0.device.userID) ?? true }
        }
    }

    package func setPushProgress(_ progress: PushProgress, of id: PushDevice.ID) async throws {
        try state.withLock { state in
            guard !state.failsToStore else { throw RepositoryError.storageFull }
            state.storedCount += 1
            guard let known = state.registrations[id], known.progress.number <= progress.number else { return }
            state.registrations[id]?.progress = progress
        }
    }

    package func advancePushDevices(_ ids: [PushDevice.ID], to number: Int64) async throws {
        state.withLock { state in
            for id in ids {
                guard let old = state.registrations[id]?.progress.number, old < number else { continue }
                state.registrations[id]?.progress.number = number
            }
        }
    }

    package func pushFacts(of message: MessageKey, for user: UserID, at moment: Timestamp) async throws -> PushFacts {
        state.withLock { $0.facts[message] ?? PushFacts(hasArrived: false, unreadCount: 1) }
    }
}
