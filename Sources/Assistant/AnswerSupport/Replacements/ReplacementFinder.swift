import ChatCore
import Foundation
package import TextAnalysis

/// Finds messages that say what later ones replaced: "the 12th", and then "moved to the 20th".
///
/// Two statements have the same subject, the same kind of value with another value, and the later one says that it
/// changed. Everything is read from the given messages at each call, so nothing must be erased with them.
package struct ReplacementFinder: Sendable {
    /// The certainty from which a statement counts as replaced.
    package static let threshold = 0.6

    private let people: [String]
    private let language: TextLanguage

    /// - Parameters:
    ///   - people: Names of further people of the conversations.
    ///   - language: That of texts whose own is unknown.
    package init(people: [String] = [], language: TextLanguage = .english) {
        (self.people, self.language) = (people, language)
    }

    /// Whether a text says that something changed: only then may it replace what another message says, unless others
    /// have to accept it first.
    ///
    /// - Complexity: O(*n*): one message is read and nothing is compared.
    package func mayReplace(_ message: DatedMessage) -> Bool {
        let source = SupportSource(
            text: message.text, senderName: message.senderName, sentAt: message.sentAt, timeZone: message.timeZone)
        let reader = SourceReader(answer: "", sources: [source], people: people, language: language)
        return StatementReader(reader.read(source, at: 0), message: 0).all().contains(where: \.saysChange)
    }

    /// Returns the replaced statements with those that are valid instead.
    ///
    /// - Parameter messages: Those that the asker may see, in any order; see ``ReplacementLimits`` for what is read.
    /// - Returns: One replacement at most for each statement, in order of the older message; chains lead to the last.
    /// - Complexity: O(*n*) to read *n* messages, O(*s*²) to compare their *s* statements, of which each message has
    ///   ``ReplacementLimits/statementCount`` at most; ``ReplacementLimits/pairCount`` pairs at most are compared.
    package func replacements(in messages: [DatedMessage]) -> [Replacement] {
        StatementPairs(reading: messages, people: people, language: language).replacements()
    }
}

/// The statements of messages in the order of time.
struct StatementPairs {
    let messages: [DatedMessage]
    /// The places of the messages in the order of time.
    let order: [Int]
    /// The statements of each message, in this order.
    let statements: [[Statement]]
    /// The words of a subject, and of the names of the messages' conversations, if they were asked for.
    private(set) var subject: TextReading?
    private(set) var topics: [Int: [ReadWord]] = [:]
    private let counts: [String: Int]
    private let accepted: [Bool]

    /// Reads messages.
    ///
    /// - Parameters:
    ///   - messages: In any order; see ``ReplacementLimits`` for what is read.
    ///   - people: Names of further people of the conversations.
    ///   - language: That of texts whose own is unknown.
    ///   - subject: A text whose words are compared with the messages; nil for none.
    init(reading messages: [DatedMessage], people: [String], language: TextLanguage, subject: String? = nil) {
        let messages = Array(messages.prefix(ReplacementLimits.messageCount))
        let order = messages.indices.sorted { (messages[$0].sentAt, $0) < (messages[$1].sentAt, $1) }
        let sources = messages.map {
            SupportSource(text: $0.text, senderName: $0.senderName, sentAt: $0.sentAt, timeZone: $0.timeZone)
        }
        let reader = SourceReader(answer: subject ?? "", sources: sources, people: people, language: language)
        let read = messages.indices.map { reader.read(sources[$0], at: $0) }
        var (names, topics): ([String: [ReadWord]], [Int: [ReadWord]]) = ([:], [:])
        for (place, message) in messages.enumerated() where !message.topic.isEmpty {
            let words = names[message.topic] ?? reader.read(message.topic).reading.words
            (names[message.topic], topics[place]) = (words, words)
        }
        let statements = order.map { place in
            StatementReader(read[place], message: place).all().map { statement in
                var statement = statement
                statement.topic = topics[place] ?? []
                return statement
            }
        }
        self.init(messages: messages, order: order, statements: statements)
        self.topics = topics
        if let subject { self.subject = reader.read(subject).reading }
    }

    init(messages: [DatedMessage], order: [Int], statements: [[Statement]]) {
        (self.messages, self.order, self.statements) = (messages, order, statements)
        var counts: [String: Int] = [:]
        for own in statements {
            let stems = Set(own.flatMap { $0.words($0.subject).map(\.stem) })
            for stem in stems { counts[stem, default: 0] += 1 }
        }
        self.counts = counts
        accepted = Acceptance(messages: messages, order: order, statements: statements).all()
    }

    /// Whether the message at a place of the order proposes something that was accepted.
    func isAccepted(_ place: Int) -> Bool { accepted[place] }

    /// A word of a few messages says more about a subject than one of all.
    private func rarity(_ stem: String) -> Double {
        let count = Double(max(counts[stem] ?? 1, 1))
        return 1 / (1 + log2(max(count / 3, 1)))
    }

    /// A change from one statement to another.
    private struct Edge {
        let newer: (message: Int, place: Int)
        let change: ValueChange
        let certainty: Double
        var kind: Replacement.Kind { change.kind }
    }

    func replacements() -> [Replacement] {
        var edges: [[Edge?]] = statements.map { $0.map { _ in nil } }
        let said = SaidReplacements(self)
        var room = ReplacementLimits.pairCount
        // The newest first: what they replace is compared if there is no room for all.
        for later in statements.indices.reversed() {
            for (place, newer) in statements[later].enumerated().reversed()
            where newer.saysChange || accepted[later] {
                for earlier in (0..<later).reversed() where room > 0 {
                    for (other, older) in statements[earlier].enumerated() where !older.isOpen || accepted[earlier] {
                        room -= 1  // bounded: at most the statements of a message below 0
                        if said.decides(older, after: messages[newer.message].sentAt) { continue }
                        guard let found = change(from: older, earlier, to: newer, later) else { continue }
                        if let known = edges[earlier][other], known.certainty >= found.certainty { continue }
                        edges[earlier][other] = Edge(newer: (later, place), change: found.0, certainty: found.certainty)
                    }
                }
            }
        }
        for (earlier, other, later) in said.links {
            edges[earlier][other] = edge(from: statements[earlier][other], earlier, to: later)
        }
        return edges.indices.flatMap { earlier in
            edges[earlier].indices.compactMap { replacement(at: (earlier, $0), edges) }
        }.sorted { ($0.older.message, $0.older.range.lowerBound) < ($1.older.message, $1.older.range.lowerBound) }
    }

    /// The change that a person names, to the statement of the later message that fits best; nil if it has none.
    private func edge(from older: Statement, _ earlier: Int, to later: Int) -> Edge? {
        let found = statements[later].enumerated().compactMap { place, newer in
            self.change(from: older, earlier, to: newer, later).map { (place, $0.0, $0.certainty) }
        }.max { $0.2 < $1.2 }
        if let found { return Edge(newer: (later, found.0), change: found.1, certainty: 1) }
        let changes = statements[later].enumerated().compactMap { place, newer in
            ValueChange.all(older, newer).first.map { (place, $0) }
        }
        let place = changes.first?.0 ?? statements[later].firstIndex { !$0.isOpen } ?? 0
        guard statements[later].indices.contains(place) else { return nil }
        return Edge(
            newer: (later, place), change: changes.first?.1 ?? ValueChange(kind: .decision, namesFormer: true),
            certainty: 1)
    }

    /// Follows a chain to its last statement; nil if that says what the first one said.
    private func replacement(at place: (Int, Int), _ edges: [[Edge?]]) -> Replacement? {
        guard let first = edges[place.0][place.1] else { return nil }
        let older = statements[place.0][place.1]
        var last = first
        // bounded: each step leads to a later message
        while let next = edges[last.newer.message][last.newer.place], next.kind == last.kind { last = next }
        let newer = statements[last.newer.message][last.newer.place]
        if last.newer.message != first.newer.message, first.kind != .decision,
            !ValueChange.all(older, newer).contains(where: { $0.kind == first.kind })
                && !namesOther(newer)
        {
            return nil
        }
        return Replacement(
            older: .init(message: older.message, range: older.range),
            newer: .init(message: newer.message, range: newer.range), kind: first.kind, certainty: first.certainty,
            values: first.change.ranges)
    }

    /// Whether a statement names former values, so that it may replace no value that they are not.
    private func namesOther(_ statement: Statement) -> Bool { !statement.former.isEmpty }

    private func change(
        from older: Statement, _ earlier: Int, to newer: Statement, _ later: Int
    ) -> (ValueChange, certainty: Double)? {
        guard messages[newer.message].sentAt > messages[older.message].sentAt else { return nil }
        let pair = StatementPair(
            older: older, newer: newer, isReply: messages[newer.message].repliesTo == older.message,
            follows: newer.message != older.message && isNext(earlier, later),
            hasSameConversation: messages[older.message].conversation == messages[newer.message].conversation,
            isAccepted: accepted[later])
        let strict = pair.likeness(isCorroborated: false, rarity)
        if strict.isOfOthers, !pair.isReply { return nil }
        // Most pairs share nothing: their values need not be compared.
        if strict.weight == 0, !pair.isReply, !pair.follows, !older.isChoice,
            pair.likeness(isCorroborated: true, { _ in 1 }).weight == 0
        {
            return nil
        }
        var best: (ValueChange, certainty: Double)?
        var found: [ValueChange] = []
        for change in ValueChange.all(older, newer) {
            // Who names the former value means it, so that less has to be said of the subject.
            let likeness = change.namesFormer ? pair.likeness(isCorroborated: true) { _ in 1 } : strict
            let certainty = pair.certainty(of: change, likeness)
            guard certainty >= ReplacementFinder.threshold else { continue }
            found.append(change)
            if certainty > best?.certainty ?? 0 { best = (change, certainty) }
        }
        // "Moved to Gdańsk, 12 November" replaces both the place and the day.
        if found.allSatisfy({ !$0.ranges.isEmpty }) { best?.0.ranges = found.flatMap(\.ranges) }
        return best
    }

    /// Whether a message is one of the next after another in its conversation.
    private func isNext(_ earlier: Int, _ later: Int) -> Bool {
        let (first, second) = (messages[order[earlier]], messages[order[later]])
        guard first.conversation == second.conversation, second.sentAt - first.sentAt < .seconds(12 * 3_600) else {
            return false
        }
        let between = order[(earlier + 1)..<later].count { messages[$0].conversation == first.conversation }
        return between < 3
    }
}

/// Finds proposals that the next messages accept.
struct Acceptance {
    let messages: [DatedMessage]
    let order: [Int]
    let statements: [[Statement]]

    /// Returns for each message whether it proposes something that was accepted.
    func all() -> [Bool] { order.indices.map(isAccepted) }

    private func isAccepted(_ place: Int) -> Bool {
        let proposal = messages[order[place]]
        guard statements[place].contains(where: \.isProposal) else { return false }
        var count = 0
        for next in order.indices[(place + 1)...] where messages[order[next]].conversation == proposal.conversation {
            let answer = messages[order[next]]
            guard count < ReplacementLimits.answerCount,
                answer.sentAt - proposal.sentAt < ReplacementLimits.answerTime
            else { return false }
            count += 1
            guard answer.senderName != proposal.senderName else { continue }
            if let repliesTo = answer.repliesTo, repliesTo != order[place] { continue }
            if begins(statements[next].first, with: \.refusals) { return false }
            if begins(statements[next].first, with: \.acceptances) { return true }
        }
        return false
    }

    /// Whether a phrase is among the first words of a statement.
    private func begins(_ statement: Statement?, with list: KeyPath<ChangeWords, Set<String>>) -> Bool {
        guard let statement, !statement.isOpen else { return false }
        let phrases = Language.of(statement.reading.language).changes[keyPath: list]
        return PhrasePlaces(statement.reading, statement.places, statement.range).of(phrases)
            .contains { $0.lowerBound < statement.places.lowerBound + 4 }
    }
}
