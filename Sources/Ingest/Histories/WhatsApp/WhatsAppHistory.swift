import ChatCore
import Foundation

/// Reads a chat of WhatsApp, exported as text.
///
/// Ids are those of ``SynthesisedIDs``. The chat's name is that of the file; ``WhatsAppChat`` determines its id.
final class WhatsAppHistory: HistoryReader {
    /// A message that further lines may continue.
    private struct Draft {
        var head: WhatsAppHead
        var position: LinePosition
        var text: String
        var place: HistoryPlace
    }

    private let file: HistoryFile
    private var naming: HistoryNaming
    private let options: HistoryOptions
    private var clock: LocalClock
    private var reading = DateReading(order: .dmy)
    private var chat = WhatsAppChat()
    private var conversationID: ConversationID?
    private var lines: LineReader?
    private var lineNumber = 0
    private var headCount = 0
    private var draft: Draft?
    /// Further lines of a rejected message are dropped too.
    private var dropsContinuation = false
    private var ids = SynthesisedIDs()
    private var firstPassByteCount = 0

    var byteCount: Int { firstPassByteCount + (lines?.byteCount ?? 0) }

    init(_ file: HistoryFile, naming: HistoryNaming, options: HistoryOptions) throws(ImportFileError) {
        self.file = file
        self.naming = naming
        self.options = options
        clock = try options.clock()
    }

    func read(into items: inout [HistoryItem]) throws -> Bool {
        guard lines != nil else {
            try begin(&items)
            return true
        }
        for _ in 0..<256 {
            guard let line = try lines?.next() else {
                finishDraft(&items)
                return false
            }
            lineNumber += 1
            read(line, into: &items)
        }
        return true
    }

    /// Reads the whole file once for its people and its order of dates.
    private func begin(_ items: inout [HistoryItem]) throws {
        let (names, fileCount) = file.names
        chat = WhatsAppChat(names: names, now: options.now)
        var reader = LineReader(try file.open())
        while let line = try reader.next() {
            guard case .text(let data) = line else { continue }
            let text = String(decoding: data, as: UTF8.self)
            if let head = WhatsAppHead(text) {
                chat.learn(head)
            } else {
                chat.countContinuation(isBlank: text.allSatisfy(\.isWhitespace))
            }
        }
        chat.finish()
        reading = try reading(of: chat.vote)
        let title = WhatsAppChat.title(names, fileCount: fileCount)
        let roster = chat.roster(
            title: title, isNamedByApplication: WhatsAppChat.isNamedByApplication(names), id: options.conversationID,
            reading: reading, naming: naming, timeZone: options.timeZone)
        conversationID = roster.conversation.id
        naming.scope = roster.conversation.id
        let place = file.place(nil, .line)
        items += chat.authors.sorted().map {
            HistoryItem(content: .author(naming.author($0, name: WhatsAppHead.shownName($0))), place: place)
        }
        items.append(HistoryItem(content: .roster(roster), place: place))
        lines = LineReader(try file.open())
    }

    private func reading(of vote: DateOrderVote) throws(ImportFileError) -> DateReading {
        let path = file.location.url.path
        guard !vote.isOfUnknownCalendar(order: options.dateOrder) else { throw .unknownCalendar(path: path) }
        if let reading = vote.reading(order: options.dateOrder) { return reading }
        guard let order = options.dateOrder else { throw .unclearDateOrder(path: path) }
        return DateReading(order: order)
    }

    private func read(_ line: LineReader.Line, into items: inout [HistoryItem]) {
        let place = file.place(lineNumber, .line)
        guard case .text(let data) = line else {
            items.append(
                HistoryItem(content: .rejected(reason: "longer than \(LineReader.lineByteLimit) bytes"), place: place))
            return
        }
        let valid = String(validating: data, as: UTF8.self)
        let text = valid ?? String(decoding: data, as: UTF8.self)
        let head = WhatsAppHead(text)
        if head != nil { finishDraft(&items) }
        if valid == nil {
            if head != nil { dropsContinuation = true }
            items.append(HistoryItem(content: .rejected(reason: "not valid UTF-8"), place: place))
        } else if let head {
            dropsContinuation = false
            headCount += 1  // bounded: one for each line of a file
            draft = Draft(head: head, position: head.position(number: headCount), text: head.text, place: place)
        } else {
            continueDraft(with: text, place: place, items: &items)
        }
    }

    private func continueDraft(with line: String, place: HistoryPlace, items: inout [HistoryItem]) {
        if let length = draft?.text.utf8.count {
            // One over the limit is enough for the message to be refused.
            if length <= Message.textByteLimit { draft?.text += "\n" + line }
        } else if !dropsContinuation, line.contains(where: { !$0.isWhitespace }) {
            items.append(
                HistoryItem(content: .rejected(reason: "not part of a message"), place: place))
        }
    }

    private func finishDraft(_ items: inout [HistoryItem]) {
        guard let draft, let conversationID else { return }
        self.draft = nil
        items.append(HistoryItem(content: content(of: draft, in: conversationID), place: draft.place))
    }

    private func content(of draft: Draft, in conversationID: ConversationID) -> HistoryItem.Content {
        guard let author = draft.head.author else { return .skipped(.notice) }
        guard let time = reading.time(draft.head) else { return .rejected(reason: reading.fault(of: draft.head)) }
        // Each message counts, even a skipped one: the ids of the others stay the same if it is imported later.
        let id = ids.next(time: String(time.seconds), author: author)
        let content = WhatsAppNotice.content(
            of: draft.text, by: author, at: draft.position, isPerson: chat.isAuthor)
        if content.isNotice || chat.isOfApplication(draft.text, by: author) { return .skipped(.notice) }
        if content.isMediaLeftOut { return .skipped(.mediaLeftOut) }
        let moment = clock.moment(of: time)
        let message = Message(
            key: MessageKey(conversationID: conversationID, messageID: naming.message(id)),
            senderID: naming.user(author), senderName: WhatsAppHead.shownName(author), text: content.text,
            timestamp: moment,
            // When, is not said.
            editedAt: content.isEdited ? moment : nil,
            attachments: content.attachment.map { [Message.Attachment(name: $0)] } ?? [])
        if !content.isDeleted, message.text.isEmpty, message.attachments.isEmpty { return .skipped(.empty) }
        return .message(message, deletedAt: content.isDeleted ? moment : nil)
    }
}
