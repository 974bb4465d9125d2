import Assistant
import ChatCore
import Foundation
import Logging
import MessageStore
import Prompting
import SQLiteStore
import TestSupport
import Testing
import UseCases

/// Every use case refuses who may not see a conversation, whatever adapter calls it.
@Suite struct RefusalTests {
    /// Something that people do in a conversation.
    struct Action: Sendable, CustomTestStringConvertible {
        let name: String
        /// Values: the use cases, the person, the conversation.
        let run: @Sendable (UseCases, UserID, ConversationID) async throws -> Void

        var testDescription: String { name }
    }

    /// Somebody without a right in a conversation.
    struct Outsider: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let user: UserID
        let conversation: ConversationID
    }

    static let outsiders = [
        Outsider(testDescription: "a stranger", user: "eve", conversation: "closed"),
        Outsider(testDescription: "a member who left", user: "max", conversation: "closed"),
        Outsider(testDescription: "a guest", user: "gus", conversation: "open"),
    ]

    private static let edit = ItemEdit(status: .done)

    private static func writer(_ user: UserID) -> Writer { .person(IdentifiedPerson(id: user)) }

    private static func draft(_ id: MessageID, by user: UserID, in conversation: ConversationID) -> MessageDraft {
        MessageDraft(.short(conversation, id, by: user), omitting: [.senderName, .timestamp])
    }

    /// What every member may do; Ada wrote `m1`.
    static let actions: [Action] = [
        Action(name: "read the roster") { _ = try await $0.roster(of: $2, asker: $1) },
        Action(name: "read the roster to write") { _ = try await $0.roster(of: $2, for: writer($1)) },
        Action(name: "read one member") { _ = try await $0.roster(of: $2, only: ["ada"], asker: $1) },
        Action(name: "list members") { _ = try await $0.members(of: $2, asker: $1, limit: 9) },
        Action(name: "count members") { _ = try await $0.memberCount(of: $2, asMember: $1) },
        Action(name: "list messages") { _ = try await $0.messages(of: $2, asker: $1, limit: 9) },
        Action(name: "read a message") { _ = try await $0.message(.of($2, "m1"), asker: $1) },
        Action(name: "read neighbours") { _ = try await $0.messages(around: .of($2, "m1"), asker: $1, limit: 9) },
        Action(name: "read the newest page") { _ = try await $0.history(of: $2, asker: $1, at: .newest, limit: 9) },
        Action(name: "read the unread page") { _ = try await $0.history(of: $2, asker: $1, at: .unread, limit: 9) },
        Action(name: "read replies") { _ = try await $0.replies(to: .of($2, "m1"), asker: $1, limit: 9) },
        Action(name: "read reactions") { _ = try await $0.reactions(to: .of($2, "m1"), asker: $1) },
        Action(name: "read receipts") { _ = try await $0.receipts(in: $2, asker: $1) },
        Action(name: "read who read") { _ = try await $0.receipts(of: .of($2, "m1"), asker: $1) },
        Action(name: "post") { useCases, user, id in
            _ = try await useCases.post([draft("m9", by: user, in: id)], by: writer(user))
        },
        Action(name: "react") { _ = try await $0.react("👍", isSet: true, to: .of($2, "m1"), by: $1) },
        Action(name: "mark as read") { _ = try await $0.markRead(["m1"], in: $2, by: $1) },
        Action(name: "mark as unread") { _ = try await $0.markUnread(from: "m1", in: $2, by: $1) },
        Action(name: "set preferences") { useCases, user, id in
            _ = try await useCases.changePreferences(of: id, for: user) { $0 = ConversationPreferences() }
        },
        Action(name: "set embedding") { _ = try await $0.setEmbedding(.excluded, of: $2, for: writer($1)) },
        Action(name: "list items") { _ = try await $0.items(of: .actionItem, asker: $1, in: $2) },
        Action(name: "read the exchange") { _ = try await $0.exchange(of: $1, in: $2, limit: 9) },
        Action(name: "clear the exchange") { try await $0.clearExchange(of: $1, in: $2) },
    ]

    /// What only the writer of a message, a manager of a group or a running model lets succeed.
    static let furtherActions: [Action] = [
        Action(name: "edit") { _ = try await $0.edit(.of($2, "m1"), text: "mine", by: writer($1)) },
        Action(name: "delete") { try await $0.delete(.of($2, "m1"), by: writer($1)) },
        Action(name: "rename") { try await $0.rename($2, to: "Mine", by: writer($1)) },
        Action(name: "limit the history") { try await $0.setHistory(.joined, of: $2, by: writer($1)) },
        Action(name: "set a role") { try await $0.setRole(.admin, of: $1, in: $2, by: writer($1)) },
        Action(name: "remove a member") { try await $0.removeMember("ben", from: $2, by: writer($1)) },
        Action(name: "join") { useCases, user, id in
            _ = try await useCases.setMember(user, in: id, by: writer(user)) { _, _ in
                Member(userID: user, displayName: "Me", joinedAt: .second(0))
            }
        },
        Action(name: "extract items") { _ = try await $0.extractItems(.actionItem, in: $2, asker: $1, timeZone: nil) },
        Action(name: "judge priorities") {
            _ = try await $0.priorities(in: $2, asker: $1, from: .after("m1"), timeZone: nil)
        },
        Action(name: "suggest replies") { _ = try await $0.replies(of: $1, in: $2, timeZone: nil) },
        Action(name: "edit an item") {
            _ = try await $0.editItem("i1", edit, kind: .actionItem, asker: $1, in: $2)
        },
        Action(name: "dismiss an item") { try await $0.dismissItem("i1", kind: .actionItem, asker: $1, in: $2) },
    ]

    private func withUseCases(_ body: (UseCases, SQLStore) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "use-cases-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLStore.open(folder: folder, options: StoreOptions())
        do {
            try await fill(store)
            try await body(try useCases(store), store)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private func fill(_ store: SQLStore) async throws {
        var closed = ConversationRoster.of("closed", ["ada", "ben"])
        closed.members.append(
            Member(userID: "max", displayName: "Max", joinedAt: .second(-100), leftAt: .second(5)))
        _ = try await store.store(
            [closed, .of("open", ["ada", "ben"], visibility: .everyone)], source: "api", mode: .posting, at: .second(0))
        try await store.setKind(.guest, of: "gus")
        for id in ["closed", "open"] as [ConversationID] {
            _ = try await store.post([.short(id, "m1", at: 1)], source: "api", at: .second(1))
        }
    }

    private func useCases(_ store: SQLStore) throws -> UseCases {
        let prompts = try PromptLibrary(overrides: nil)
        let now: @Sendable () -> Timestamp = { .second(9) }
        let searching = FakeSearching(hits: [])
        let assistant = AnswerService(
            searching: searching,
            session: ModelSession(model: RepeatingModel(), prompts: prompts, now: now, logger: .silent),
            turns: store)
        return UseCases(
            store: store, live: store, files: store, searcher: searching, answering: assistant,
            conversationAssistant: ConversationAssistant(
                assistant: assistant, store: store, settings: ConversationSettings()),
            smartReplies: SmartReplyService(session: assistant.session, messages: store),
            extractor: ExtractionService(
                store: store,
                session: ModelSession(model: RepeatingModel(), prompts: prompts, now: now, logger: .silent)),
            now: now, makeID: { "new" })
    }

    @Test(arguments: outsiders, actions + furtherActions)
    func outsidersAreRefused(_ outsider: Outsider, _ action: Action) async throws {
        try await withUseCases { useCases, store in
            let before = try await store.latestChange()
            do {
                try await action.run(useCases, outsider.user, outsider.conversation)
                Issue.record("was not refused")
            } catch let error as RepositoryError {
                let message = RepositoryError.noSuchMessage(.of(outsider.conversation, "m1"))
                #expect([.noSuchConversation(outsider.conversation), message, .noSuchItem("i1")].contains(error))
            } catch {
                #expect(error is PermissionError)
            }
            #expect(try await store.latestChange() == before)
        }
    }

    @Test(arguments: ["closed", "open"] as [ConversationID], actions)
    func membersAreNot(_ id: ConversationID, _ action: Action) async throws {
        try await withUseCases { useCases, _ in
            try await action.run(useCases, "ben", id)
            try await action.run(useCases, "ada", id)
        }
    }

    @Test func onlyTheOwnMessagesAreChanged() async throws {
        try await withUseCases { useCases, store in
            let key = MessageKey.of("closed", "m1")
            await #expect(throws: PermissionError.notOwn) {
                _ = try await useCases.edit(key, text: "his", by: Self.writer("ben"))
            }
            await #expect(throws: PermissionError.notOwn) { try await useCases.delete(key, by: Self.writer("ben")) }
            await #expect(throws: PermissionError.foreignSender) {
                _ = try await useCases.post([Self.draft("m2", by: "ada", in: "closed")], by: Self.writer("ben"))
            }
            #expect(try await useCases.edit(key, text: "hers", by: Self.writer("ada")).text == "hers")
            #expect(try await useCases.edit(key, text: "his", by: .server(defaultUser: nil)).text == "his")
            try await useCases.delete(key, by: Self.writer("ada"))
            try await useCases.delete(key, by: Self.writer("ada"))
            #expect(try await store.stored([key])[key]?.deletedAt != nil)
        }
    }

    @Test func whatAWriterLeavesOutComesFromTheStore() async throws {
        try await withUseCases { useCases, store in
            let key = MessageKey.of("closed", "m2")
            let draft = Self.draft("m2", by: "ben", in: "closed")
            let first = try await useCases.post([draft], by: Self.writer("ben"))
            #expect(first.map(\.outcome) == [.inserted])
            let stored = try #require(try await store.stored([key])[key])
            #expect(stored.senderName == "Name of ben")

            // The same message at a later time, after the sender has got another name.
            try await store.setMember(
                Member(userID: "ben", displayName: "Benjamin", joinedAt: .second(-100)), in: "closed", source: "api",
                at: .second(10))
            var later = draft.message
            later.timestamp = .second(50)
            let again = MessageDraft(later, omitting: [.senderName, .timestamp])
            let second = try await useCases.post([again], by: Self.writer("ben"))
            #expect(second.map(\.outcome) == [.unchanged("m2")])
            #expect(second.map(\.seq) == first.map(\.seq))
            later.text = "other"
            let other = try await useCases.post(
                [MessageDraft(later, omitting: [.senderName, .timestamp])], by: Self.writer("ben"))
            #expect(other.map(\.outcome) == [.conflict])
            #expect(try await store.stored([key])[key] == stored)
        }
    }
}
