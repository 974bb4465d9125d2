import ChatCore
import MessageStore
import TestSupport
import Testing

@Suite struct PushDeviceStoreTests {
    private static let web = PushAddress.web(endpoint: "https://push.example/a", p256dh: "one", auth: "two")
    private static let apns = PushAddress.apns(token: "A1B2", topic: "org.example")

    /// Runs a body on the real store and on the fake that other tests use.
    private func withBoth(_ body: (any PushDeviceRepository) async throws -> Void) async throws {
        try await body(InMemoryPushDevices())
        try await DataFolder.with { _, store in try await body(store) }
    }

    @Test func theSameDestinationIsTheSameDevice() async throws {
        try await withBoth { store in
            let (first, isNew) = try await store.registerPushDevice(Self.web, of: "ada", newID: "d1", at: .second(1))
            let renewed = PushAddress.web(endpoint: "https://push.example/a", p256dh: "three", auth: "four")
            let (second, isNewAgain) = try await store.registerPushDevice(
                renewed, of: "ada", newID: "d2", at: .second(2))
            let (third, _) = try await store.registerPushDevice(Self.apns, of: "ada", newID: "d3", at: .second(3))
            let lowercase = PushAddress.apns(token: "a1b2", topic: "org.example")
            let (fourth, _) = try await store.registerPushDevice(lowercase, of: "ada", newID: "d4", at: .second(4))

            #expect(first.id == "d1" && isNew)
            #expect(second.id == "d1" && !isNewAgain)
            #expect(third.id == "d3" && fourth.id == "d3")
            #expect(
                try await store.pushDevices(of: "ada") == [
                    PushDevice(id: "d3", userID: "ada", address: lowercase, registeredAt: .second(4)),
                    PushDevice(id: "d1", userID: "ada", address: renewed, registeredAt: .second(2)),
                ])
            #expect(try await store.pushRegistration("d1")?.begunAt == .second(1))
        }
    }

    @Test func aDestinationMovesToAnotherPerson() async throws {
        try await withBoth { store in
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d1", at: .second(1))
            let (device, isNew) = try await store.registerPushDevice(Self.web, of: "bob", newID: "d2", at: .second(2))

            #expect(device.id == "d2" && isNew)
            #expect(try await store.pushDevices(of: "ada") == [])
            #expect(try await store.pushDevices(of: "bob").map(\.id) == ["d2"])
            #expect(try await store.pushRegistration("d1") == nil)
        }
    }

    @Test func theOldestDevicesGo() async throws {
        try await withBoth { store in
            _ = try await store.registerPushDevice(Self.web, of: "bob", newID: "other", at: .second(0))
            for number in 0..<PushDevice.countLimit + 2 {
                _ = try await store.registerPushDevice(
                    .fcm(token: "t\(number)"), of: "ada", newID: PushDevice.ID(rawValue: "d\(number)"),
                    at: .second(number))
            }

            let ids = try await store.pushDevices(of: "ada").map(\.id.rawValue)
            #expect(ids == (2..<PushDevice.countLimit + 2).reversed().map { "d\($0)" })
            #expect(try await store.pushDevices(of: "bob").count == 1)
        }
    }

    @Test func onlyTheOwnerEndsADevice() async throws {
        try await withBoth { store in
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d1", at: .second(1))

            #expect(try await !store.removePushDevice("d1", of: "bob"))
            #expect(try await !store.removePushDevice("d9", of: "ada"))
            #expect(try await store.removePushDevice("d1", of: "ada"))
            #expect(try await store.pushDevices(of: "ada") == [])
        }
    }

    @Test func aRejectedDeviceGoesUnlessItRegisteredAgain() async throws {
        try await withBoth { store in
            let (old, _) = try await store.registerPushDevice(Self.web, of: "ada", newID: "d1", at: .second(10))
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d2", at: .second(20))

            #expect(try await !store.endPushDevice(old, goneSince: nil))
            #expect(try await !store.endPushDevice(old, goneSince: .second(19)))
            #expect(try await store.pushDevices(of: "ada").count == 1)
            #expect(try await store.endPushDevice(old, goneSince: .second(20)))
            #expect(try await store.pushDevices(of: "ada") == [])
            #expect(try await store.endPushDevice(old, goneSince: nil))
        }
    }

    @Test func progressIsKeptAndNewDevicesBeginAtTheLast() async throws {
        try await withBoth { store in
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d1", at: .second(1))
            let progress = PushProgress(
                number: 7, failureCount: 3, triedSince: .second(4), pausedUntil: .second(9))
            try await store.setPushProgress(progress, of: "d1")
            try await store.setPushProgress(progress, of: "unknown")
            _ = try await store.registerPushDevice(Self.apns, of: "bob", newID: "d2", at: .second(5))
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d3", at: .second(6))

            // One that led before, and comes late.
            try await store.setPushProgress(PushProgress(number: 6), of: "d1")
            #expect(try await store.pushRegistration("d1")?.progress == progress)
            #expect(try await store.pushRegistration("d2")?.progress == PushProgress(number: 7))
            try await store.advancePushDevices(["d1", "d2"], to: 6)
            #expect(try await store.pushRegistration("d2")?.progress.number == 7)
            try await store.advancePushDevices(["d2"], to: 9)
            let all = try await store.pushRegistrations(of: nil)
            #expect(Set(all.map { [$0.device.id.rawValue: $0.progress.number] }) == [["d1": 7], ["d2": 9]])
            #expect(try await store.pushRegistrations(of: ["bob"]).map(\.device.id) == ["d2"])
        }
    }

    @Test func aRegistrationAndItsEndAreChangesOfThePerson() async throws {
        try await DataFolder.with { _, store in
            let start = try await store.latestChange()
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d1", at: .second(1))
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d2", at: .second(2))
            let (device, _) = try await store.registerPushDevice(Self.web, of: "bob", newID: "d3", at: .second(3))
            _ = try await store.endPushDevice(device, goneSince: nil)

            let changes = try await store.changes(after: start, limit: 99).changes
            #expect(
                changes.map(\.subject) == [.personal("ada"), .personal("ada"), .personal("bob"), .personal("bob")])
            #expect(changes.allSatisfy { $0.conversationID == nil })
            for (user, expected) in [("ada", [FeedChange.devices]), ("bob", [.devices]), ("cy", [])] as [(UserID, _)] {
                let page = try await store.feed(of: user, in: FeedRange(after: start), limit: 99, at: .second(4))
                #expect(page.changes == expected, "\(user)")
            }
        }
    }

    @Test func factsFollowReceiptsAndReading() async throws {
        try await DataFolder.with { _, store in
            _ = try await store.store(
                [.of("c", ["ada", "bob"]), .of("d", ["ada", "bob"])], source: "api", mode: .posting, at: .second(0))
            _ = try await store.accept(
                [.short("c", "m1"), .short("c", "m2"), .short("d", "m3")], source: "api", mode: .posting,
                at: .second(1))
            func facts(_ key: MessageKey) async throws -> PushFacts {
                try await store.pushFacts(of: key, for: "bob", at: .second(9))
            }

            #expect(try await facts(.of("c", "m1")) == PushFacts(hasArrived: false, unreadCount: 3))
            let arrival = try #require(
                try await store.positions(of: [.of("c", "m1")])[.of("c", "m1")]?.arrival)
            let epoch = try await store.latestChange().epoch
            try await store.acknowledge(ChangeCursor(epoch: epoch, positions: [arrival]), by: "bob", at: .second(2))
            _ = try await store.markRead(["m1"], in: "c", by: "bob", at: .second(3))

            #expect(try await facts(.of("c", "m1")) == PushFacts(hasArrived: true, unreadCount: 2))
            #expect(try await facts(.of("c", "m2")) == PushFacts(hasArrived: false, unreadCount: 2))
            #expect(try await facts(.of("c", "unknown")).hasArrived == false)
            #expect(try await store.pushFacts(of: .of("d", "m3"), for: "ada", at: .second(9)).unreadCount == 0)
        }
    }

    @Test func anErasedPersonLeavesNoTokens() async throws {
        let token = "fcm-token-of-bob-that-nobody-else-has"
        try await DataFolder.with { folder, store in
            _ = try await store.registerPushDevice(.fcm(token: token), of: "bob", newID: "d1", at: .second(1))
            _ = try await store.registerPushDevice(Self.web, of: "ada", newID: "d2", at: .second(1))
            #expect(try folder.holds(token))

            let (_, proof) = try await ErasureTests().erase(.user("bob"), in: store)

            #expect(proof.remains.isEmpty && proof.searchedCount > 0)
            #expect(try !folder.holds(token))
            #expect(try await store.pushRegistrations(of: nil).map(\.device.id) == ["d2"])
        }
    }
}
