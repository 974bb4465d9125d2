import ChatCore

extension StoreContract {
    /// Of `WorkQueue`: texts that were embedded before.
    static let contents: [StoreContract] = [
        StoreContract("the vector of a text that was embedded before is known, in its generation") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2", at: 1)])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            let other = try await store.beginGeneration(.tiny("x"), baseURL: nil, refilling: false, at: .second(0))
            _ = try await store.commit(
                [.of(items[0], contents: [(1, [0.6, 0.8]), (2, [0, 1])]), .of(items[1], contents: [(3, [1, 0])])],
                at: .second(1))
            func known(_ contents: [UInt8], _ generation: GenerationNumber) async throws -> [[UInt8]: [Float]] {
                try await store.vectors(ofContents: Set(contents.map { .hash($0) }), in: generation)
            }
            try demand(try await known([1, 3, 4], generation), [.hash(1): [0.6, 0.8], .hash(3): [1, 0]])
            try demand(try await known([2], generation), [.hash(2): [0, 1]])
            try demand(try await known([], generation), [:])
            try demand(try await known([1, 2, 3], other.number), [:])
            try demand(try await store.vectors(ofContents: [[1], []], in: generation), [:])
        },
        StoreContract("a text is forgotten with the last message that holds it") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1"), .short("c", "2", at: 1), .short("c", "3", at: 2)])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            _ = try await store.commit(items.map { .of($0, contents: [(7, [0.6, 0.8])]) }, at: .second(1))
            func known() async throws -> [[UInt8]: [Float]] {
                try await store.vectors(ofContents: [.hash(7)], in: generation)
            }
            try await store.delete(.of("c", "1"), at: .second(2))
            try await store.delete(.of("c", "3"), at: .second(2))
            try demand(try await known(), [.hash(7): [0.6, 0.8]])
            let left = try await store.indexedPassages(of: generation, after: .init(rawValue: 0), limit: 9)
            try demand(left.map(\.messageKey), [.of("c", "2")])
            try demand(left.map(\.vector), [[0.6, 0.8]])
            _ = try await store.edit(.of("c", "2"), text: "other", at: .second(3))
            try demand(try await known(), [:])
        },
        StoreContract("messages that begin with the same text are found in their conversation, the newest first") {
            store in
            let generation = try await store.furnish()
            _ = try await store.store([.of("d", ["ada"])], source: "api", mode: .posting, at: .second(0))
            let text = "the berth is free again"
            try await store.post([
                .short("c", "1", text, at: 5), .short("c", "2", text, at: 9), .short("c", "3", text, at: 1),
                .short("c", "4", at: 2), .short("d", "1", text, at: 3),
            ])
            for item in try await store.claim(9, for: generation, until: .second(60), at: .second(10)) {
                let isOther = item.messageKey == .of("c", "4")
                let message = EmbeddedMessage.of(item, contents: [(isOther ? 8 : 7, [0, 1]), (7, [1, 0])])
                _ = try await store.commit([message], at: .second(11))
            }
            // In the order of arrival.
            let numbers = try await store.indexedMessages(after: .init(rawValue: 0), limit: 9).map(\.number)
            try demand(numbers.count, 5)
            let given = [numbers[0], numbers[3]]
            let found = try await store.repeats(of: given, for: "ada", in: generation, limit: 9)
            try demand(found, [numbers[0]: [numbers[1], numbers[2]]])
            try demand(
                try await store.repeats(of: given, for: "ada", in: generation, limit: 1), [numbers[0]: [numbers[1]]])
            try demand(try await store.repeats(of: [], for: "ada", in: generation, limit: 9), [:])
            let scope = SearchScope(asker: "ada", conversations: .all)
            let both = try await store.visible(
                numbers, passagesOf: generation, repeatsOf: given, limit: 9, in: scope, at: .second(12))
            try demand(
                both.messages, try await store.visible(numbers, passagesOf: generation, in: scope, at: .second(12)))
            // Only those are looked up that cost nothing more, and no short texts.
            for (number, others) in both.repeats { try demand(others, found[number] ?? []) }
            try demand(both.repeats[numbers[3]], nil)
        },
        StoreContract("the ranges of a message's passages are read with it") { store in
            let generation = try await store.furnish()
            try await store.post([.short("c", "1", "a long text")])
            let items = try await store.claim(9, for: generation, until: .second(60), at: .second(0))
            let drafts = [0..<7, 2..<11].enumerated().map {
                PassageDraft(ordinal: $0, range: $1, contentHash: .hash(UInt8($0)), vector: [0, 1])
            }
            _ = try await store.commit([EmbeddedMessage(item: items[0], passages: drafts)], at: .second(1))
            let number = try await store.indexedMessages(after: .init(rawValue: 0), limit: 1).map(\.number)
            let seen = try await store.visible(
                number, passagesOf: generation, in: SearchScope(asker: "ada", conversations: .all), at: .second(2))
            try demand(
                seen.map(\.passages),
                [
                    [
                        Passage(number: PassageNumber(rawValue: 1), range: 0..<7),
                        Passage(number: PassageNumber(rawValue: 2), range: 2..<11),
                    ]
                ])
        },
    ]
}

extension EmbeddedMessage {
    /// What was claimed with passages of these contents and vectors.
    fileprivate static func of(_ item: WorkItem, contents: [(content: UInt8, vector: [Float])]) -> EmbeddedMessage {
        let drafts = contents.enumerated().map {
            PassageDraft(ordinal: $0, range: $0..<$0 + 1, contentHash: .hash($1.content), vector: $1.vector)
        }
        return EmbeddedMessage(item: item, passages: drafts)
    }
}

extension [UInt8] {
    /// The hash of a text that is named by a number.
    fileprivate static func hash(_ content: UInt8) -> [UInt8] { [UInt8](repeating: content, count: 32) }
}
