import ChatCore
import MessageStore
import TestSupport
import Testing

/// Does the same random things to the real store and to the simple one, with restarts between.
@Suite struct RandomOperationTests {
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func bothStoresAnswerAlike(seed: UInt64) async throws {
        let folder = DataFolder()
        defer { folder.remove() }
        let model = InMemoryStore()
        var real = try await folder.open()
        var source = OperationSource(seed: seed)
        for step in 0..<400 {
            let operation = source.next(at: step)
            let wanted = await operation.outcome(on: model)
            let found = await operation.outcome(on: real)
            try #require(found == wanted, "step \(step)")
            if step % 50 == 49 {
                let found = try await Picture(of: real, at: step)
                let wanted = try await Picture(of: model, at: step)
                try #require(found == wanted)
            }
            if step % 130 == 129 {
                await real.close()
                real = try await folder.open()
            }
        }
        #expect(try await real.checkIntegrity().isSound)
        #expect(try await model.latestChange().count > 200)
        await real.close()
    }
}

/// One call, and what it answers as text.
struct Operation {
    let call: @Sendable (any Store) async throws -> String

    func outcome(on store: any Store) async -> String {
        do { return try await call(store) } catch { return "\(error)" }
    }
}

/// Makes operations that meet often enough to matter: few ids, few people.
struct OperationSource {
    private var random: SeededGenerator
    private let conversations: [ConversationID] = ["a", "b", "ü", "d"]

    init(seed: UInt64) {
        random = SeededGenerator(state: seed)
    }

    mutating func next(at step: Int) -> Operation {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1: storing(at: step)
        case 2...7: accepting(at: step)
        case 8: editing(at: step)
        case 9: deleting(at: step)
        case 10...13: working(at: step)
        case 14: memberChange(at: step)
        case 15: mapping(at: step)
        case 16: generationChange(at: step)
        case 17: number(2) == 0 ? turn(at: step) : threadChange(at: step)
        default: reading(at: step)
        }
    }

    private mutating func pick<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private mutating func person() -> UserID { pick(Picture.people) }

    private mutating func key() -> MessageKey { .of(pick(conversations), MessageID(rawValue: "m\(number(25))")) }

    private mutating func mode() -> AcceptMode { pick([.posting, .importing]) }

    private mutating func source() -> String { pick(["api", "slack"]) }

    private mutating func storing(at step: Int) -> Operation {
        let roster = ConversationRoster.of(
            pick(conversations), Array(Picture.people.prefix(1 + number(3))), kind: pick([.group, .direct]),
            visibility: pick([.members, .members, .everyone]), name: pick([nil, "Harbor"]))
        let (source, mode) = (source(), mode())
        return Operation { "\(try await $0.store([roster], source: source, mode: mode, at: .second(step)))" }
    }

    private mutating func accepting(at step: Int) -> Operation {
        let messages = (0...number(6)).map { _ in
            let key = key()
            var message = Message.short(
                key.conversationID, key.messageID, by: person(), pick(["hello", "hi", "", "  "]), at: number(9),
                localID: pick([nil, nil, "l\(number(4))"]))
            message.kind = pick([.text, .text, .system, .bot])
            if number(4) == 0 { message.attachments = [Message.Attachment(name: "n", caption: "caption")] }
            return message
        }
        let (source, mode) = (source(), mode())
        return Operation { "\(try await $0.accept(messages, source: source, mode: mode, at: .second(step)))" }
    }

    private mutating func editing(at step: Int) -> Operation {
        let (key, text) = (key(), pick(["hello", "edited", "", "zero \u{0}"]))
        return Operation { "\(try await $0.edit(key, text: text, at: .second(step)))" }
    }

    private mutating func deleting(at step: Int) -> Operation {
        let key = key()
        return Operation { "\(try await $0.delete(key, at: .second(step)))" }
    }

    private mutating func working(at step: Int) -> Operation {
        let generation = GenerationNumber(rawValue: Int64(1 + number(3)))
        let (limit, fate, other) = (number(8), number(6), key())
        let lease = Timestamp.second(step + 20)
        return Operation { store in
            let items = try await store.claim(limit, for: generation, until: lease, at: .second(step))
            let moment = Timestamp.second(step + 1)
            switch fate {
            case 0: try await store.release(items)
            case 1:
                try await store.park(
                    items.enumerated().map {
                        ParkedItem(
                            item: $1, errorCode: "code\($0 % 2)", retryAt: $0 % 2 == 0 ? nil : .second(step + 30))
                    }, at: moment)
            case 2: return "\(items) \(try await store.retryFailed(of: generation, at: moment))"
            case 3:
                _ = try? await store.edit(other, text: "raced \(step)", at: moment)
                fallthrough
            case 4:
                let count = try await store.commit(items.map { .of($0, passages: 1 + step % 2) }, at: moment)
                return "\(items) \(count)"
            default: if step % 5 == 0 { try await store.releaseAllLeases() }
            }
            return "\(items)"
        }
    }

    private mutating func memberChange(at step: Int) -> Operation {
        let (id, person, source) = (pick(conversations), person(), source())
        let member = Member(userID: person, displayName: "Changed", aliases: ["x"], joinedAt: .second(step))
        if number(2) == 0 {
            return Operation { "\(try await $0.setMember(member, in: id, source: source, at: .second(step)))" }
        }
        return Operation { "\(try await $0.removeMember(person, from: id, at: .second(step)))" }
    }

    private mutating func mapping(at step: Int) -> Operation {
        let identity = Identity(source: "slack", externalID: person().rawValue, userID: person())
        return Operation { "\(try await $0.map(identity, at: .second(step)))" }
    }

    private mutating func generationChange(at step: Int) -> Operation {
        let generation = GenerationNumber(rawValue: Int64(1 + number(3)))
        let (space, refilling) = (EmbeddingSpace.tiny(pick(["one", "two"])), number(4) == 0)
        switch number(6) {
        case 0...1: return Operation { "\(try await $0.switchTo(generation, at: .second(step)))" }
        case 2: return Operation { "\(try await $0.drop(generation, at: .second(step)))" }
        default: break
        }
        let plan = GenerationPlan(
            space: space, baseURL: nil, since: pick([nil, nil, .second(4)]), fillRate: pick([nil, 3]),
            refilling: refilling)
        return Operation { "\(try await $0.beginGeneration(plan, at: .second(step)))" }
    }

    private mutating func turn(at step: Int) -> Operation {
        let turn = Turn(
            id: TurnID(rawValue: "t\(number(30))"), askerID: person(), question: "q\(step)", answer: "a",
            sourceKeys: [key(), key()], askedAt: .second(number(50)), threadID: pick([nil, thread(), thread()]))
        return Operation { "\(try await $0.record(turn))" }
    }

    private mutating func thread() -> ThreadID { ThreadID(rawValue: "h\(number(6))") }

    private mutating func threadChange(at step: Int) -> Operation {
        let (id, user) = (thread(), person())
        let conversation = key().conversationID
        switch number(6) {
        case 0...1:
            let thread = AssistantThread(
                id: id, ownerID: user, givenTitle: pick([nil, "title \(step)", " "]), createdAt: .second(number(50)))
            return Operation { "\(try await $0.create(thread))" }
        case 2...3:
            return Operation { "\(try await $0.openExchange(of: user, in: conversation, id: id, at: .second(step)))" }
        case 4:
            let title = pick([nil, "title \(step)"])
            return Operation { "\(try await $0.rename(id, of: user, title: title))" }
        default: return Operation { "\(try await $0.delete(id, of: user))" }
        }
    }

    private mutating func reading(at step: Int) -> Operation {
        let keys = (0..<9).map { _ in key() }
        let scope = SearchScope(
            asker: person(), conversations: pick([.all, .only([]), .only(["a", "ü"]), .only(["none", "b"])]))
        let (before, limit) = (keys[0], number(6))
        let generation = GenerationNumber(rawValue: Int64(1 + number(3)))
        let numbers = (0..<12).map { _ in PassageNumber(rawValue: Int64(number(80))) }
        return Operation { store in
            let found = try await store.messages(keys, in: scope, at: .second(step))
            let list = try await store.conversations(
                asker: scope.asker, after: keys[1].conversationID, limit: limit, at: .second(step))
            let page = try await store.page(
                of: before.conversationID, asker: scope.asker, before: before.messageID, limit: limit,
                at: .second(step))
            let passages = try await store.passages(of: keys, in: generation)
            let visible = try await store.visible(
                numbers.map { MessageNumber(rawValue: $0.rawValue) }, passagesOf: generation, in: scope,
                at: .second(step))
            let indexed = try await store.indexedMessages(of: keys)
            let people = try await store.people(in: scope, at: .second(step)).map {
                "\($0.userID) \($0.names) \($0.aliases) \($0.conversations.sorted())"
            }
            return
                "\(keys.map { found[$0] }) \(list) \(page) \(passages) \(visible) \(indexed) \(people)"
        }
    }
}

/// SplitMix64 (https://doi.org/10.1145/2714064.2660195): the same numbers for the same seed, everywhere.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
