import AnswerSupport
import Assistant
import ChatCore
import Foundation
import Logging
import Prompting
import Retrieval
import Synchronization
import TestSupport
import Testing

/// Thursday, 2025-10-23 10:30 UTC.
let thursday = Timestamp(milliseconds: 1_761_215_400_000)
/// The id of every turn here.
let turnID: TurnID = "00000000-0000-0000-0000-00000000002a"

/// Makes the hit of a rank: message `m1` of conversation `c1` and so on.
func hit(
    _ rank: Int, _ text: String = "Some words.", sender: String = "Ada", relevance: Double = 0.9,
    timeZone: String? = nil, passage: FoundPassage? = nil, after hours: Int = 0
) -> Hit {
    Hit(
        message: Message(
            key: key(rank), senderID: "u7", senderName: sender, text: text,
            timestamp: thursday + .seconds(3_600 * hours)),
        conversation: PermittedConversation(
            id: key(rank).conversationID, number: ConversationNumber(rawValue: Int64(rank)),
            displayName: "Harbor \(rank)", timeZone: timeZone, isMember: true),
        rank: rank, relevance: relevance, passage: passage)
}

/// The key of the message of a rank.
func key(_ rank: Int) -> MessageKey {
    MessageKey(conversationID: ConversationID(rawValue: "c\(rank)"), messageID: MessageID(rawValue: "m\(rank)"))
}

/// Makes a question of user `u1` in all conversations.
func ask(_ question: String = "When do we sail?", limit: Int = 5, timeZone: String? = nil) -> AskRequest {
    AskRequest(
        question: question, scope: SearchScope(asker: "u1", conversations: .all), limit: limit, timeZone: timeZone,
        streams: true)
}

/// A generator that always gives 0: it draws the delimiter `AAAAAAAAAAAAAAAA`.
struct ZeroGenerator: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
}

/// Keeps turns in memory, or refuses to.
final class RecordedTurns: TurnRepository {
    private let kept = Mutex<[Turn]>([])
    private let keptTraces = Mutex<[TurnTrace]>([])
    private let failure: RepositoryError?

    init(failure: RepositoryError? = nil) {
        self.failure = failure
    }

    var all: [Turn] { kept.withLock { $0 } }

    var traces: [TurnTrace] { keptTraces.withLock { $0 } }

    func record(_ turn: Turn, trace: TurnTrace?) async throws {
        if let failure { throw failure }
        kept.withLock { $0.append(turn) }
        if let trace { keptTraces.withLock { $0.append(trace) } }
    }

    func turns(of user: UserID, in thread: ThreadID?, before: TurnID?, limit: Int) async throws -> [Turn] {
        let own = Array(all.filter { $0.askerID == user && $0.threadID == thread }.reversed())
        let place = before.flatMap { id in own.firstIndex { $0.id == id } } ?? -1
        return Array(own[(place + 1)...].prefix(limit))
    }

    func readable(_ turns: [Turn], at moment: Timestamp) async throws -> [ReadableTurn] {
        turns.map { ReadableTurn($0, seeing: $0.sourceKeys, seesRest: true) }
    }

    func turn(_ id: TurnID, of user: UserID) async throws -> Turn { throw RepositoryError.noSuchTurn(id) }

    func deleteTurn(_ id: TurnID, of user: UserID) async throws { throw RepositoryError.noSuchTurn(id) }

    func setFeedback(_ feedback: TurnFeedback?, on id: TurnID, of user: UserID) async throws -> Turn {
        throw RepositoryError.noSuchTurn(id)
    }

    func judgedTurns(after id: TurnID?, limit: Int) async throws -> [Turn] { [] }

    func trace(of id: TurnID, user: UserID?, at moment: Timestamp) async throws -> TurnTrace? { nil }

    func recentTurns(limit: Int) async throws -> [Turn] { Array(all.reversed().prefix(limit)) }
}

/// Settings under which an answer is what the model wrote.
let unchecked = AssistantSettings(verification: .off)

/// Makes a service whose time stands still and whose random numbers are 0.
func makeService(
    _ searching: FakeSearching, model: FakeLanguageModel?, turns: RecordedTurns? = nil,
    calibration: TokenCalibration = TokenCalibration(), settings: AssistantSettings = unchecked,
    allowance: TokenAllowance? = nil, logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
) throws -> AnswerService {
    AnswerService(
        searching: searching,
        session: ModelSession(
            model: model, prompts: try PromptLibrary(overrides: nil), calibration: calibration, allowance: allowance,
            now: { thursday }, makeGenerator: { ZeroGenerator() }, logger: logger),
        turns: turns,
        settings: settings,
        makeID: { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 42)) })
}

extension AnswerService {
    /// Begins an answer, cancels its task at an event, and returns when it has ended.
    func leave(_ request: AskRequest = ask(), at isEnough: @escaping @Sendable (AnswerEvent) -> Bool) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await answer(request) { event in
                        if isEnough(event) { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
            }
        }
    }

    /// Returns all events of an answer.
    func events(_ request: AskRequest = ask()) async throws -> [AnswerEvent] {
        var events: [AnswerEvent] = []
        try await answer(request) { events.append($0) }
        return events
    }

    /// Returns the whole answer.
    func whole(_ request: AskRequest = ask()) async throws -> Answer {
        guard case .done(let answer) = try await events(request).last else { throw ModelServiceError.incompleteReply }
        return answer
    }
}

/// Returns the part of a text between two offsets in characters.
func characters(_ range: Range<Int>, of text: String) -> String {
    String(Array(text)[range])
}
