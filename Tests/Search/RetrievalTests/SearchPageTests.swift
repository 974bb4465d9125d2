import ChatCore
import Retrieval
import TestSupport
import Testing

/// Pages of one search, and searches for kinds of content.
@Suite(.hangGuard) struct SearchPageTests {
    private static let words = [
        "pilot", "berth", "cat", "money", "when", "noon", "crane", "permit", "salary", "tide", "valve", "Where?",
    ]

    /// Messages of four people in two conversations; every 5th has a picture, every 7th a PDF, every 11th a link, and
    /// every 10th says the same as an earlier one of the same person.
    private static func messages(seed: UInt64, count: Int = 260) -> [Message] {
        var generator = SplitMix(state: seed)
        var messages: [Message] = []
        for number in 0..<count {
            let text = (0..<5).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }
            var message = Message(
                key: MessageKey(
                    conversationID: number % 4 == 0 ? "open" : "team", messageID: MessageID(rawValue: "m\(number)")),
                senderID: UserID(rawValue: "user\(number % 3)"), senderName: "User \(number % 3)",
                text: text.joined(separator: " "), timestamp: .second(240 * number))
            if number % 5 == 0 { message.attachments.append(.init(name: "quay.jpg", type: "image/jpeg")) }
            if number % 7 == 0 { message.attachments.append(.init(name: "plan.pdf", type: "application/pdf")) }
            if number % 11 == 0 { message.text += " https://example.com/\(number)" }
            if number % 10 == 9 { message.text = messages[number - 3].text }
            messages.append(message)
        }
        return messages
    }

    private func fixture(_ messages: [Message]) async throws -> SearchFixture {
        let fixture = SearchFixture()
        try await fixture.open("open", "team", members: ["ada", "bob"])
        try await fixture.accept(messages)
        try await fixture.embed()
        return fixture
    }

    private static func request(
        _ question: String, limit: Int, filter: SearchFilter = SearchFilter(), after page: SearchResult? = nil
    ) -> SearchRequest {
        SearchRequest(
            question: question, scope: SearchScope(asker: "ada", conversations: .all), filter: filter, limit: limit,
            explains: true, continuation: page?.continuation)
    }

    /// All pages of a search, with what happens between two of them.
    private func pages(
        _ question: String, of limit: Int, filter: SearchFilter = SearchFilter(), in fixture: SearchFixture,
        settings: RetrievalSettings = RetrievalSettings(), between: (Int) async throws -> Void = { _ in }
    ) async throws -> [SearchResult] {
        let searcher = fixture.searcher.with(settings)
        var pages = [try await searcher.search(Self.request(question, limit: limit, filter: filter))]
        while let last = pages.last, last.continuation != nil {
            try await between(pages.count)
            pages.append(
                try await searcher.search(Self.request(question, limit: limit, filter: filter, after: last)))
        }
        return pages
    }

    /// Settings by which one author may have all places, and that look at all messages at once.
    private static let deep = RetrievalSettings.with {
        $0.dense.candidateCount = 500
        $0.lexical.candidateCount = 500
        $0.selection.threadLimit = 0
    }

    @Test(arguments: [7, 20, 50], 1...3 as ClosedRange<UInt64>)
    func pagesAreThePartsOfOneLongList(size: Int, seed: UInt64) async throws {
        let fixture = try await fixture(Self.messages(seed: seed))

        for question in ["crane permit", "when is the tide of User 2", "money"] {
            let parts = try await pages(question, of: size, in: fixture, settings: Self.deep)
            let others = try await pages(question, of: 50, in: fixture, settings: Self.deep)

            let (ids, expected) = (parts.flatMap(\.ids), others.flatMap(\.ids))
            #expect(ids == expected, "\(question)")
            #expect(parts.flatMap { $0.hits.map(\.score) } == others.flatMap { $0.hits.map(\.score) })
            #expect(Set(ids).count == ids.count)
            #expect(parts.dropLast().allSatisfy { $0.hits.count == size })
            #expect(parts.flatMap { $0.hits.map(\.rank) } == Array(1...ids.count))
            // All messages, each as a hit or as the repeat of one.
            let repeats = parts.flatMap(\.hits).flatMap(\.duplicates).map(\.messageID)
            #expect(Set(ids).union(repeats).count == 260)
            #expect(ids.count > 150)
        }
    }

    /// Also if a page takes all candidates of one retriever.
    @Test func aPageIsNotTheLastBecauseTheCandidatesWereCut() async throws {
        let all = Self.messages(seed: 3)
        let fixture = try await fixture(all)
        let filter = SearchFilter(kinds: ContentKinds([.image]))
        let wanted = all.filter { filter.admits($0) }.map(\.key.messageID)

        let ids = try await pages(
            "crane tide", of: 50, filter: filter, in: fixture, settings: .with { $0.lexical.isOn = false }
        ).flatMap(\.ids)

        #expect(wanted.count > 50)
        #expect(ids.count == wanted.count && Set(ids) == Set(wanted))
    }

    @Test func noMessageComesTwiceThoughMessagesChange() async throws {
        let all = Self.messages(seed: 9)
        let fixture = try await fixture(all)
        let first = try await fixture.searcher.search(Self.request("crane permit tide", limit: 20))
        let others = all.filter { !first.ids.contains($0.key.messageID) }

        let found = try await pages("crane permit tide", of: 20, in: fixture) { page in
            // New messages that fit better than all others, one found message that is edited so that it falls back, one
            // that was not found and now fits best, and one that is deleted.
            try await fixture.accept(
                (0..<20).map {
                    .short("team", MessageID(rawValue: "new\(page)-\($0)"), "crane permit tide \($0)", at: 9)
                })
            guard page < 9 else { return }
            let moment = fixture.clock.now()
            let store = fixture.store
            _ = try await store.edit(first.hits[page].message.key, text: "nothing of it", at: moment)
            _ = try await store.edit(others[page].key, text: "crane permit tide of \(page)", at: moment)
            try await store.delete(first.hits[page + 10].message.key, at: moment)
            try await fixture.embed()
        }

        let ids = found.flatMap(\.ids)
        #expect(found.count > 4)
        #expect(Set(ids).count == ids.count)
        #expect(!ids.contains { $0.rawValue.hasPrefix("new") })
        #expect(found.first?.ids == first.ids)
    }

    /// The best messages with a picture are found however many others fit better, by words and by meaning.
    @Test func theFilterAppliesBeforeTheCut() async throws {
        var messages = (0..<900).map { number in
            Message.short(
                "team", MessageID(rawValue: "h\(number)"), by: "bob", "crane permit tide \(number % 40)", at: number)
        }
        var seen: [MessageID] = []
        for number in stride(from: 0, to: 900, by: 90) {
            messages[number].text = "the crane needs a permit \(number)"
            messages[number].attachments = [.init(name: "a.png", type: "image/png")]
            seen.append(messages[number].key.messageID)
        }
        let fixture = try await fixture(messages)
        let settings = [
            RetrievalSettings(), .with { $0.lexical.isOn = false }, .with { $0.dense.isOn = false },
        ]

        for settings in settings {
            let searcher = fixture.searcher.with(settings)
            func found(_ kinds: ContentKinds) async throws -> [MessageID] {
                try await searcher.search(
                    Self.request("crane permit tide", limit: 50, filter: SearchFilter(kinds: kinds))
                ).ids
            }
            #expect(Set(try await found(ContentKinds([.image]))) == Set(seen))
            #expect(Set(try await found(ContentKinds([.file, .link]))) == Set(seen))
            #expect(try await found(ContentKinds([.video])).isEmpty)
            #expect(try await found([]).isEmpty)
        }
    }

    /// Exact: by one signal alone, the best of a search that keeps few candidates are the best of one that cuts nothing,
    /// without the messages that do not pass.
    @Test(arguments: ["cosine", "lexical"], 1...3 as ClosedRange<UInt64>)
    func aFilteredRankingIsTheWholeOneWithoutTheOthers(signal: String, seed: UInt64) async throws {
        let all = Self.messages(seed: seed)
        let fixture = try await fixture(all)
        let kinds = Dictionary(uniqueKeysWithValues: all.map { ($0.key.messageID, $0.contentKinds) })
        var deep = RetrievalSettings.with { $0.selection.groupsRepeats = false }
        (deep.selection.authorShare, deep.selection.threadLimit, deep.late.candidateCount) = (1, 0, 0)
        (deep.dense.candidateCount, deep.lexical.candidateCount) = (500, 500)
        (deep.dense.isOn, deep.lexical.isOn) = (signal == "cosine", signal == "lexical")
        deep.fusion = .only(signal)
        var narrow = deep
        (narrow.dense.candidateCount, narrow.lexical.candidateCount) = (5, 5)

        func values(_ hits: some Sequence<Hit>) -> [Double] {
            let values = hits.compactMap { $0.explanation?.signals.first { $0.name == signal }?.value }
            // Words are divided by the best that was found.
            return signal == "lexical" ? values.map { $0 / (values.first ?? 1) } : values
        }
        for wanted in [ContentKinds([.image]), ContentKinds([.document]), ContentKinds([.link, .audio])] {
            for question in ["crane permit", "tide valve money", "salary"] {
                let whole = try await pages(question, of: 50, in: fixture, settings: deep).flatMap(\.hits)
                let expected = whole.filter { !wanted.isDisjoint(with: kinds[$0.message.key.messageID] ?? []) }
                let found = try await fixture.searcher.with(narrow).search(
                    Self.request(question, limit: 5, filter: SearchFilter(kinds: wanted)))
                #expect(found.ids.allSatisfy { !wanted.isDisjoint(with: kinds[$0] ?? []) })
                #expect(found.hits.count == 5)
                for (value, best) in zip(values(found.hits), values(expected)) {
                    #expect(abs(value - best) < 1e-5, "\(question)")
                }
            }
        }
    }

    @Test func anEditThatAddsALinkIsFound() async throws {
        let fixture = try await fixture([.short("team", "a", "the crane plan"), .short("team", "b", "another crane")])
        let filter = SearchFilter(kinds: ContentKinds([.link]))
        #expect(try await fixture.searcher.search(Self.request("crane", limit: 5, filter: filter)).ids.isEmpty)

        _ = try await fixture.store.edit(
            .of("team", "a"), text: "the crane plan https://example.com/plan", at: fixture.clock.now())
        try await fixture.embed()

        #expect(try await fixture.searcher.search(Self.request("crane", limit: 5, filter: filter)).ids == ["a"])
    }

    @Test func aContinuationOfNoSearchIsRefused() async throws {
        let fixture = try await fixture([.short("team", "a", "the crane plan")])
        var request = Self.request("crane", limit: 5)

        for count in [0, -1, 500, .max] {
            request.continuation = SearchContinuation(count: count, shown: [], newest: MessageNumber(rawValue: 1))
            await #expect(throws: RetrievalError.self) { try await fixture.searcher.search(request) }
        }
        request.continuation = SearchContinuation(count: 499, shown: [], newest: MessageNumber(rawValue: .max))
        #expect(try await fixture.searcher.search(request).hits.count <= 1)
    }
}

extension FusionWeights {
    /// Weights by which one signal decides alone.
    fileprivate static func only(_ signal: String) -> FusionWeights {
        var weights = FusionWeights()
        let others: [WritableKeyPath<FusionWeights, Double>] = [
            \.cosine, \.window, \.answer, \.tokens, \.lexical, \.lexicalDate, \.coverage, \.speaker, \.company,
            \.question,
            \.time, \.number, \.place, \.phrase, \.literal, \.date, \.namedDay,
        ]
        for path in others { weights[keyPath: path] = 0 }
        if signal == "cosine" { weights.cosine = 1 } else { weights.lexical = 1 }
        return weights
    }
}
