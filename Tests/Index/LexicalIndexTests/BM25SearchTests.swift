import Glibc
import IndexCore
import LexicalIndex
import Testing

@Suite struct BM25SearchTests {
    /// Ten seconds between rows: all neighbours.
    private func talk(_ texts: [String]) -> BM25Index {
        let index = BM25Index()
        index.upsert(texts.enumerated().map { LexicalRow(Int64($0), at: Int64($0) * 10, $1) })
        return index
    }

    @Test func scoreIsTheFormulaByHand() throws {
        let index = BM25Index()
        index.upsert([
            LexicalRow(1, in: 1, at: 0, sender: "ann", "budget plan budget"), LexicalRow(2, in: 2, at: 0, "lunch"),
            LexicalRow(3, in: 3, at: 0, "lunch time"), LexicalRow(4, in: 4, at: 0, "so"),
        ])

        let hits = try index.search(LexicalQuery("budget ann", .own), k: 5, in: .all)

        // N 4, n 1, mean length 8/4, L 4; frequencies 2 and 3.
        let idf = log(3.5 / 1.5)
        let normaliser = 1.2 * (0.25 + 0.75 * 4 / 2)
        let expected = idf * 2 * 2.2 / (2 + normaliser) + idf * 3 * 2.2 / (3 + normaliser)
        #expect(hits.keys == [1])
        #expect(abs(Double(hits[0].score) - expected) < 1e-6)
    }

    @Test func rowsAreFoundThroughTheirNeighbours() throws {
        let index = talk(["a", "b", "c", "where shall we meet", "d", "e", "f", "g", "h"])

        let hits = try index.search(LexicalQuery("meet"), k: 10, in: .all)

        // Itself 1, then by weight: 4 (previous .7), 5 (.6), 2 (next .5), 1 (.3), 6 (.2).
        #expect(hits.keys == [3, 4, 5, 2, 1, 6])
    }

    @Test func neighboursEndAtALongGapAndAtTheThread() throws {
        let index = BM25Index()
        let hour: Int64 = 3600
        index.upsert([
            LexicalRow(1, at: 0, "x"), LexicalRow(2, at: 6 * hour, "meet"), LexicalRow(3, at: 12 * hour + 1, "x"),
            LexicalRow(4, thread: 9, at: 6 * hour + 1, "x"), LexicalRow(5, in: 2, at: 6 * hour, "x"),
            LexicalRow(6, at: 30 * hour, "x"), LexicalRow(7, at: 60 * hour, "x"),
        ])

        #expect(try index.search(LexicalQuery("meet"), k: 10, in: .all).keys == [2, 1])
        #expect(
            index.snapshot().neighbours(of: RowKey(rawValue: 2), before: 5, after: 5)
                == RowNeighbours(before: [RowKey(rawValue: 1)], after: []))
        #expect(index.snapshot().neighbours(of: RowKey(rawValue: 8), before: 5, after: 5) == nil)
    }

    @Test func extremeTimesAreFarApart() throws {
        let index = BM25Index()
        func row(_ key: Int64, _ time: Int64, _ text: String) -> LexicalRow {
            LexicalRow(
                key: RowKey(rawValue: key), group: GroupKey(rawValue: 1), attributes: RowAttributes(time: time),
                terms: FieldTerms(text: keys(of: text)))
        }
        index.upsert([row(1, .min, "x"), row(2, .max, "meet"), row(3, 0, "x")])

        #expect(try index.search(LexicalQuery("meet"), k: 10, in: .all).keys == [2])
    }

    @Test func predicateHidesARowAsResultButNotAsNeighbour() throws {
        let index = talk(["a", "meet", "c", "d"])

        let hits = try index.search(LexicalQuery("meet"), k: 10, in: .all) { key, _ in key.rawValue != 1 }

        #expect(hits.keys == [2, 3, 0])
    }

    @Test func predicateSeesTheAttributes() throws {
        let index = BM25Index()
        let attributes = RowAttributes(sender: 7, time: 5)
        index.upsert([
            LexicalRow(
                key: RowKey(rawValue: 1), group: GroupKey(rawValue: 1), attributes: attributes, flags: 3,
                terms: FieldTerms(text: keys(of: "meet")))
        ])
        var seen: [RowAttributes] = []

        let hits = try index.search(LexicalQuery("meet"), k: 1, in: .all) { _, attributes in
            seen.append(attributes)
            return true
        }

        #expect(seen == [attributes])
        #expect(hits.map(\.flags) == [3])
        #expect(hits.map(\.group) == [GroupKey(rawValue: 1)])
    }

    @Test func tiesGoByAscendingKey() throws {
        let index = BM25Index(blockRowCount: 2)
        index.upsert((0..<9).map { LexicalRow(8 - $0, in: $0 % 4, thread: $0, at: 0, "same words") })
        index.upsert([LexicalRow(99, in: 9, at: 0, "other"), LexicalRow(98, in: 9, at: 0, "more")])

        let hits = try index.search(LexicalQuery("words"), k: 4, in: .all)

        #expect(hits.keys == [0, 1, 2, 3])
        #expect(Set(hits.map(\.score)).count == 1)
    }

    @Test func scopeKeepsOutOtherGroups() throws {
        let index = BM25Index()
        index.upsert((0..<6).map { LexicalRow($0, in: $0 % 3, at: $0 * 100_000, "word\($0) shared") })

        #expect(Set(try index.search(LexicalQuery("shared"), k: 9, in: groups(1)).keys) == [1, 4])
        #expect(try index.search(LexicalQuery("shared"), k: 9, in: groups()).isEmpty)
        #expect(try index.search(LexicalQuery("shared"), k: 9, in: groups(5)).isEmpty)
    }

    /// Groups that are not searched do not show: every number is that of an index without them.
    @Test func rowsOfOtherGroupsChangeNoNumber() throws {
        let own = (0..<40).map { number in
            LexicalRow(
                number, in: number % 2, at: number * 60, sender: "ann", "plan word\(number % 7) tea\(number % 3)")
        }
        let foreign = (100..<300).map { number in
            LexicalRow(
                number, in: 2 + number % 5, at: number, sender: "ann", "word1 word2 tea0 plan and very many more")
        }
        let (alone, shared) = (BM25Index(blockRowCount: 8), BM25Index(blockRowCount: 8))
        alone.upsert(own)
        shared.upsert(foreign)
        shared.upsert(own)
        shared.remove((100..<150).map { RowKey(rawValue: $0) })
        let keys = own.map(\.key)
        for scope in [groups(0), groups(1), groups(0, 1)] {
            for query in [LexicalQuery("word1 plan"), LexicalQuery("ann tea0 tea2 very"), LexicalQuery("word2 word6")] {
                let (first, second) = (
                    try alone.snapshot().scan(query, in: scope), try shared.snapshot().scan(query, in: scope)
                )
                #expect(try !first.hits(k: 50).isEmpty)
                #expect(try first.hits(k: 50) == second.hits(k: 50))
                #expect(first.scores(of: keys) == second.scores(of: keys))
                #expect(first.scoreLimit == second.scoreLimit)
                for term in query.terms {
                    #expect(first.rowCount(holding: term.key) == second.rowCount(holding: term.key))
                }
            }
        }
        let scan = try shared.snapshot().scan(LexicalQuery("very"), in: groups(0))
        #expect(scan.scores(of: [RowKey(rawValue: 200)]) == [nil])
    }

    @Test func nothingIsFoundWithoutTermsOrRows() throws {
        #expect(try BM25Index().search(LexicalQuery("meet"), k: 3, in: .all).isEmpty)
        let index = talk(["meet", ""])
        #expect(try index.search(LexicalQuery(""), k: 3, in: .all).isEmpty)
        #expect(try index.search(LexicalQuery("unknown"), k: 3, in: .all).isEmpty)
        #expect(try index.search(LexicalQuery([.init(term("meet"), weight: 0)]), k: 3, in: .all).isEmpty)
    }

    @Test func partsOfAScoreCountOneKindOfEvidenceEach() throws {
        let index = BM25Index()
        index.upsert([
            LexicalRow(1, at: 0, "meet meet"), LexicalRow(2, at: 10, sender: "meet", date: "may", "x meet"),
            LexicalRow(3, at: 20, "meet"), LexicalRow(4, at: 30, "y"), LexicalRow(5, in: 2, at: 0, "z z z"),
            LexicalRow(6, in: 2, at: 90_000, "z"), LexicalRow(7, in: 2, at: 180_000, "z"),
        ])
        var weights = LexicalWeights()
        weights.inverseFrequency = .lucene
        let key = RowKey(rawValue: 2)

        let score = try #require(
            index.snapshot().scan(LexicalQuery("meet may", weights), in: .all).scores(of: [key])[0])

        // N 7; "meet" 3 rows, "may" 1. Own tokens 4; texts of neighbours 2 + 1 + 1.
        let mean = Double(2 + 4 + 1 + 1 + 3 + 1 + 1 + 5 * (2 + 2 + 1 + 1 + 3 + 1 + 1)) / 7
        let normaliser = 1.2 * (0.25 + 0.75 * 8 / mean)
        func part(_ frequency: Double, _ rows: Double) -> Double {
            log(1 + (7 - rows + 0.5) / (rows + 0.5)) * frequency * 2.2 / (frequency + normaliser)
        }
        let expected: [(Float, Double)] = [
            (score.text, part(1, 3)), (score.sender, part(3, 3)), (score.date, part(3, 1)),
            (score.previous, part(1.4, 3)), (score.next, part(0.5, 3)), (score.total, part(5.9, 3) + part(3, 1)),
        ]
        for (got, wanted) in expected { #expect(abs(Double(got) - wanted) < 1e-6 * wanted) }
        let scan = try index.snapshot().scan(LexicalQuery("meet"), in: .all)
        #expect(scan.scores(of: [RowKey(rawValue: 77), RowKey(rawValue: 5)]) == [nil, LexicalScore()])
    }

    private static let badChanges: [(String, @Sendable (inout LexicalWeights) -> Void)] = [
        ("text", { @Sendable in $0.text = -1 }), ("sender", { @Sendable in $0.sender = .nan }),
        ("date", { @Sendable in $0.date = 1_000_001 }), ("previous", { @Sendable in $0.previous = [1, -1] }),
        ("next", { @Sendable in $0.next = [Float](repeating: 1, count: 17) }), ("k1", { @Sendable in $0.k1 = -0.1 }),
        ("b", { @Sendable in $0.b = 1.1 }), ("maximumGap", { @Sendable in $0.maximumGap = -1 }),
        ("neighbourTokens", { @Sendable in $0.neighbourTokens = 0 }),
    ]

    @Test(arguments: badChanges)
    func badWeightsAreNamed(name: String, change: @Sendable (inout LexicalWeights) -> Void) {
        var weights = LexicalWeights()
        change(&weights)
        let index = talk(["meet"])

        #expect(throws: LexicalIndexError.invalidWeight(name: name)) {
            try index.search(LexicalQuery("meet", weights), k: 1, in: .all)
        }
        #expect(throws: LexicalIndexError.invalidWeight(name: "term")) {
            try index.search(LexicalQuery([.init(term("meet"), weight: .nan)]), k: 1, in: .all)
        }
    }

    @Test func theHighestWeightsGiveNumbers() throws {
        var weights = LexicalWeights()
        let most = LexicalWeights.weightLimit
        (weights.text, weights.sender, weights.k1) = (most, most, most)
        weights.previous = Array(repeating: most, count: LexicalWeights.placeLimit)
        let index = talk(["meet meet", "x", "y", "z", "z"])
        let query = LexicalQuery((0..<1000).map { _ in .init(term("meet"), weight: most) }, weights: weights)

        let hits = try index.search(query, k: 9, in: .all)

        #expect(hits.count == 5)
        #expect(hits.allSatisfy { $0.score.isFinite && $0.score > 0 })
    }

    /// With k1 at 0 a row scores what its block can score at most, so these differ by a thousandth from each other.
    @Test func theBestOfAlmostEqualBlocksIsFound() throws {
        let index = BM25Index()
        index.upsert((0..<200).map { LexicalRow($0, in: $0, at: 0, $0 % 2 == 0 ? "word\($0)" : "other") })
        var weights = LexicalWeights.own
        weights.k1 = 0
        for best in stride(from: Int64(0), to: 200, by: 10) {
            let terms = stride(from: Int64(0), to: 200, by: 2).map { number in
                LexicalQuery.Term(term("word\(number)"), weight: 1 - Float(abs(number - best)) * 0.0005)
            }

            let hits = try index.search(LexicalQuery(terms, weights: weights), k: 1, in: .all)

            #expect(hits.keys == [best])
        }
    }

    private static let crowdedKeys: [[UInt64]] = [
        (0..<300).map { (number: UInt64) in number * 3 }, (0..<300).map { (number: UInt64) in .max - number * 5 },
        [0, .max],
    ]

    /// Keys that are no hashes lie anywhere, and are found all the same.
    @Test(arguments: crowdedKeys)
    func keysNeedNotBeSpread(keys: [UInt64]) throws {
        let index = BM25Index()
        for (number, key) in keys.enumerated() {
            let row = LexicalRow(
                key: RowKey(rawValue: Int64(number)), group: GroupKey(rawValue: 1), thread: Int64(number),
                terms: FieldTerms(text: [TermKey(rawValue: key)]))
            index.upsert([row])
        }
        for (number, key) in keys.enumerated() {
            let query = LexicalQuery([LexicalQuery.Term(TermKey(rawValue: key))])
            #expect(try index.search(query, k: 5, in: .all).keys == [Int64(number)])
            let other = LexicalQuery([LexicalQuery.Term(TermKey(rawValue: key ^ 1))])
            #expect(try index.search(other, k: 5, in: .all).count == (keys.contains(key ^ 1) ? 1 : 0))
        }
    }

    @Test func aCancelledTaskGetsNoResult() async {
        let index = talk(["meet"])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try index.search(LexicalQuery("meet"), k: 1, in: .all)
        }

        await #expect(throws: LexicalIndexError.cancelled) { try await task.value }
    }

    @Test func termKeysStayTheSame() {
        #expect(TermKey(utf8: "".utf8).rawValue == 0xEFD0_1F60_BA99_2926)
        #expect(TermKey(utf8: "meet".utf8).rawValue == 0x84C8_FFF1_ABAF_A004)
        #expect(TermKey(utf8: [0x6D, 0x65, 0x65, 0x74]) == term("meet"))
    }
}
