import ChatCore
import LiveChat
import MessageStore
import ServiceLifecycle

/// Announces changes to the connections of the feed, and ends leases of presence, while a server runs.
struct LiveServices: Service {
    let feed: FeedHub
    let people: LivePeople
    let store: SQLStore

    func run() async throws {
        await cancelWhenGracefulShutdown {
            async let presence: Void = people.run { [store] id, user in
                await (try? store.roster(of: id, only: [], asker: user, at: store.services.clock())) != nil
            } companions: { [store] user in
                try await store.companions(of: user, at: store.services.clock())
            }
            await feed.run()
            await presence
        }
    }
}
