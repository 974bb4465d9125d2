import Foundation
import NexusClient
import NexusModel
import Synchronization
import TestSupport
import Testing

/// A conversation on the screen.
@Suite(.hangGuard) @MainActor struct ConversationModelTests {
    private func lines(_ model: ConversationModel) -> [String] {
        guard case .loaded(let entries) = model.state else { return [] }
        return entries.map { entry in
            switch entry {
            case .gap(.earlier): "gap earlier"
            case .gap(.between): "gap between"
            case .gap(.later): "gap later"
            case .message(let message): message.text
            case .outgoing(let message): "\(message.text) (\(Self.word(message.state)))"
            }
        }
    }

    private static func word(_ state: OutgoingMessage.State) -> String {
        switch state {
        case .queued: "queued"
        case .sending: "sending"
        case .sent: "sent"
        case .confirmed: "confirmed"
        case .failed: "failed"
        case .discarded: "discarded"
        }
    }

    @Test func showsMessagesAndKeepsWhatIsSentBehindThemUntilItComesBack() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            try await chat.wait { model.state != .loading }
            #expect(model.name == "Pier")
            model.composer.draft = "  mine "
            await model.send()
            try await chat.wait { lines(model) == ["mine (sent)"] }
            #expect(model.composer == ConversationModel.Composer())
            // Another one overtakes it.
            chat.say(Wire.change(Wire.message(1, "theirs")))
            try await chat.wait { lines(model) == ["theirs", "mine (sent)"] }
            chat.say(Wire.change(Wire.message(2, "mine", by: "ada", localID: "local-1")))
            try await chat.wait { lines(model) == ["theirs", "mine"] }
        }
    }

    @Test func aRefusedMessageIsRetriedOrDiscarded() async throws {
        let isRefusing = Mutex(true)
        let chat = ChatFixture(answer: { request in
            guard request.method == "POST", request.path.hasSuffix("/messages"), isRefusing.withLock({ $0 }) else {
                return nil
            }
            return ChatFixture.json(#"{"code":"invalid_field","detail":"text: secret"}"#, status: 400)
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            for text in ["one", "two"] {
                model.composer.draft = text
                await model.send()
            }
            try await chat.wait { lines(model) == ["one (failed)", "two (queued)"] }
            guard case .loaded(let entries) = model.state, case .outgoing(let first)? = entries.first else {
                Issue.record("no outgoing message")
                return
            }
            isRefusing.withLock { $0 = false }
            await model.retry(first)
            try await chat.wait { lines(model) == ["one (sent)", "two (sent)"] }
            isRefusing.withLock { $0 = true }
            model.composer.draft = "three"
            await model.send()
            try await chat.wait { lines(model).last == "three (failed)" }
            guard case .loaded(let rest) = model.state, case .outgoing(let last)? = rest.last else {
                Issue.record("no outgoing message")
                return
            }
            await model.discard(last)
            #expect(lines(model) == ["one (sent)", "two (sent)"])
        }
    }

    @Test func editsRepliesReactsAndDeletes() async throws {
        let chat = ChatFixture(answer: { request in
            if request.path.hasPrefix("/v1/conversations/pier/messages?") {
                let messages = [
                    Wire.message(2, "own", by: "ada", extra: #","reactions":[{"emoji":"❤️","userIds":["ada"]}]"#),
                    Wire.message(1, "other"),
                ]
                return ChatFixture.json(#"{"messages":[\#(messages.joined(separator: ","))]}"#)
            }
            return nil
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            try await chat.wait { lines(model) == ["other", "own"] }
            guard case .loaded(let entries) = model.state, case .message(let other) = entries[0],
                case .message(let own) = entries[1]
            else {
                Issue.record("no messages")
                return
            }
            model.composer.draft = "half"
            model.beginEditing(other)
            #expect(model.composer.mode == .new)
            model.beginEditing(own)
            #expect(model.composer.draft == "own")
            model.composer.draft = "better"
            await model.send()
            #expect(model.composer.draft == "half" && model.composer.mode == .new)
            #expect(lines(model) == ["other", "better"])
            model.beginReply(to: other)
            await model.send()
            try await chat.wait { chat.transport.requests.contains { $0.path.hasSuffix("/messages") } }
            // The same emoji without the selector of its form.
            await model.toggle("\u{2764}", on: own)
            await model.toggle("🎉", on: own)
            guard case .loaded(let changed) = model.state, case .message(let shown) = changed[1] else { return }
            #expect(shown.reactions.map(\.emoji) == ["🎉"])
            try await chat.wait { model.changes.isEmpty }
            await model.delete(own)
            #expect(lines(model) == ["other", "half (sent)"])
            try await chat.wait { model.changes.isEmpty }
        }

        let changes = chat.transport.requests.filter { ["PATCH", "PUT", "DELETE"].contains($0.method) }
        let path = "/v1/conversations/pier/messages/m2"
        #expect(
            changes.map { "\($0.method) \($0.path.removingPercentEncoding ?? "")" } == [
                "PATCH \(path)", "DELETE \(path)/reactions/\u{2764}", "PUT \(path)/reactions/🎉", "DELETE \(path)",
            ])
        let posted = chat.transport.requests.first { $0.method == "POST" && $0.path.hasSuffix("/messages") }?.body
        #expect(posted.map { String(decoding: $0, as: UTF8.self).contains(#""replyTo":"m1""#) } == true)
    }

    @Test func aRefusedEditIsShownUntilItIsRetriedOrDiscarded() async throws {
        let isRefusing = Mutex(true)
        let chat = ChatFixture(answer: { request in
            guard request.method == "PATCH", isRefusing.withLock({ $0 }) else { return nil }
            return ChatFixture.json(#"{"code":"not_own","detail":"x"}"#, status: 403)
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            chat.say(Wire.change(Wire.message(1, "own", by: "ada")))
            try await chat.wait { lines(model) == ["own"] }
            guard case .loaded(let entries) = model.state, case .message(let own)? = entries.first else { return }
            model.beginEditing(own)
            model.composer.draft = "changed"
            await model.send()
            try await chat.wait { model.failure?.key == "nexus.error.not_own" }
            try await chat.wait { if case .failed? = model.changes.first?.state { true } else { false } }
            #expect(lines(model) == ["own"])
            #expect(model.changes.map(\.action) == [.edit(text: "changed")])
            model.dismissFailure()
            isRefusing.withLock { $0 = false }
            await model.retry(model.changes[0])
            try await chat.wait { model.changes.isEmpty && lines(model) == ["changed"] }
            // The server has the last word.
            chat.say(Wire.change(Wire.message(1, "changed again", by: "ada")))
            try await chat.wait { lines(model) == ["changed again"] }
        }
    }

    @Test func whatIsDoneWithoutANetworkShowsAtOnce() async throws {
        let chat = ChatFixture()
        let model = await ConversationModel(chat.hub, id: "pier")
        try await chat.run {
            await model.open()
            for number in 1...3 { chat.say(Wire.change(Wire.message(number, "text \(number)", by: "ada"))) }
            try await chat.wait { lines(model).count == 3 }
        }
        guard case .loaded(let entries) = model.state else { return }
        let own = entries.compactMap { if case .message(let message) = $0 { message } else { nil } }
        await model.toggle("👍", on: own[0])
        await model.delete(own[1])
        model.beginEditing(own[2])
        model.composer.draft = "better"
        await model.send()

        #expect(lines(model) == ["text 1", "better"] && model.failure == nil)
        #expect(model.changes.map(\.state) == [.queued, .queued, .queued])
        await model.discard(model.changes[1])
        #expect(lines(model) == ["text 1", "text 2", "better"])
    }

    @Test func saysHowFarAMessageHasCome() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            chat.say(Wire.change(Wire.message(1, by: "ada")), Wire.change(Wire.message(2)))
            try await chat.wait { lines(model).count == 2 }
            guard case .loaded(let entries) = model.state, case .message(let own) = entries[0],
                case .message(let other) = entries[1]
            else { return }
            #expect(model.delivery(of: own) == .sent && model.delivery(of: other) == nil)
            for (delivered, read, wanted) in [(1, 0, ConversationModel.Delivery.delivered), (1, 1, .read)] {
                chat.say(
                    #"{"type":"receipt","conversationId":"pier","receipt":{"userId":"ben","readSeq":\#(read),"#
                        + #""deliveredSeq":\#(delivered),"joinedSeq":0}}"#)
                try await chat.wait { model.delivery(of: own) == wanted }
            }
        }
    }

    @Test func jumpsToAnOldMessageAndFillsTheGap() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.path.hasPrefix("/v1/conversations/pier/messages?") else { return nil }
            if request.path.contains("around=m10") {
                return ChatFixture.json(Wire.page([9, 10, 11], hasOlder: true, hasNewer: true))
            }
            if request.path.contains("before=m14") {
                return ChatFixture.json(Wire.page([11, 12, 13], hasOlder: true, hasNewer: true))
            }
            if request.path.contains("before=m9") { return ChatFixture.json(Wire.page([7, 8])) }
            return ChatFixture.json(Wire.page([14, 15], hasOlder: true))
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            try await chat.wait { lines(model) == ["gap earlier", "text 14", "text 15"] }
            await model.jump(to: "m10")
            #expect(model.target == "m10")
            #expect(
                lines(model) == [
                    "gap earlier", "text 9", "text 10", "text 11", "gap between", "text 14", "text 15",
                ])
            // What changes there is shown.
            chat.say(#"{"type":"deletion","conversationId":"pier","messageId":"m9","seq":9}"#)
            try await chat.wait { !lines(model).contains("text 9") }
            await model.fill(.between(TimelinePosition(seq: 14, time: "", id: "m14")))
            #expect(lines(model) == ["gap earlier"] + [10, 11, 12, 13, 14, 15].map { "text \($0)" })
            await model.jump(to: "m15")
            #expect(model.target == "m15")
            await model.showNewest()
            #expect(model.target == nil)
        }
        #expect(chat.transport.requests.count { $0.path.contains("around=") } == 1)
    }

    @Test func showsAPartOfALongConversationThatIsStored() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.path.hasPrefix("/v1/conversations/pier/messages?") else { return nil }
            return ChatFixture.json(Wire.page(Array(1...300)))
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            try await chat.wait { lines(model) == ["gap earlier"] + (251...300).map { "text \($0)" } }
            // The first message stays when another one comes.
            chat.say(Wire.change(Wire.message(301, "text 301")))
            try await chat.wait { lines(model) == ["gap earlier"] + (251...301).map { "text \($0)" } }
            await model.fill(.earlier)
            #expect(lines(model) == ["gap earlier"] + (201...301).map { "text \($0)" })
            await model.jump(to: "m100")
            #expect(model.target == "m100")
            #expect(lines(model) == ["gap earlier"] + (76...125).map { "text \($0)" } + ["gap later"])
            // What this device sends is behind all messages: the newest ones are shown.
            await model.fill(.later)
            #expect(lines(model) == ["gap earlier"] + (76...175).map { "text \($0)" } + ["gap later"])
            model.composer.draft = "mine"
            await model.send()
            try await chat.wait { lines(model).last == "mine (sent)" }
            #expect(lines(model).count == 52 && lines(model)[1] == "text 252")
        }
        #expect(!chat.transport.requests.contains { $0.path.contains("around=") || $0.path.contains("before=") })
    }

    @Test func keepsTheDraftOnTheDevice() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.path.hasPrefix("/v1/conversations/pier/messages?") else { return nil }
            return ChatFixture.json(Wire.page([1]))
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            try await chat.wait { lines(model) == ["text 1"] }
            guard case .loaded(let entries) = model.state, case .message(let message)? = entries.first else { return }
            model.beginReply(to: message)
            model.composer.draft = "not yet"
            await model.noteTyping()
            await model.noteTyping()
            try await chat.wait { chat.time.sleepers(for: .milliseconds(500)) == 1 }
            #expect(await chat.session.drafts.isEmpty)
            chat.time.advance(by: .milliseconds(500))
            try await chat.wait { await chat.session.drafts == ["pier": Draft(text: "not yet", replyTo: "m1")] }
            let next = await ConversationModel(chat.hub, id: "pier")
            #expect(next.composer == ConversationModel.Composer(draft: "not yet", mode: .reply(to: message)))
            await next.send()
            #expect(await chat.session.drafts.isEmpty)
            next.composer.draft = "later"
            await next.close()
            #expect(await chat.session.drafts == ["pier": Draft(text: "later")])
        }
    }

    @Test func loadsEarlierMessages() async throws {
        let chat = ChatFixture(answer: { request in
            guard request.path.hasPrefix("/v1/conversations/pier/messages?") else { return nil }
            return ChatFixture.json(
                request.path.contains("before=m3") ? Wire.page([1, 2]) : Wire.page([3], hasOlder: true))
        })
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            try await chat.wait { lines(model) == ["gap earlier", "text 3"] }
            await model.loadEarlier()
            try await chat.wait { lines(model) == ["text 1", "text 2", "text 3"] }
        }
    }

    @Test func showsWhoTypesUntilTheTimeIsOver() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            let sign = #"{"type":"typing","conversationId":"pier","userId":"ben","milliseconds":6000}"#
            chat.transport.sockets[0].say(sign)
            try await chat.wait { model.typists == ["ben"] && chat.time.sleepers(for: .seconds(6)) == 1 }
            chat.time.advance(by: .seconds(6))
            try await chat.wait { model.typists.isEmpty }
            chat.transport.sockets[0].say(sign)
            try await chat.wait { model.typists == ["ben"] }
            // The message itself ends it.
            chat.say(Wire.change(Wire.message(1, "done")))
            try await chat.wait { model.typists.isEmpty && lines(model) == ["done"] }
        }
    }

    @Test func showsWhoReadAMessageAndMarksAsRead() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            chat.say(Wire.change(Wire.message(1, by: "ada")), Wire.change(Wire.message(2)))
            try await chat.wait { model.unreadCount == 1 }
            for (user, read, joined) in [("ben", 2, 0), ("cleo", 0, 0), ("dan", 2, 1)] {
                chat.say(
                    #"{"type":"receipt","conversationId":"pier","receipt":{"userId":"\#(user)","readSeq":\#(read),"#
                        + #""deliveredSeq":2,"joinedSeq":\#(joined)}}"#)
            }
            try await chat.wait { model.readers.count == 3 }
            guard case .loaded(let entries) = model.state, case .message(let own)? = entries.first else { return }
            #expect(model.readers(of: own).map(\.id) == ["ben"])
            await model.markRead()
            try await chat.wait { chat.time.sleepers(for: .milliseconds(800)) == 1 }
            chat.time.advance(by: .milliseconds(800))
            try await chat.wait { chat.transport.requests.contains { $0.path == "/v1/conversations/pier/read" } }
        }
    }

    @Test func isGoneWhenThePersonLeaves() async throws {
        let chat = ChatFixture()
        try await chat.run {
            let model = await ConversationModel(chat.hub, id: "pier")
            await model.open()
            chat.say(#"{"type":"departure","conversationId":"pier"}"#)
            try await chat.wait { model.state == .gone(unsent: []) }
            await model.close()
            #expect(chat.hub.openConversation == nil)
        }
    }
}

extension ConversationModel.Composer {
    /// What is in the composer while a message is edited that was opened from an empty one.
    fileprivate static func editing(_ message: ChatMessage, _ draft: String) -> Self {
        Self(draft: draft, mode: .edit(message, draftBefore: ""))
    }
}
