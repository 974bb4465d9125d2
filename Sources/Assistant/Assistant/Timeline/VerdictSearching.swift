import AnswerSupport
package import ChatCore
package import Retrieval

/// A search that also reads what people say about the messages that it finds.
///
/// A message of which a person says that it replaced a hit becomes a hit before that one, if the request could have found
/// it: the asker may see it, it is in the scope, and it passes the filter. Of other messages nothing is read.
package struct VerdictSearching: MessageSearching {
    private let base: any MessageSearching
    private let verdicts: any VerdictRepository
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - base: Finds the messages.
    ///   - verdicts: What people say.
    ///   - now: The present time, at which permissions count.
    package init(
        _ base: any MessageSearching, verdicts: any VerdictRepository, now: @escaping @Sendable () -> Timestamp
    ) {
        (self.base, self.verdicts, self.now) = (base, verdicts, now)
    }

    /// How often what replaced a message is looked up for one that replaced another.
    private static let roundCount = 4

    package func search(_ request: SearchRequest) async throws -> SearchResult {
        var result = try await base.search(request)
        var said: [ReplacementVerdict] = []
        var keys = result.hits.map(\.message.key)
        var known = Set(keys)
        for _ in 0..<Self.roundCount where !keys.isEmpty {
            let found = try await verdicts.verdicts(on: keys, in: request.scope, at: now())
                .filter { request.filter.admits($0.newer) }
            said += found
            keys = found.filter { $0.kind == .replaced && known.insert($0.newer.key).inserted }.map(\.newer.key)
        }
        guard !said.isEmpty else { return result }
        let standing = Dictionary(grouping: said, by: \.older).mapValues(\.standing)
        var ordered = OrderedHits(result.hits, standing)
        for hit in result.hits { ordered.add(hit, relevance: hit.relevance) }
        result.hits = Array(ordered.hits.prefix(max(request.limit, 0)))
        result.verdicts = result.hits.flatMap { standing[$0.message.key] ?? [] }
        return result
    }
}

/// Hits, each behind the messages of which a person says that they replaced it.
private struct OrderedHits {
    private let said: [MessageKey: [ReplacementVerdict]]
    private let known: [MessageKey: Hit]
    private var taken: Set<MessageKey> = []
    private(set) var hits: [Hit] = []

    init(_ hits: [Hit], _ said: [MessageKey: [ReplacementVerdict]]) {
        self.said = said
        known = Dictionary(hits.map { ($0.message.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func add(_ hit: Hit, relevance: Double) {
        guard taken.insert(hit.message.key).inserted else { return }
        // bounded: each message is taken once
        for verdict in said[hit.message.key] ?? [] where verdict.kind == .replaced {
            let newer =
                known[verdict.newer.key]
                ?? Hit(
                    message: verdict.newer, conversation: verdict.conversation, rank: 1, relevance: relevance,
                    score: hit.score)
            add(newer, relevance: relevance)
        }
        hits.append(hit.placed(hits.count + 1, relevance: relevance))
    }
}

extension Hit {
    /// The hit at another place, which never is less relevant than those below it.
    fileprivate func placed(_ rank: Int, relevance: Double) -> Hit {
        Hit(
            message: message, conversation: conversation, rank: rank, relevance: max(self.relevance, relevance),
            score: score, passage: passage, place: place, duplicates: duplicates, explanation: explanation)
    }
}

extension [ReplacementVerdict] {
    /// The last one about a part of a message, in UTF-16 code units; nil for all of it.
    func last(on key: MessageKey, part: Range<Int>? = nil) -> ReplacementVerdict? {
        last { $0.older == key && $0.covers(part) }
    }
}

extension [Hit] {
    /// The messages, in the form in which later ones are compared with them.
    func dated(with verdicts: [ReplacementVerdict]) -> [DatedMessage] {
        let places = Dictionary(enumerated().map { ($1.message.key, $0) }, uniquingKeysWith: { first, _ in first })
        let said = Dictionary(grouping: verdicts, by: \.older)
        return map { hit in
            let key = hit.message.key
            var message = DatedMessage(
                text: hit.message.searchableText, senderName: hit.message.senderName, sentAt: hit.message.timestamp,
                timeZone: hit.conversation.timeZone ?? "UTC", conversation: hit.conversation.id.rawValue,
                repliesTo: hit.message.replyToID.flatMap { id in
                    places[MessageKey(conversationID: key.conversationID, messageID: id)]
                })
            message.topic = hit.conversation.displayName
            message.verdicts = (said[key] ?? []).map { verdict in
                DatedVerdict(
                    isReplaced: verdict.kind == .replaced, range: verdict.range.map(hit.message.shownText.utf8Range),
                    newer: places[verdict.newer.key], sentAt: verdict.newer.timestamp)
            }
            return message
        }
    }
}

extension String {
    /// The UTF-8 bytes of a range of UTF-16 code units, as far as the text reaches.
    fileprivate func utf8Range(_ range: Range<Int>) -> Range<Int> {
        func place(_ offset: Int) -> Int {
            let end = utf16.index(startIndex, offsetBy: offset, limitedBy: endIndex) ?? endIndex
            return utf8.distance(from: startIndex, to: end)
        }
        return place(range.lowerBound)..<place(range.upperBound)
    }
}
