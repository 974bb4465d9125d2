package import ChatCore
import Synchronization

/// Schedules of people in memory, which nobody runs.
package final class InMemorySchedules: ScheduleRepository {
    private let kept = Mutex<[Schedule]>([])

    package init() {}

    package func schedules(of owner: UserID) async throws -> [Schedule] {
        kept.withLock { $0.filter { $0.ownerID == owner } }
    }

    package func create(_ schedule: Schedule, limit: Int) async throws -> Bool {
        kept.withLock { kept in
            guard kept.count(where: { $0.ownerID == schedule.ownerID }) < limit else { return false }
            kept.append(schedule)
            return true
        }
    }

    package func change(_ schedule: Schedule) async throws {
        try kept.withLock { kept in
            guard let place = kept.firstIndex(where: { $0.id == schedule.id && $0.ownerID == schedule.ownerID }) else {
                throw RepositoryError.noSuchSchedule(schedule.id)
            }
            kept[place] = schedule
        }
    }

    package func deleteSchedule(_ id: ScheduleID, of owner: UserID) async throws {
        try kept.withLock { kept in
            guard let place = kept.firstIndex(where: { $0.id == id && $0.ownerID == owner }) else {
                throw RepositoryError.noSuchSchedule(id)
            }
            kept.remove(at: place)
        }
    }

    package func assistantConversation(of owner: UserID) async throws -> ConversationID? { nil }

    package func beginSchedules() async throws {}

    package func claimSchedule(until lease: Timestamp, at moment: Timestamp) async throws -> ScheduleClaim? { nil }

    package func nextScheduleDue() async throws -> Timestamp? { nil }

    package func deliver(
        _ delivery: ScheduleDelivery, of claim: ScheduleClaim, run: Schedule.Run, next: Timestamp?, at moment: Timestamp
    ) async throws -> ScheduleDelivering { .outdated }

    package func settle(_ claim: ScheduleClaim, run: Schedule.Run, next: Timestamp?) async throws {}

    package func retry(_ claim: ScheduleClaim, at moment: Timestamp) async throws {}
}
