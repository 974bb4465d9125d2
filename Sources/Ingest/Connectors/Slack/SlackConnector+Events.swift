import ChatCore
import Foundation
import Histories
import Synchronization

extension SlackConnector {
    /// Opens a live connection, and takes its events until it ends.
    ///
    /// Slack asks for a new connection every few hours, before it closes the former one. Both are read for a while, so
    /// nothing is missed. After any other end everything is compared.
    ///
    /// - Throws: ``ConnectorError``, ``RepositoryError``, `CancellationError`, or an error of the connection.
    package func follow() async throws {
        _ = try await identity()
        defer { state.withLock { $0.isLive = false } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            var isFirst = true
            while true {
                let socket = try await open()
                if isFirst { begin() }
                isFirst = false
                guard try await read(socket) else {
                    await socket.close()
                    return group.cancelAll()
                }
                group.addTask { try await self.drain(socket) }
            }
        }
    }

    private func open() async throws -> any ConnectorSocket {
        let address = try await client.openConnection()
        let isProtected = address.hasPrefix("wss://")
        guard isProtected || settings.url.hasPrefix("http://") && address.hasPrefix("ws://") else {
            throw ConnectorError.unreadable
        }
        return try await sockets.open(address, headers: [:])
    }

    /// Whatever happened before may have been missed.
    private func begin() {
        state.withLock { state in
            (state.fresh, state.hasGap) = ([], true)
        }
        work.signal()
    }

    /// Takes the messages of a connection; returns whether Slack asked for a new one.
    private func read(_ socket: any ConnectorSocket) async throws -> Bool {
        do {
            while let text = try await socket.next() {
                guard let end = try await take(text, socket) else { continue }
                if end == "link_disabled" || end == "too_many_websockets" { return false }
                return true
            }
            return false
        } catch {
            await socket.close()
            throw error
        }
    }

    /// Takes what still comes on a connection that Slack is about to close.
    private func drain(_ socket: any ConnectorSocket) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while let text = try? await socket.next() { _ = try await self.take(text, socket) }
            }
            group.addTask { try await Task.sleep(for: self.settings.drainTime) }
            try await group.next()
            group.cancelAll()
            await socket.close()
        }
    }

    /// Takes a message of a connection; returns the reason if the connection is to be replaced.
    private func take(_ text: String, _ socket: any ConnectorSocket) async throws -> String? {
        guard let message = JSONFields(object: try? JSONParser.parse(Array(text.utf8))) else { return nil }
        switch message.text("type") {
        case "hello": state.withLock { $0.isLive = true }
        case "disconnect": return message.text("reason") ?? "unknown"
        default: break
        }
        guard let envelope = message.text("envelope_id") else { return nil }
        // Slack sends again what is not acknowledged within three seconds, whatever its type.
        let reply = JSONValue.object(["envelope_id": .string(envelope)])
        try await socket.send(String(decoding: try JSONEncoder().encode(reply), as: UTF8.self))
        guard let payload = message.object("payload"), let event = payload.object("event"),
            try await isOurs(payload)
        else { return nil }
        if let id = payload.text("event_id"), !state.withLock({ $0.taken.insert(id) }) { return nil }
        try await take(event)
        return nil
    }

    /// Whether an event is for our workspace: an app-level token gets those of all workspaces with the app.
    func isOurs(_ payload: JSONFields) async throws -> Bool {
        let identity = try await identity()
        let teams = payload.objects("authorizations").compactMap { $0.text("team_id") }
        if !teams.isEmpty { return teams.contains(identity.team) }
        return payload.text("team_id").map { $0 == identity.team } ?? true || payload.isTrue("is_ext_shared_channel")
    }

    func take(_ event: JSONFields) async throws {
        let channel = Self.channel(of: event)
        switch event.text("type") {
        case "message", "app_mention":
            if let channel { try await takeMessage(event, in: channel) }
        case "reaction_added", "reaction_removed": try await takeReaction(event)
        case "member_left_channel":
            if let person = event.text("user"), let channel { try await remove(person, from: [channel]) }
        case "channel_left", "group_left":
            if let channel { try await remove(try await identity().userID, from: [channel]) }
        case "channel_deleted", "group_deleted":
            if let channel { try await rooms.close(channel, readAt: now()) }
        case "member_joined_channel", "channel_rename", "group_rename", "channel_archive", "group_archive",
            "channel_unarchive", "group_unarchive", "channel_shared", "channel_unshared", "im_created":
            if let channel { touch(channel) }
        case "channel_id_changed":
            for key in ["old_channel_id", "new_channel_id"] {
                if let channel = event.text(key) { touch(channel) }
            }
        case "user_change", "user_profile_changed", "team_join":
            if let person = event.object("user").flatMap({ SlackPerson($0) }) { try await takeChange(of: person) }
        case "tokens_revoked", "app_uninstalled":
            state.withLock { $0.hasGap = true }
            work.signal()
        default: break
        }
    }

    /// The channel that an event is about: an id, or an object with one.
    private static func channel(of event: JSONFields) -> String? {
        event.text("channel") ?? event.object("channel")?.text("id")
    }
}

// MARK: - Messages

extension SlackConnector {
    /// Whether messages of a channel can be stored: its members are those of Slack.
    ///
    /// They are read first if they may have changed.
    private func isReady(_ channel: String) async throws -> Bool {
        if !state.withLock({ $0.fresh.contains(channel) }) {
            state.withLock { _ = $0.touched.remove(channel) }
            do {
                try await refresh(channel)
            } catch is ConnectorError {
                // The message is read with the members, as soon as Slack answers again.
                state.withLock { $0.hasGap = true }
                touch(channel)
                return false
            }
        }
        let progress = try await rooms.room(channel).map { SlackProgress($0.progress) }
        return state.withLock { $0.fresh.contains(channel) } && progress.map { !$0.hasLeft } ?? false
    }

    /// Takes a message, or its present state, or its deletion.
    private func takeMessage(_ event: JSONFields, in channel: String) async throws {
        if event.text("subtype") == "message_deleted" { return try await takeDeletion(event, in: channel) }
        guard try await isReady(channel) else { return }
        // An edited message, and a first message with another number of replies, is inside.
        let message = event.object("message") ?? event
        await knowNames(of: [message])
        guard let mapping = try await mapping(of: channel) else { return }
        let (page, authors) = mapping.page([message]) { _ in false }
        try await storeAuthors(authors)
        try await store.take(page, at: now())
        if event.object("message") == nil {
            status.stored(event.text("ts").flatMap { SlackReading.moment($0) }, at: now())
        }
    }

    /// Deletes a message at once.
    private func takeDeletion(_ event: JSONFields, in channel: String) async throws {
        guard let id = event.text("deleted_ts"), try await rooms.room(channel) != nil else { return }
        guard let mapping = try await mapping(of: channel) else {
            state.withLock { $0.hasGap = true }
            return touch(channel)
        }
        if let former = event.object("previous_message"), mapping.isOwn(former) { return }
        var page = ConnectorPage(source: SlackSettings.source, room: channel)
        mapping.addDeletion(of: id, to: &page)
        try await store.take(page, at: now())
    }

    private func takeReaction(_ event: JSONFields) async throws {
        guard let item = event.object("item"), let channel = item.text("channel"), let id = item.text("ts"),
            let user = event.text("user"), let name = event.text("reaction"), try await isReady(channel)
        else { return }
        let emoji = EmojiName.reaction(name)
        guard TextLimit.name.admits(emoji) else { return }
        state.withLock { _ = $0.reacted.insert(channel + "/" + id) }
        var page = ConnectorPage(source: SlackSettings.source, room: channel)
        page.reactionChanges = [
            ConnectorEvent.ReactionChange(
                target: naming.message(id),
                reaction: ConnectorEvent.Reaction(authorID: naming.user(user), emoji: emoji),
                isRemoved: event.text("type") == "reaction_removed")
        ]
        try await store.take(page, at: now())
    }

    /// Asks for the authors of messages who are not known; without an answer messages show their ids.
    func knowNames(of messages: [JSONFields]) async {
        let authors = messages.filter { $0.text("bot_id") == nil }.compactMap { $0.text("user") }
        try? await knowUsers(authors)
    }

    /// Stores authors that are in no list: bots without an account.
    func storeAuthors(_ authors: [Identity]) async throws {
        let reading = state.withLock { $0.reading }
        let prefix = naming.user("").rawValue
        let unknown = authors.filter { reading?.person(String($0.externalID.dropFirst(prefix.count))) == nil }
        guard !unknown.isEmpty else { return }
        try await store.storeAuthors(
            unknown.map { author in
                var author = author
                if author.isBot { author.kind = .bot }
                return author
            }, connectedTo: SlackSettings.source, at: now())
    }
}

// MARK: - People

extension SlackConnector {
    /// Ends memberships at once; the next list of Slack decides again.
    private func remove(_ person: String, from channels: [String]) async throws {
        let identity = try await identity()
        for channel in channels {
            if person == identity.userID {
                try await rooms.removeAll(from: channel, readAt: now())
            } else {
                let name = state.withLock { $0.reading?.person(person)?.shownName } ?? person
                try await rooms.remove(naming.user(person), named: TextLimit.name.cut(name), from: channel)
            }
            touch(channel)
        }
    }

    /// Follows another name or kind of a person; one whose account was deactivated reads nothing from now on.
    private func takeChange(of person: SlackPerson) async throws {
        let known = state.withLock { $0.reading?.person(person.id) }
        let wasActive = known?.isDeactivated == false
        try await know([known.map(person.continuing) ?? person])
        if person.isDeactivated, wasActive { try await remove(person.id, from: try await rooms.all().map(\.id)) }
    }
}
