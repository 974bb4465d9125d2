import ChatCore

/// The results of a first pass over a WhatsApp chat: the people, the first message, and how dates are written.
struct WhatsAppChat {
    /// What was seen of an author who may be the application.
    fileprivate struct Speaker {
        /// Lines that the application writes, whoever is their author.
        var noticeCount = 0
        /// Lines that are neither notices nor events of a group.
        var otherCount = 0
        /// Whether there is something that the application never sends: media, several lines, a question.
        var isPerson = false
    }

    private(set) var vote: DateOrderVote
    /// The authors of messages.
    private(set) var authors: Set<String> = []
    private var foldedNames: Set<String> = []
    private let names: [String]
    /// The first message of each author, with its number.
    private var firsts: [String: (number: Int, head: WhatsAppHead)] = [:]
    private var headCount = 0
    private var lastAuthor: String?
    /// The author of the notice that begins an export of iOS: the group, or the other person.
    private var opener: String?
    private var isOpeningKnown = false
    private var speakers: [String: Speaker] = [:]
    /// Authors whose every line is one of the application.
    private var applications: Set<String> = []
    /// A group that has the name of one of its authors, so that only lines that name others are the application's.
    private var namesake: String?

    /// - Parameters:
    ///   - names: The names of file, archive and folders, without endings.
    ///   - now: The present time; see ``DateOrderVote``.
    init(names: [String] = [], now: Timestamp? = nil) {
        self.names = names.map { Self.withoutCopyNumber(InvisibleMarks.removed($0)).trimmed() }
        vote = DateOrderVote(now: now)
    }

    /// Takes the next head of the file.
    mutating func learn(_ head: WhatsAppHead) {
        vote.add(head)
        headCount += 1  // bounded: one for each line of a file
        lastAuthor = head.author
        guard let author = head.author else { return }
        let position = head.position(number: headCount)
        // A person who wrote before is known; only an author who may be the application is looked at again.
        guard speakers[author] != nil || !authors.contains(author) else { return }
        let content = WhatsAppNotice.content(of: head.text, by: author, at: position)
        let line = WhatsAppNotice.line(content.text)
        if position == .opening, content.isNotice {
            opener = author
            isOpeningKnown = line.map(WhatsAppSpeech.isKnownOpening) ?? false
        }
        if author == opener || isName(author) { speakers[author, default: Speaker()].add(content, line: line) }
        guard !content.isNotice else { return }
        if firsts[author] == nil { firsts[author] = (headCount, head) }
        authors.insert(author)
    }

    /// Takes a further line of the message before.
    mutating func countContinuation(isBlank: Bool) {
        if !isBlank, let lastAuthor { speakers[lastAuthor]?.isPerson = true }
    }

    /// Decides who is the application, after the last head.
    ///
    /// In exports of iOS the group is the author of notices. It is known by saying nothing else, or by the first line of
    /// the file and the file's name. A person may have the group's name: their words are kept.
    mutating func finish() {
        for (author, speaker) in speakers where !speaker.isPerson {
            let isGroup = author == opener && isName(author) && authors.subtracting([author]).count > 1
            if speaker.noticeCount > 0, speaker.otherCount == 0 || (isGroup && !isOpeningKnown) {
                applications.insert(author)
            } else if isGroup {
                namesake = author
            }
        }
        authors.subtract(applications)
        foldedNames = Set(authors.map { PhraseTable.folded(WhatsAppHead.shownName($0)) })
    }

    /// Whether a folded text is the name of an author.
    func isAuthor(_ text: Substring) -> Bool { foldedNames.contains(String(text)) }

    /// Whether a line of an author is one of the application, according to the whole file.
    func isOfApplication(_ text: String, by author: String) -> Bool {
        if applications.contains(author) { return true }
        guard author == namesake, let line = WhatsAppNotice.line(InvisibleMarks.removed(text)) else { return false }
        return WhatsAppSpeech.isEvent(line)
            || (!line.contains("?")
                && authors.contains { $0 != author && line.contains(PhraseTable.folded(WhatsAppHead.shownName($0))) })
    }

    /// Whether a name of file, archive or folder is that of a chat with or of `author`.
    private func isName(_ author: String) -> Bool {
        names.contains { $0 == author || $0.hasSuffix(" " + author) || $0.hasPrefix(author + " ") }
    }

    /// Returns the roster.
    ///
    /// Names do not identify chats: many people have a group "Family", or a friend called Ada. So a chat's id is
    /// derived from its name and its first message. Of that message minute and author count. The text may be edited or
    /// deleted later, and counts only if there is no name. An export of the same chat that begins later is another
    /// conversation, unless `id` identifies it.
    ///
    /// A chat that is named after one of two authors is between these two, and has both names. So is another chat of
    /// two authors, unless the application named its file differently; then name and id are those of the file.
    ///
    /// - Parameters:
    ///   - title: The chat's name; nil if the file has none.
    ///   - isNamedByApplication: Whether the application chose the name of the file.
    ///   - id: The conversation's id, if it was given.
    ///   - reading: How its dates are read.
    ///   - naming: Makes the ids.
    ///   - timeZone: The zone of its times.
    /// - Returns: The conversation with all authors.
    func roster(
        title: String?, isNamedByApplication: Bool, id: ConversationID?, reading: DateReading, naming: HistoryNaming,
        timeZone: String?
    ) -> ConversationRoster {
        let bearsName = title.map { authors.count <= 2 && authors.contains($0) } ?? false
        let isDirect = bearsName || isOfTwo(title: title, isNamedByApplication: isNamedByApplication)
        let start = Timestamp(microseconds: 0)
        var naming = naming
        let name = bearsName ? "direct:" + authors.sorted().joined(separator: ",") : title ?? "chat"
        let ownID = "\(name)-\(beginning(reading, withText: title == nil))"
        let conversationID = id ?? naming.conversation(ownID)
        naming.scope = conversationID
        return ConversationRoster(
            conversation: Conversation(
                id: conversationID, kind: isDirect ? .direct : .group,
                name: bearsName || (isDirect && title == nil) ? nil : title ?? ownID, timeZone: timeZone,
                createdAt: start, updatedAt: start),
            members: authors.sorted().map {
                Member(userID: naming.user($0), displayName: WhatsAppHead.shownName($0), joinedAt: start)
            })
    }

    private func isOfTwo(title: String?, isNamedByApplication: Bool) -> Bool {
        guard authors.count == 2 else { return false }
        guard isNamedByApplication, let title else { return true }
        let isNumber = title.allSatisfy { $0.isNumber || "+-() \u{A0}\u{2011}".contains($0) }
        return isNumber || authors.contains { WhatsAppHead.shownName($0) == WhatsAppHead.shownName(title) }
    }

    /// A hash of the first message's minute and author.
    private func beginning(_ reading: DateReading, withText: Bool) -> String {
        let first = firsts.filter { authors.contains($0.key) }.min { $0.value.number < $1.value.number }
        guard let (author, (_, head)) = first else { return TextDigest.text("") }
        // Only some applications write seconds.
        let minute = reading.time(head).map { "\($0.seconds / 60)" } ?? "\(head.date.parts)"
        return TextDigest.text("\(minute) \(author)" + (withText ? ": \(head.text)" : ""))
    }

    /// The name of a chat, derived from the names of file, archive and folders: `WhatsApp Chat with Ada.txt`, `WhatsApp
    /// Chat - Team (2).zip`.
    ///
    /// - Parameters:
    ///   - names: The file's name, then those of the archive and the folders around it, without endings.
    ///   - fileCount: How many of them name the file or the archive itself; a folder's name counts only if it is that
    ///     of an export.
    /// - Returns: The chat's name; nil if no name contains it.
    static func title(_ names: [String], fileCount: Int) -> String? {
        for (index, name) in names.enumerated() {
            let name = InvisibleMarks.removed(name)
            let beginning = beginnings.first { name.hasPrefix($0) }
            guard beginning != nil || (index < fileCount && !emptyNames.contains(name.lowercased())) else { continue }
            let title = withoutCopyNumber(String(name.dropFirst(beginning?.count ?? 0))).trimmed()
            if !title.isEmpty { return title }
        }
        return nil
    }

    /// Whether one of the names is as the application names exports.
    static func isNamedByApplication(_ names: [String]) -> Bool {
        names.contains { name in beginnings.contains { InvisibleMarks.removed(name).hasPrefix($0) } }
    }

    /// Names of files that say nothing about the chat.
    private static let emptyNames: Set<String> = ["_chat", "chat", "whatsapp", "whatsapp chat", "export", ""]

    /// Without the number that a browser adds to a file that it saved before.
    private static func withoutCopyNumber(_ name: String) -> String {
        guard name.hasSuffix(")"), let open = name.lastIndex(of: "("), open > name.startIndex,
            name[name.index(after: open)...].dropLast().allSatisfy(\.isNumber)
        else { return name }
        return String(name[..<open])
    }

    /// How names of files begin, longer ones first.
    private static let beginnings = [
        "WhatsApp Chat with ", "WhatsApp Chat - ", "WhatsApp-Chat mit ", "WhatsApp Chat mit ", "Chat de WhatsApp con ",
        "Chat WhatsApp con ", "Discussion WhatsApp avec ", "Conversa do WhatsApp com ", "WhatsApp-chat met ",
        "WhatsApp Chat met ", "Чат WhatsApp с ", "Chat WhatsApp dengan ",
    ]
}

extension WhatsAppChat.Speaker {
    fileprivate mutating func add(_ content: WhatsAppNotice.Content, line: String?) {
        if content.isNotice {
            noticeCount += 1  // bounded: one for each line of a file
        } else if line.map(WhatsAppSpeech.isEvent) != true {
            otherCount += 1  // bounded: one for each line of a file
        }
        let isSent = content.isMediaLeftOut || content.isDeleted || content.attachment != nil
        let asks = !content.isNotice && (content.text.contains("?") || content.text.contains("://"))
        isPerson = isPerson || isSent || asks
    }
}
