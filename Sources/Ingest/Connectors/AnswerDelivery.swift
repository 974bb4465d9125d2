import ChatCore
import Logging

/// A message in a room of a source that shows an answer of the assistant.
struct ShownAnswer: Equatable, Sendable {
    /// Its id in the source.
    let id: String
    /// The ``ChatCore/Message/version`` of the answer that it shows.
    let version: Int64
}

extension Message {
    /// The time of the last edit; 0 for none.
    var version: Int64 { editedAt?.microseconds ?? 0 }

    /// Whether its first content is not to be shown any more.
    fileprivate var isChanged: Bool { editedAt != nil || deletedAt != nil }
}

/// What ``AnswerDelivery`` needs of a connector.
protocol AnswerSender: Sendable {
    associatedtype Progress: ConnectorProgress

    var source: String { get }
    var store: any ConnectorStore { get }
    var status: ConnectorStatus { get }
    var rooms: ConnectorRooms<Progress> { get }
    var now: @Sendable () -> Timestamp { get }
    var logger: Logger { get }

    /// Returns the room in which an answer is or is to be, among those of its conversation that Nexus is in; nil for none.
    func room(of answer: Message, among open: [ConnectorRoom]) async throws -> ConnectorRoom?

    /// Notes an attempt to send an answer; returns whether an earlier one may have reached the server.
    func mayHaveSent(_ answer: Message) -> Bool

    /// Asks the server for the messages that show an answer at present.
    ///
    /// - Parameters:
    ///   - answer: The answer: others of its thread are looked for.
    ///   - known: The ids of messages that showed it.
    ///   - room: Their room.
    /// - Returns: The messages, also those of `known` that are still there.
    /// - Throws: ``ConnectorError``, `CancellationError`.
    func shownAnswers(of answer: Message, known: [String], in room: String) async throws -> [ShownAnswer]

    /// Sends an answer; returns the id of the new message.
    func send(_ answer: Message, to room: String) async throws -> String

    /// Removes a message that shows an answer, with all that the server keeps of its earlier texts.
    ///
    /// - Throws: ``ConnectorError``, also ``ConnectorError/isAboutAbsence`` if there is no such message any more.
    func remove(_ id: String, in room: String) async throws
}

extension AnswerSender {
    func room(of answer: Message, among open: [ConnectorRoom]) async throws -> ConnectorRoom? { open.first }
}

/// Delivers answers of the assistant to the rooms of a source.
///
/// An answer changes because it must not show something any more: a message that it was based on was edited, deleted or
/// erased. Servers keep what a message said before an edit, so a message with an answer is never edited. All messages
/// that show another version are removed, and then the present one is sent. Before the first one is removed the store
/// notes that removing began, so that the rest follows after a failure or a kill, and so that an answer that somebody
/// else removed does not come back.
struct AnswerDelivery<Sender: AnswerSender>: Sendable {
    let sender: Sender

    /// The text of a message that its server does not let us delete.
    static var removedText: String { "(This answer was removed.)" }

    /// How long a changed answer is sent again: later it would surprise more than it helps.
    private static var resendingTime: Duration { .seconds(7 * 86_400) }

    /// See ``Connector/deliver(_:)``.
    func deliver(_ answer: Message) async throws -> Bool? {
        let parts = try await sender.rooms.rooms(of: answer.key.conversationID)
        guard !parts.isEmpty else { return nil }
        guard try await sender.rooms.isActive() else { return false }
        let open = parts.filter { !Sender.Progress($0.progress).hasLeft && !$0.isErased }
        do {
            guard let room = try await sender.room(of: answer, among: open) else {
                // What must go can be removed when Nexus is back.
                return !answer.isChanged || parts.allSatisfy(\.isErased)
            }
            if answer.isChanged {
                try await replace(answer, in: room.id)
                sender.status.removed()
            } else {
                try await sendOnce(answer, to: room.id)
            }
            return true
        } catch let error as ConnectorError {
            sender.logger.warning("An answer is not sent", metadata: ["error": "\(error)"])
            // A refusal is final, unless the operator can give what is missing, or something must go.
            guard case .refused(let status, let code) = error, !error.isAboutToken else { return false }
            guard !answer.isChanged else {
                sender.status.refusedRemoval("\(status) \(code)")
                return false
            }
            return code != "missing_scope"
        }
    }

    private func known(_ answer: Message, in room: String) async throws -> [ConnectorEvent] {
        try await sender.store.connectorEvents(of: answer.key.messageID, in: room, of: sender.source)
    }

    /// Sends the first version of an answer unless that was done.
    private func sendOnce(_ answer: Message, to room: String) async throws {
        guard try await known(answer, in: room).isEmpty else { return }
        if sender.mayHaveSent(answer) {
            let shown = try await sender.shownAnswers(of: answer, known: [], in: room)
            if let present = shown.first(where: { $0.version == answer.version }) {
                return try await note(present.id, of: answer, in: room)
            }
        }
        try await note(try await sender.send(answer, to: room), of: answer, in: room)
    }

    /// Removes all that shows another version of an answer, and sends the present one unless it was deleted.
    private func replace(_ answer: Message, in room: String) async throws {
        let known = try await known(answer, in: room)
        let shown = try await sender.shownAnswers(of: answer, known: known.map(\.id), in: room)
        let present = answer.deletedAt == nil ? shown.first { $0.version == answer.version } : nil
        let old = Set(known.map(\.id) + shown.map(\.id)).subtracting([present?.id].compactMap(\.self)).sorted()
        let wasRemoved = !known.isEmpty && shown.isEmpty && !known.contains { $0.kind == .deletion }
        if !wasRemoved { try await note(nil, of: answer, removing: old, isBegin: true, in: room) }
        for id in old { try await remove(id, in: room) }
        // An answer that somebody else removed does not come back with its next change either.
        guard !wasRemoved else { return }
        let isWanted = answer.deletedAt == nil && sender.now() - answer.timestamp < Self.resendingTime
        var id = present?.id
        if id == nil, isWanted { id = try await sender.send(answer, to: room) }
        try await note(id, of: answer, removing: old, isBegin: false, in: room)
    }

    private func remove(_ id: String, in room: String) async throws {
        do {
            try await sender.remove(id, in: room)
        } catch let error as ConnectorError where error.isAboutAbsence {
            // Somebody was faster, or it was done before a kill.
        }
    }

    /// Notes which message shows an answer, and which ones are being removed or are gone.
    private func note(
        _ id: String?, of answer: Message, removing old: [String] = [], isBegin: Bool = false, in room: String
    ) async throws {
        var page = ConnectorPage(source: sender.source, room: room)
        let target = answer.key.messageID
        page.events = old.map { ConnectorEvent(id: $0, kind: .deletion, target: isBegin ? target : nil) }
        if let id { page.events.append(ConnectorEvent(id: id, kind: .answer, target: target)) }
        guard !page.events.isEmpty else { return }
        try await sender.store.take(page, at: sender.now())
    }
}
