import Assistant
import ChatCore
import Evaluation
import Foundation

/// The counts of a dataset made from feedback.
struct FeedbackReport: Codable, Sendable, Equatable {
    /// Questions with evidence.
    var questionCount: Int
    /// Questions for which a person must add the evidence.
    var unlabelledCount: Int
    var conversationCount: Int
    var messageCount: Int
    /// Rated turns whose asker may not see the sources any more.
    var leftOutCount: Int
}

/// Makes datasets from the turns that askers rated.
struct FeedbackWriter: Sendable {
    private static let pageSize = 200

    let store: any ChatStore & TurnRepository
    let now: @Sendable () -> Timestamp

    /// Makes a dataset from the turns that askers rated, with the conversations that hold their sources.
    func write(to folder: String) async throws -> FeedbackReport {
        let moment = now()
        let turns = try await judgedTurns(at: moment)
        var readers: [ConversationID: UserID] = [:]
        for turn in turns where turn.isWhole {
            for key in turn.turn.sourceKeys { readers[key.conversationID] = turn.turn.askerID }
        }
        var rosters: [ConversationRoster] = []
        var messages: [Message] = []
        for (id, reader) in readers.sorted(by: { $0.key < $1.key }) {
            rosters.append(try await store.roster(of: id, asker: reader, at: moment))
            messages += try await allMessages(of: id, for: reader, at: moment)
        }
        let url = URL(filePath: folder, directoryHint: .isDirectory)
        var judged: [FeedbackDataset.JudgedTurn] = []
        for turn in turns where turn.isWhole {
            let trace = try await store.trace(of: turn.turn.id, user: turn.turn.askerID, at: moment)
            judged.append(FeedbackDataset.JudgedTurn(turn.turn, trace))
        }
        let made = FeedbackDataset(turns: judged, rosters: rosters, messages: messages, name: url.lastPathComponent)
        try made.write(to: url)
        return FeedbackReport(
            questionCount: made.dataset.questions.count, unlabelledCount: made.unlabelled.count,
            conversationCount: rosters.count, messageCount: made.dataset.messages.count,
            leftOutCount: turns.count { !$0.isWhole })
    }

    private func judgedTurns(at moment: Timestamp) async throws -> [ReadableTurn] {
        var all: [ReadableTurn] = []
        while true {
            let page = try await store.judgedTurns(after: all.last?.turn.id, limit: Self.pageSize)
            guard !page.isEmpty else { return all }
            all += try await store.readable(page, at: moment)
        }
    }

    private func allMessages(of id: ConversationID, for reader: UserID, at moment: Timestamp) async throws -> [Message]
    {
        var all: [Message] = []
        while true {
            let page = try await store.page(
                of: id, asker: reader, before: all.last?.key.messageID, limit: Self.pageSize, at: moment)
            guard !page.isEmpty else { return all }
            all += page
        }
    }
}

extension FeedbackDataset.JudgedTurn {
    /// Reads the citations from the turn's answer, and the searched question from its trace.
    init(_ turn: Turn, _ trace: TurnTrace?) {
        var text = turn.answer
        for mark in turn.citedRanges.reversed() {
            let start = text.index(text.startIndex, offsetBy: mark.lowerBound)
            let end = text.index(start, offsetBy: mark.count)
            // The blank before it is removed too.
            let isAfterBlank = start > text.startIndex && text[text.index(before: start)] == " "
            text.removeSubrange((isAfterBlank ? text.index(before: start) : start)..<end)
        }
        self.init(
            turn: turn, question: trace?.searchedQuestion ?? turn.question,
            citedKeys: turn.citedKeys,
            reference: trace?.model == nil ? nil : text.trimmingWhitespace())
    }
}

extension Turn {
    /// The citations of a turn that was stored without a ``TurnReply``.
    private var oldMarks: [CitationParser.Mark] {
        var parser = CitationParser(sourceCount: sourceKeys.count)
        return parser.read(answer) + parser.finish()
    }

    /// The ranges of the answer's citations, each bracket once, in order.
    fileprivate var citedRanges: [Range<Int>] {
        let ranges = reply.map { $0.citations.map { $0.start..<$0.end } } ?? oldMarks.map(\.range)
        return ranges.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    /// The messages that the answer cites, by number.
    fileprivate var citedKeys: [MessageKey] {
        guard let reply else { return Set(oldMarks.map(\.number)).sorted().map { sourceKeys[$0 - 1] } }
        let cited = Set(reply.citations.map(\.number))
        let numbered = reply.sources.compactMap { source in source.number.map { ($0, source.key) } }
        return numbered.filter { cited.contains($0.0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
