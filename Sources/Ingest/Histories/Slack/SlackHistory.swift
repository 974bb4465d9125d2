import ChatCore

/// Reads the export of a Slack workspace: lists of people and conversations, then a file for each day of each channel.
///
/// A message's id is its `ts`, which is unique in its channel.
final class SlackHistory: HistoryReader {
    private let location: HistoryLocation
    /// The archive's top folder with its "/"; empty if there is none.
    private let prefix: String
    private let naming: HistoryNaming
    private var directory = SlackDirectory()
    private var walk: (any HistoryWalk)?
    private var day: Day?
    private var finishedByteCount = 0
    private let unknown = UnknownContent()
    private var told: Set<UserID> = []
    /// People who left a conversation and are no longer in it.
    private var departures: [ConversationID: [String: Timestamp]] = [:]
    /// When conversations were made private or public, by the latest notice: true for private.
    private var conversions: [ConversationID: (at: Timestamp, isPrivate: Bool)] = [:]

    /// A day of a channel that is being read.
    private struct Day: ~Copyable {
        let path: String
        let place: SlackDirectory.Place
        var stream: JSONStream
        var number = 0
    }

    var byteCount: Int { ByteSum.of(finishedByteCount, day?.stream.byteOffset ?? 0) }

    init(_ location: HistoryLocation, prefix: String, naming: HistoryNaming, areChannelsOpen: Bool) {
        self.location = location
        self.prefix = prefix
        self.naming = naming
        directory.areChannelsOpen = areChannelsOpen
    }

    /// The folder before the lists in a path; nil for a path that is not one of a list of people or channels.
    static func prefix(of path: String) -> String? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.last, parts.count <= 2, name == "users.json" || name == "channels.json" else {
            return nil
        }
        return String(path.dropLast(name.count))
    }

    func read(into items: inout [HistoryItem]) throws -> Bool {
        guard let walk else {
            try readLists(&items)
            self.walk = try location.walk()
            return true
        }
        if day != nil {
            readDay(&items)
            return true
        }
        guard let entry = try walk.next() else {
            tellChanges(&items)
            return false
        }
        begin(entry, of: walk, &items)
        return true
    }
}

// MARK: - Lists

extension SlackHistory {
    /// Reads the lists, people before conversations, and reports their items.
    private func readLists(_ items: inout [HistoryItem]) throws {
        var conversations: [(list: SlackDirectory.List, fields: JSONFields, place: HistoryPlace)] = []
        let walk = try location.walk()
        var lastDay = ""
        while let entry = try walk.next() {
            guard let path = entry.path, path.hasPrefix(prefix) else { continue }
            let name = String(path.dropFirst(prefix.count))
            if Self.isDay(entry.name) { lastDay = max(lastDay, String(entry.name.prefix(10))) }
            if SlackDirectory.userLists.contains(name) {
                try readList(walk, path, &items) { fields, _ throws(ImportLineError) in
                    try directory.addPerson(fields)
                }
            } else if let list = SlackDirectory.List(rawValue: name) {
                try readList(walk, path, &items) { fields, place throws(ImportLineError) in
                    conversations.append((list, fields, place))
                }
            }
        }
        directory.listedAt = HistoryTime.moment(iso8601: "\(lastDay)T00:00:00Z").map { $0 + .seconds(86_400) }
        for (list, fields, place) in conversations {
            do throws(ImportLineError) {
                if let fault = try directory.addConversation(fields, of: list, naming: naming) { throw fault }
            } catch {
                items.append(HistoryItem(content: .rejected(reason: error.reason), place: place))
            }
        }
        let place = HistoryPlace(unit: .item)
        items += directory.authors(naming: naming).map { HistoryItem(content: .author($0), place: place) }
        items += directory.rosters.map { HistoryItem(content: .roster($0), place: place) }
        items += directory.unclear.map { _ in HistoryItem(content: .noted(ImportNote(.membersOnly)), place: place) }
        told = Set(directory.people.keys.map(naming.user))
    }

    private func readList(
        _ source: any ByteSource, _ path: String, _ items: inout [HistoryItem],
        _ take: (JSONFields, HistoryPlace) throws(ImportLineError) -> Void
    ) throws {
        var stream = JSONStream(document: source)
        var number = 0
        do {
            try stream.beginArray()
            while let element = try stream.nextElement() {
                number += 1
                let place = HistoryPlace(entry: path, number: number, unit: .item)
                do throws(ImportLineError) {
                    switch element {
                    case .fields(let fields): try take(fields, place)
                    case .rejected(let error): throw error
                    }
                } catch {
                    items.append(HistoryItem(content: .rejected(reason: error.reason), place: place))
                }
            }
        } catch let error as JSONStreamError {
            let place = HistoryPlace(entry: path, unit: .item)
            items.append(HistoryItem(content: .rejected(reason: error.reason), place: place))
        }
    }
}

// MARK: - Days

extension SlackHistory {
    /// Begins a file; a file that is not a day of a known conversation is skipped.
    private func begin(_ entry: HistoryEntry, of walk: any HistoryWalk, _ items: inout [HistoryItem]) {
        guard let path = entry.path, path.hasPrefix(prefix) else { return passOver(entry) }
        let name = path.dropFirst(prefix.count)
        let parts = name.split(separator: "/").map(String.init)
        guard parts.count == 2, Self.isDay(parts[1]) else {
            passOver(entry)
            let isList =
                SlackDirectory.userLists.contains(String(name))
                || SlackDirectory.List(rawValue: String(name)) != nil
            if !isList {
                items.append(HistoryItem(content: .skipped(.otherFile), place: HistoryPlace(entry: path, unit: .item)))
            }
            return
        }
        guard let place = directory.folders[parts[0]] else {
            passOver(entry)
            let reason = "the folder of a conversation that no list names"
            items.append(
                HistoryItem(content: .rejected(reason: reason), place: HistoryPlace(entry: path, unit: .item)))
            return
        }
        day = Day(path: path, place: place, stream: JSONStream(document: walk))
        do {
            try day?.stream.beginArray()
        } catch {
            endDay(error, &items)
        }
    }

    /// Counts bytes that need not be read as read.
    private func passOver(_ entry: HistoryEntry) {
        finishedByteCount = ByteSum.of(finishedByteCount, entry.byteCount ?? 0)
    }

    /// Whether a name is like `2025-10-23.json`.
    static func isDay(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        guard bytes.count == 15, name.hasSuffix(".json") else { return false }
        return bytes[..<10].enumerated().allSatisfy { index, byte in
            index == 4 || index == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
        }
    }

    private func readDay(_ items: inout [HistoryItem]) {
        do {
            for _ in 0..<64 {
                guard let element = try day?.stream.nextElement() else {
                    // The file contains only the list.
                    _ = try day?.stream.next()
                    return endDay(nil, &items)
                }
                day?.number += 1
                read(element, &items)
            }
        } catch {
            endDay(error, &items)
        }
    }

    private func endDay(_ error: (any Error)?, _ items: inout [HistoryItem]) {
        let place = HistoryPlace(entry: day?.path, unit: .item)
        finishedByteCount = ByteSum.of(finishedByteCount, day?.stream.byteOffset ?? 0)
        day = nil
        if let error {
            let reason = (error as? JSONStreamError)?.reason ?? "cannot be read"
            items.append(HistoryItem(content: .rejected(reason: reason), place: place))
        }
    }

    private func read(_ element: JSONListElement, _ items: inout [HistoryItem]) {
        guard let conversation = day?.place else { return }
        let place = HistoryPlace(entry: day?.path, number: day?.number, unit: .item)
        do throws(ImportLineError) {
            guard case .fields(let fields) = element else {
                if case .rejected(let error) = element { throw error }
                return
            }
            directory.rememberNames(of: fields)
            recordConversion(fields, of: conversation.id)
            let message = SlackMessage(directory: directory, naming: naming, unknown: unknown)
            defer { items += unknown.take().map { HistoryItem(content: $0, place: place) } }
            switch try message.read(fields, in: conversation.id) {
            case .message(let message, let author, let deletedAt):
                if told.insert(author.userID).inserted {
                    var author = author
                    author.kind = directory.kindOfUnlisted(
                        isBot: author.isBot || author.userID == naming.user("USLACKBOT"))
                    items.append(HistoryItem(content: .author(author), place: place))
                }
                items.append(HistoryItem(content: .message(message, deletedAt: deletedAt), place: place))
            case .departure(let user, let moment):
                items.append(HistoryItem(content: .skipped(.notice), place: place))
                guard !conversation.members.contains(user) else { return }
                let known = departures[conversation.id]?[user] ?? moment
                departures[conversation.id, default: [:]][user] = max(known, moment)
            case .skipped(let reason): items.append(HistoryItem(content: .skipped(reason), place: place))
            }
        } catch {
            items.append(HistoryItem(content: .rejected(reason: error.reason), place: place))
        }
    }

    private func recordConversion(_ fields: JSONFields, of conversation: ConversationID) {
        let kinds = ["channel_convert_to_private": true, "channel_convert_to_public": false]
        guard let isPrivate = fields.text("subtype").flatMap({ kinds[$0] }),
            let moment = fields.id("ts").flatMap(SlackMessage.moment)
        else { return }
        if let known = conversions[conversation], known.at > moment { return }
        conversions[conversation] = (moment, isPrivate)
    }

    /// Reports what only the messages tell: who left, earlier names, and that a channel was made private.
    private func tellChanges(_ items: inout [HistoryItem]) {
        for var roster in directory.rosters {
            let id = roster.conversation.id
            let isNarrowed = roster.conversation.visibility == .everyone && conversions[id]?.isPrivate == true
            if isNarrowed { roster.conversation.visibility = .members }
            let created = roster.conversation.createdAt
            let left = departures[id] ?? [:]
            let renamed = (directory.memberIDs[id] ?? []).filter(directory.hasNewNames)
            guard isNarrowed || !left.isEmpty || !renamed.isEmpty else { continue }
            // The list is not complete.
            roster.listedAt = nil
            tellAuthors(left.keys, &items)
            roster.members =
                left.sorted { $0.key < $1.key }.map { user, moment in
                    directory.member(of: user, since: min(created, moment), left: moment, naming: naming)
                } + renamed.sorted().map { directory.member(of: $0, since: created, naming: naming) }
            items.append(HistoryItem(content: .roster(roster), place: HistoryPlace(unit: .item)))
        }
        departures = [:]
    }

    private func tellAuthors(_ users: some Sequence<String>, _ items: inout [HistoryItem]) {
        for user in users.sorted() where told.insert(naming.user(user)).inserted {
            let author = naming.author(user, name: nil, kind: directory.kindOfUnlisted(isBot: false))
            items.append(HistoryItem(content: .author(author), place: HistoryPlace(unit: .item)))
        }
    }
}
