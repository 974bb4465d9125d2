import ChatCore
import Foundation
import LiveChat
import Logging
import Synchronization
import TestSupport
import Testing

@Suite(.hangGuard) struct PushDeliveryTests {
    @Test func aNotificationWaitsAndIsSentOnce() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        try await world.register()
        world.notifications.add(at: world.clock.now())

        let due = try await delivery.sendNew()
        #expect(world.sent == [])
        #expect(due == world.clock.now() + .seconds(2))
        world.clock.advance(by: .seconds(2))
        #expect(try await delivery.sendDue() == nil)
        #expect(world.sent == ["m1"])
        #expect(try await world.number() == 1)
        _ = try await delivery.sendNew()
        #expect(world.sent == ["m1"])
        _ = try await world.delivery().sendNew()
        #expect(world.sent == ["m1"])
    }

    @Test func everyDeviceOfThePersonIsNotifiedAndNoOther() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        try await world.register("d1")
        try await world.register("d2")
        try await world.register("d3", of: "eve")
        world.notifications.add(at: world.clock.now())

        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendNew()

        #expect(world.sent == ["m1", "m1"])
        #expect(try await world.number(of: "d2") == 1)
        #expect(try await world.number(of: "d3") == 0)
    }

    @Test func whatIsSettledReceivedOrOpenIsSkipped() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        try await world.register()
        let settled = world.notifications.add("c1", at: world.clock.now())
        world.notifications.add("c2", at: world.clock.now())
        world.notifications.add("c3", at: world.clock.now())
        world.notifications.add("c4", at: world.clock.now())
        world.notifications.add("c5", kind: .item, at: world.clock.now())
        world.notifications.add("c6", kind: .reminder, at: world.clock.now())
        _ = try await delivery.sendNew()
        world.notifications.settle(settled)
        let received = PushFacts(hasArrived: true, unreadCount: 9)
        world.devices.setFacts(received, of: MessageKey(conversationID: "c2", messageID: "m2"))
        world.devices.setFacts(received, of: MessageKey(conversationID: "c5", messageID: "m5"))
        world.devices.setFacts(received, of: MessageKey(conversationID: "c6", messageID: "m6"))
        _ = world.open.withLock { $0.insert("c3") }
        world.clock.advance(by: .seconds(2))

        #expect(try await delivery.sendDue() == nil)

        #expect(world.sent == ["m4", "m5", "m6"])
        #expect(try await world.number() == 6)
    }

    @Test func theSignsOfMarkdownAreNotSent() async throws {
        let world = PushWorld()
        let delivery = try world.delivery(detail: .text)
        try await world.register()
        world.notifications.add(text: "**See** you\n- at `noon`", at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendNew()

        let notification =
            try object(try #require(world.transport.requests.first).body)["notification"] as? [String: Any]
        let content = notification?["content"] as? [String: Any]
        #expect(content?["body"] as? String == "See you at noon")
    }

    @Test func aReminderSaysThatItIsOne() async throws {
        let world = PushWorld()
        let delivery = try world.delivery(detail: .text)
        try await world.register()
        world.notifications.add(kind: .reminder, text: "See you at noon", at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendNew()

        let notification =
            try object(try #require(world.transport.requests.first).body)["notification"] as? [String: Any]
        let content = notification?["content"] as? [String: Any]
        #expect(content?["body"] as? String == "⏰ See you at noon")
    }

    @Test func nothingIsSentInQuietHours() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        try await world.register()
        // 2025-10-09T08:53:20Z is 10:53 in Berlin.
        let hours = PersonalSettings.QuietHours(start: 10 * 60, end: 11 * 60)
        try await world.notifications.setPersonalSettings(
            PersonalSettings(timeZone: "Europe/Berlin", quietHours: hours), of: "ben", at: world.clock.now())
        world.notifications.add(at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendNew()
        #expect(world.sent == [])
        #expect(try await world.number() == 1)

        world.clock.advance(by: .seconds(600))
        world.notifications.add(at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendNew()
        #expect(world.sent == ["m2"])
    }

    @Test func aLaterOneOfTheConversationReplacesEarlierOnes() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        try await world.register()
        for conversation in ["c1", "c2", "c1"] as [ConversationID] {
            world.notifications.add(conversation, at: world.clock.now())
        }
        world.clock.advance(by: .seconds(2))
        // This one is not due yet, so it holds up nothing.
        world.notifications.add("c1", at: world.clock.now())

        let due = try await delivery.sendNew()

        #expect(world.sent == ["m2", "m3"])
        #expect(due == world.clock.now() + .seconds(2))
    }

    @Test func aCrashBeforeTheProgressIsStoredRepeatsAndLosesNothing() async throws {
        let world = PushWorld()
        try await world.register()
        world.notifications.add("c1", at: world.clock.now())
        world.notifications.add("c2", at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        world.devices.failToStore(true)
        _ = try await world.delivery().sendNew()
        #expect(world.sent == ["m1", "m2"])
        #expect(try await world.number() == 0)

        world.devices.failToStore(false)
        _ = try await world.delivery().sendNew()

        #expect(world.sent == ["m1", "m2", "m1", "m2"])
        #expect(try await world.number() == 2)
        let keys = world.transport.requests.map { $0.headers["Idempotency-Key"] }
        #expect(keys[0] == keys[2] && keys[1] == keys[3])
    }

    @Test func failuresPauseTheDeviceAlsoForNewNotifications() async throws {
        let world = PushWorld { _, number in PushReply(status: number <= 3 ? 503 : 200) }
        let delivery = try world.delivery()
        try await world.register()
        world.clock.advance(by: .seconds(120))
        world.notifications.add("c1", at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        var pauses: [Duration] = []
        _ = try await delivery.sendNew()
        for _ in 0..<3 {
            let until = try #require(try await world.devices.pushRegistration("d1")?.progress.pausedUntil)
            pauses.append(until - world.clock.now())
            world.notifications.add("c2", at: world.clock.now() + .seconds(-60))
            let count = world.sent.count
            #expect(try await delivery.sendNew() == until)
            #expect(world.sent.count == count)
            world.clock.advance(by: until - world.clock.now())
            _ = try await delivery.sendDue()
        }

        #expect(pauses == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(world.sent == ["m1", "m1", "m1", "m1", "m4"])
        #expect(try await world.devices.pushRegistration("d1")?.progress == PushProgress(number: 4))
    }

    @Test func aPauseSurvivesARestart() async throws {
        let world = PushWorld { _, number in PushReply(status: number == 1 ? 503 : 200, headers: ["Retry-After": "90"])
        }
        try await world.register()
        world.notifications.add(at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        let until = try await world.delivery().sendNew()
        #expect(until == world.clock.now() + .seconds(90))

        let again = try world.delivery()
        #expect(try await again.sendNew() == until)
        #expect(world.sent == ["m1"])
        world.clock.advance(by: .seconds(90))
        _ = try await again.sendDue()
        #expect(world.sent == ["m1", "m1"])
    }

    @Test func aFailingHostPausesAllItsDevicesAndNoOthers() async throws {
        let world = PushWorld { request, _ in
            PushReply(status: request.url.hasPrefix("https://bad.example") ? 500 : 200)
        }
        let delivery = try world.delivery(rules: PushRules(hostConcurrency: 1))
        try await world.register("d1", url: "https://bad.example/a")
        try await world.register("d2", url: "https://bad.example/b")
        try await world.register("d3", url: "https://good.example/a")
        world.notifications.add(at: world.clock.now())
        world.clock.advance(by: .seconds(2))

        let due = try await delivery.sendNew()

        let urls = world.transport.requests.map(\.url)
        #expect(urls.filter { $0.hasPrefix("https://bad.example") }.count == 1)
        #expect(urls.filter { $0.hasPrefix("https://good.example") }.count == 1)
        #expect(due == world.clock.now() + .seconds(1))
        world.clock.advance(by: .seconds(1))
        _ = try await delivery.sendDue()
        #expect(world.transport.requests.count == 3)
        world.clock.advance(by: .seconds(1))
        #expect(try await delivery.sendDue() == world.clock.now() + .seconds(1))
        #expect(world.transport.requests.count == 3)
    }

    @Test func aNotificationIsGivenUpAfterADay() async throws {
        let world = PushWorld { _, _ in PushReply(status: 503) }
        let delivery = try world.delivery()
        try await world.register()
        world.notifications.add("c1", at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        var due = try await delivery.sendNew()
        while let next = due {
            world.clock.advance(by: max(.zero, next - world.clock.now()))
            due = try await delivery.sendDue()
        }
        #expect(try await world.number() == 1)
        let count = world.sent.count
        #expect(count > 20)

        world.notifications.add("c2", at: world.clock.now())
        let until = try await delivery.sendNew()
        #expect(world.sent.count == count)
        #expect(try #require(until) - world.clock.now() <= .seconds(3_600))
    }

    @Test func aRejectedDeviceIsEnded() async throws {
        let world = PushWorld { _, _ in PushReply(status: 200, body: Data(#"{"rejected":["key-d1"]}"#.utf8)) }
        let delivery = try world.delivery()
        try await world.register()
        world.notifications.add("c1", at: world.clock.now())
        world.notifications.add("c2", at: world.clock.now())
        world.clock.advance(by: .seconds(2))

        #expect(try await delivery.sendNew() == nil)

        #expect(world.sent == ["m1"])
        #expect(try await world.devices.pushDevices(of: "ben") == [])
    }

    @Test(arguments: [400, 413, 301]) func whatCannotSucceedIsGivenUp(status: Int) async throws {
        let world = PushWorld { _, _ in PushReply(status: status) }
        let delivery = try world.delivery()
        try await world.register()
        world.notifications.add(at: world.clock.now())
        world.clock.advance(by: .seconds(2))

        #expect(try await delivery.sendNew() == nil)

        #expect(world.sent == ["m1"])
        #expect(try await world.number() == 1)
        #expect(try await world.devices.pushDevices(of: "ben").count == 1)
    }

    @Test func refusedCredentialsAreTriedLaterAndTheDeviceIsKept() async throws {
        let world = PushWorld { _, number in PushReply(status: number == 1 ? 403 : 200) }
        let delivery = try world.delivery()
        try await world.register()
        world.notifications.add(at: world.clock.now())
        world.clock.advance(by: .seconds(2))

        let due = try await delivery.sendNew()
        #expect(due == world.clock.now() + .seconds(1))
        world.clock.advance(by: .seconds(1))
        _ = try await delivery.sendDue()

        #expect(world.sent == ["m1", "m1"])
        #expect(try await world.number() == 1)
    }

    @Test func aNewDeviceGetsNothingFromBefore() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        world.notifications.add("c1", at: world.clock.now())
        world.clock.advance(by: .seconds(5))
        try await world.register()
        world.notifications.add("c2", at: world.clock.now())
        world.clock.advance(by: .seconds(2))

        _ = try await delivery.sendNew()

        #expect(world.sent == ["m2"])
    }

    @Test func aDeviceThatRegistersWhileThereIsNewsIsNotified() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        try await world.register("d1", of: "eve")
        for _ in 0..<3 { world.notifications.add(for: "eve", at: world.clock.now()) }
        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendNew()
        try await world.register("d2")
        world.notifications.add("c2", at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        // The notification is announced before the device.
        delivery.follow([Change(number: ChangeNumber(rawValue: 1), conversationID: "c2", subject: .message("m4"))])
        _ = try await delivery.sendDue()
        delivery.follow([Change(number: ChangeNumber(rawValue: 2), conversationID: nil, subject: .personal("ben"))])
        _ = try await delivery.sendDue()

        #expect(world.sent == ["m3", "m4"])
    }

    @Test func aDeviceThatWasErasedMeanwhileIsForgotten() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        try await world.register()
        world.notifications.add(at: world.clock.now())
        _ = try await delivery.sendNew()
        #expect(try await world.devices.removePushDevice("d1", of: "ben"))
        world.clock.advance(by: .seconds(2))

        #expect(try await delivery.sendDue() == nil)

        #expect(world.sent == [])
    }

    /// As after a failover that lost notifications: the next ones have their numbers.
    @Test func numbersOfAnotherLogAreOtherNotifications() async throws {
        let world = PushWorld()
        let delivery = try world.delivery()
        let start = ChangeCursor(epoch: 1, positions: [ChangeNumber(rawValue: 5)])
        try await world.register()
        for _ in 0..<2 { world.notifications.add(at: world.clock.now()) }
        delivery.follow(nil, start)
        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendDue()
        #expect(world.sent == ["m2"])

        world.notifications.loseAll()
        world.devices.loseProgress(of: "d1")
        delivery.follow(nil, ChangeCursor(epoch: 2, positions: start.positions))
        world.notifications.add(at: world.clock.now())
        world.clock.advance(by: .seconds(2))
        _ = try await delivery.sendDue()

        #expect(world.sent == ["m2", "m1"])
        #expect(try await world.number() == 1)
    }

    @Test func runsUntilCancelled() async throws {
        let world = PushWorld()
        let delivery = try world.delivery(rules: PushRules(delay: .zero))
        let running = Task { await delivery.run() }
        try await world.register()
        world.notifications.add(at: world.clock.now())
        delivery.follow(nil)
        while world.sent.isEmpty { await shortPause() }
        while try await world.number() != 1 { await shortPause() }
        running.cancel()
        await running.value

        #expect(world.sent == ["m1"])
    }

    @Test func aSlowHostDoesNotHoldUpOthers() async throws {
        let slow = try StubServer(.neverAnswers)
        let quick = try StubServer(.json(["rejected": [String]()]))
        let notifications = NotificationStub()
        let devices = InMemoryPushDevices()
        let clock = ManualNow()
        for number in 0..<20 {
            let url = number < 10 ? slow.baseURL : quick.baseURL
            _ = try await devices.registerPushDevice(
                .webhook(url: url, pushKey: "k\(number)", appID: "a"), of: "ben",
                newID: PushDevice.ID(rawValue: "d\(number)"), at: clock.now())
        }
        let settings = PushSettings(
            webhook: try WebhookCredentials(secret: "a secret of 26 characters"),
            webhookEndpoints: PushEndpointRules(hosts: [], allowsLoopback: true))
        let sender = PushSender(settings: settings, transport: try LoopbackTransport(), now: clock.now)
        let delivery = PushDelivery(
            notifications: notifications, devices: devices, sender: sender, isOpen: { _, _ in false },
            rules: PushRules(delay: .zero, concurrency: 6, hostConcurrency: 2), now: clock.now, logger: .silent)
        notifications.add(at: clock.now())
        let running = Task { await delivery.run() }

        await quick.waitForRequests(10)
        await slow.waitForRequests(2)
        running.cancel()
        await running.value

        #expect(slow.requests.count == 2)
        #expect(quick.requests.count == 10)
    }
}
