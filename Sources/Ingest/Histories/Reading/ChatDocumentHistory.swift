import ChatCore

/// Reads the chats of a JSON document in two passes: first the fields of each chat, then the messages.
final class ChatDocumentHistory: HistoryReader {
    /// The most bytes of a field about a chat.
    private static let fieldByteLimit = 256 << 10

    private let file: HistoryFile
    private var decoder: any ChatDecoder
    private var document: ChatDocument?
    /// The fields of the document's chats, by number.
    private var chats: [Int: [String: JSONValue]] = [:]
    private var isInMessages = false
    private var hasMessages = false
    private var number = 0

    var byteCount: Int { document?.stream.byteOffset ?? 0 }

    init(_ file: HistoryFile, decoder: any ChatDecoder) {
        self.file = file
        self.decoder = decoder
    }

    func read(into items: inout [HistoryItem]) throws -> Bool {
        do {
            if document == nil {
                document = ChatDocument(try file.open(), takesHexEscapes: decoder.takesHexEscapes)
                try lookAhead(&items)
                return true
            }
            if isInMessages {
                try readMessages(&items)
                return true
            }
            return try advance(&items)
        } catch let error as JSONStreamError {
            if isInMessages { endChat(&items) }
            items.append(HistoryItem(content: .rejected(reason: error.reason), place: file.place(nil, .item)))
            return false
        }
    }

    /// Reads everything that is needed before the first message; a document that breaks off is read to its last byte.
    private func lookAhead(_ items: inout [HistoryItem]) throws {
        var document = ChatDocument(try file.open(), takesHexEscapes: decoder.takesHexEscapes)
        do {
            while let step = try document.next() {
                switch step {
                case .field(let key):
                    guard let data = try document.stream.fieldValue(limit: Self.fieldByteLimit) else { continue }
                    chats[document.chat, default: [:]][key] = try? JSONElement.parse(
                        data, takesHexEscapes: decoder.takesHexEscapes)
                case .messages:
                    let fields = try JSONFields(.object(chats[document.chat] ?? [:]))
                    if decoder.looksAhead(fields, chat: document.chat) {
                        try lookAtMessages(&document, &items)
                    } else {
                        try document.stream.skipList()
                    }
                }
            }
        } catch is JSONStreamError {
            // The second pass reaches the same place, and reports it.
        }
    }

    private func lookAtMessages(_ document: inout ChatDocument, _ items: inout [HistoryItem]) throws {
        try document.stream.beginArray()
        var number = 0
        while let element = try document.stream.nextElement() {
            number += 1
            guard case .fields(let fields) = element else { continue }
            do throws(ImportLineError) {
                try decoder.lookAhead(fields, chat: document.chat)
            } catch {
                items.append(rejection(error, number: number))
            }
        }
    }

    /// Goes to the next list of messages.
    private func advance(_ items: inout [HistoryItem]) throws -> Bool {
        switch try document?.next() {
        case nil:
            if !hasMessages { items.append(rejection(ImportLineError(reason: "no list of messages"), number: nil)) }
            return false
        case .field: try document?.stream.skipField()
        case .messages:
            hasMessages = true
            do throws(ImportLineError) {
                let chat = document?.chat ?? 0
                let contents = try decoder.begin(
                    try JSONFields(.object(chats[chat] ?? [:])), chat: chat,
                    document: try JSONFields(.object(chats[0] ?? [:])))
                append(contents, number: nil, to: &items)
            } catch {
                items.append(rejection(error, number: nil))
                try document?.stream.skipList()
                return true
            }
            try document?.stream.beginArray()
            isInMessages = true
        }
        return true
    }

    private func readMessages(_ items: inout [HistoryItem]) throws {
        for _ in 0..<64 {
            guard let element = try document?.stream.nextElement() else { return endChat(&items) }
            number += 1
            do throws(ImportLineError) {
                append(try decode(element), number: number, to: &items)
            } catch {
                items.append(rejection(error, number: number))
            }
        }
    }

    private func decode(_ element: JSONListElement) throws(ImportLineError) -> [HistoryItem.Content] {
        switch element {
        case .fields(let fields): try decoder.decode(fields)
        case .rejected(let error): throw error
        }
    }

    private func endChat(_ items: inout [HistoryItem]) {
        append(decoder.end(), number: nil, to: &items)
        isInMessages = false
        number = 0
    }

    private func append(_ contents: [HistoryItem.Content], number: Int?, to items: inout [HistoryItem]) {
        items += contents.map { HistoryItem(content: $0, place: file.place(number, .item)) }
    }

    private func rejection(_ error: ImportLineError, number: Int?) -> HistoryItem {
        HistoryItem(content: .rejected(reason: error.reason), place: file.place(number, .item))
    }
}
