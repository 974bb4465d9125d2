import Foundation
import NexusClient
import NexusModel
import TestSupport
import Testing

/// The list of conversations, banners, and the connection.
@Suite(.hangGuard) @MainActor struct ListAndBannerModelTests {
    private func place(_ id: String, _ seq: Int) -> MessagePlace {
        MessagePlace(conversationId: id, messageId: "m\(seq)")
    }

    private func shown(_ model: NotificationBannerModel) -> [MessagePlace] {
        switch model.state {
        case .hidden: []
        case .shown(let banner, let waiting): ([banner] + waiting).map(\.place)
        }
    }

    @Test func theListFollowsMessagesAndCountsUnreadOnes() async throws {
        let chat = ChatFixture([
            Wire.conversation("dock", unread: 2, isMuted: true), Wire.conversation("pier"),
            Wire.conversation("quay", isPinned: true),
        ])
        try await chat.run {
            let model = await ConversationListModel(chat.hub)
            try await chat.wait { model.rows.map(\.id) == ["quay", "dock", "pier"] }
            chat.say(Wire.change(Wire.message(1, "hello")))
            try await chat.wait { model.rows.map(\.id) == ["quay", "pier", "dock"] }
            let row = model.rows[1]
            #expect(row.excerpt == "hello" && row.sender == "Ben" && row.unreadCount == 1 && !row.isMuted)
            // Unread messages of a muted conversation are not on the badge.
            #expect(model.badgeCount == 1)
            model.filter = "QU"
            #expect(model.rows.map(\.id) == ["quay"])
            chat.say(#"{"type":"departure","conversationId":"quay"}"#)
            try await chat.wait { model.rows.isEmpty }
        }
    }

    @Test func opensDirectConversationsAndReportsWhatFails() async throws {
        let chat = ChatFixture(answer: { request in
            switch (request.method, request.path) {
            case ("POST", "/v1/direct"): ChatFixture.json(#"{"id":"d1"}"#)
            case ("POST", "/v1/conversations"): ChatFixture.json(#"{"code":"adding_forbidden"}"#, status: 403)
            default: nil
            }
        })
        try await chat.run {
            let model = await ConversationListModel(chat.hub)
            #expect(await model.openDirect(with: "ben") == "d1")
            #expect(await model.createGroup("Crew", members: ["ben"]) == nil)
            #expect(model.failure?.key == "nexus.error.adding_forbidden")
            model.dismissFailure()
            #expect(model.failure == nil)
        }
    }

    @Test func aBannerIsShownForFourSecondsThenTheNext() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await NotificationBannerModel(chat.hub) { _ in }
            chat.say(Wire.change(Wire.message(1, "one")), Wire.change(Wire.message(1, "two", in: "quay")))
            try await chat.wait { shown(model) == [place("pier", 1), place("quay", 1)] }
            try await chat.wait { chat.time.sleepers(for: NotificationBannerModel.showTime) == 1 }
            chat.time.advance(by: .seconds(3))
            #expect(chat.time.sleepers(for: NotificationBannerModel.showTime) == 1)
            chat.time.advance(by: .seconds(1))
            try await chat.wait { shown(model) == [place("quay", 1)] }
            try await chat.wait { chat.time.sleepers(for: NotificationBannerModel.showTime) == 1 }
            // The time of a dismissed banner does not end the next one.
            chat.time.advance(by: .seconds(2))
            model.dismiss()
            #expect(model.state == .hidden)
            chat.say(Wire.change(Wire.message(2, "three")))
            try await chat.wait { shown(model) == [place("pier", 2)] }
            try await chat.wait { chat.time.sleepers(for: NotificationBannerModel.showTime) == 2 }
            chat.time.advance(by: .seconds(2))
            try await chat.wait { chat.time.sleepers(for: NotificationBannerModel.showTime) == 1 }
            try await chat.settle()
            #expect(shown(model) == [place("pier", 2)])
        }
    }

    @Test func aBannerOfAMessageThatMayNoLongerBeReadGoes() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await NotificationBannerModel(chat.hub) { _ in }
            chat.say(Wire.change(Wire.message(1, "one")), Wire.change(Wire.message(1, "two", in: "quay")))
            try await chat.wait { shown(model) == [place("pier", 1), place("quay", 1)] }
            let entry = { (id: String) in
                #"{"type":"conversation","conversation":\#(Wire.conversation(id, head: 1)),"members":[],"receipts":[]}"#
            }
            // Another name takes nothing away.
            chat.say(entry("quay"))
            try await chat.settle()
            #expect(shown(model) == [place("pier", 1), place("quay", 1)])

            chat.say(entry("pier"), limiting: "pier")
            try await chat.wait { shown(model) == [place("quay", 1)] }
        }
    }

    @Test func ownMessagesTheOpenConversationMutedOnesEditsAndWhatWasMissedHaveNoBanner() async throws {
        let chat = ChatFixture([
            Wire.conversation("pier"), Wire.conversation("quay"), Wire.conversation("dock", isMuted: true),
        ])
        try await chat.run {
            let model = await NotificationBannerModel(chat.hub) { _ in }
            await chat.hub.open("quay")
            chat.say(
                Wire.change(Wire.message(1, by: "ada")), Wire.change(Wire.message(1, in: "quay")),
                Wire.change(Wire.message(1, in: "dock")),
                Wire.change(Wire.message(2, extra: #","editedAt":"2026-10-07T11:00:00.000Z""#)))
            try await chat.settle()
            #expect(model.state == .hidden)
            // A new connection first brings what was missed.
            chat.transport.sockets[0].end()
            try await chat.wait { chat.time.sleepers(for: .milliseconds(750)) == 1 }
            chat.time.advance(by: .milliseconds(750))
            try await chat.wait { chat.transport.sockets.count == 2 }
            chat.say(Wire.change(Wire.message(3)))
            try await chat.settle()
            #expect(model.state == .hidden)
            chat.say(Wire.change(Wire.message(4)))
            try await chat.wait { shown(model) == [place("pier", 4)] }
        }
    }

    @Test func threeBannersWaitAndTheOldestGivesWay() async throws {
        let places = ["a", "b", "c", "d", "e"]
        let chat = ChatFixture(places.map { Wire.conversation($0) })
        try await chat.run {
            let model = await NotificationBannerModel(chat.hub) { _ in }
            for id in places { chat.say(Wire.change(Wire.message(1, in: id))) }
            try await chat.wait {
                shown(model) == [place("a", 1), place("c", 1), place("d", 1), place("e", 1)]
            }
            // Of one conversation the last message waits.
            chat.say(Wire.change(Wire.message(2, in: "c")))
            try await chat.wait {
                shown(model) == [place("a", 1), place("d", 1), place("e", 1), place("c", 2)]
            }
            // What is read elsewhere or deleted goes.
            chat.say(
                #"{"type":"receipt","conversationId":"d","receipt":{"userId":"ada","readSeq":1,"deliveredSeq":1,"#
                    + #""joinedSeq":0}}"#, #"{"type":"deletion","conversationId":"a","messageId":"m1","seq":1}"#)
            try await chat.wait { shown(model) == [place("e", 1), place("c", 2)] }
        }
    }

    @Test func aTapNavigatesAndOpeningTheConversationTakesItsBannerAway() async throws {
        let chat = ChatFixture()
        try await chat.run {
            var visited: [MessagePlace] = []
            let model = await NotificationBannerModel(chat.hub) { visited.append($0) }
            chat.say(Wire.change(Wire.message(1)), Wire.change(Wire.message(1, in: "quay")))
            try await chat.wait { shown(model).count == 2 }
            model.tap()
            #expect(visited == [place("pier", 1)] && shown(model) == [place("quay", 1)])
            await chat.hub.open("quay")
            chat.say(Wire.change(Wire.message(2, in: "quay")))
            try await chat.wait { model.state == .hidden }
            model.tap()
            #expect(visited.count == 1)
        }
    }

    @Test func theConnectionHasASentenceWhileItIsAway() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConnectionModel(chat.hub)
            try await chat.wait { model.state == .live }
            #expect(model.sentence == nil)
            chat.transport.sockets[0].end()
            try await chat.wait { model.state == .offline }
            #expect(model.sentence?.key == "nexus.error.offline")
            try await chat.wait { chat.time.sleepers(for: .milliseconds(750)) == 1 }
            chat.time.advance(by: .milliseconds(750))
            // Nothing was missed: a second without a frame is enough.
            try await chat.wait { chat.time.sleepers(for: .seconds(1)) == 1 }
            chat.time.advance(by: .seconds(1))
            try await chat.wait { model.state == .live }
        }
    }
}
