import ChatCore
import Histories
import Logging
import Synchronization

extension SlackConnector {
    private typealias Reading = SlackProgress.Reading

    /// Reads one page of each history and check that is not complete, in turn: under a strict limit each channel gets
    /// its next page before another one gets two.
    ///
    /// - Returns: Whether one was read.
    /// - Throws: ``ConnectorError/limited(until:)`` if only a limit kept it from reading.
    func readHistories() async throws -> Bool {
        var (hasRead, limit): (Bool, Timestamp?) = (false, nil)
        for (id, reading) in try await readings() {
            guard let room = try await rooms.room(id), let place = SlackProgress(room.progress)[reading] else {
                continue
            }
            do {
                try await readPage(of: id, reading, place)
                hasRead = true
                state.withLock { $0.lastReading = (id, reading) }
            } catch ConnectorError.limited(let end) {
                limit = min(limit ?? end, end)
            } catch let error as ConnectorError where error.isAboutMembership {
                try await rooms.close(id, readAt: now())
            } catch let error as ConnectorError {
                guard case .refused = error, !error.isAboutToken else { throw error }
                logger.warning("Slack refuses to send the messages of a channel", metadata: ["error": "\(error)"])
                state.withLock { _ = $0.refused.insert(id) }
            }
            // Members come first.
            if state.withLock({ !$0.touched.isEmpty || $0.hasGap }) { return true }
        }
        if !hasRead, let limit { throw ConnectorError.limited(until: limit) }
        return hasRead
    }

    /// The readings that are not complete, those after the last one first.
    private func readings() async throws -> [(String, Reading)] {
        let (refused, last) = state.withLock { ($0.refused, $0.lastReading) }
        let all = try await rooms.all().filter { !$0.isErased && !refused.contains($0.id) }.flatMap { room in
            let progress = SlackProgress(room.progress)
            return Reading.allCases.filter { !progress.hasLeft && progress[$0] != nil }.map { (room.id, $0) }
        }
        guard let last else { return all }
        let next = all.firstIndex { ($0.0, $0.1.rawValue) > (last.0, last.1.rawValue) } ?? 0
        return Array(all[next...] + all[..<next])
    }

    private func readPage(of id: String, _ reading: Reading, _ place: SlackProgress.Place) async throws {
        state.withLock { $0.reacted = [] }
        do {
            if let root = place.threads.first {
                try await readThread(root, of: id, reading, place)
            } else {
                try await readMessages(of: id, reading, place)
            }
        } catch ConnectorError.refused(_, "invalid_cursor") {
            try await rooms.update(id) { progress in
                guard progress[reading] == place else { return }
                var begin = place
                (begin.cursor, begin.reply) = (nil, nil)
                progress[reading] = begin
            }
        }
    }

    /// Reads the next page of messages that are no replies, towards the beginning of a channel.
    private func readMessages(of id: String, _ reading: Reading, _ place: SlackProgress.Place) async throws {
        var query = [("channel", id), ("limit", "\(settings.pageSize)"), ("include_all_metadata", "true")]
        if let before = place.before { query.append(("latest", before)) }
        if let cursor = place.cursor { query.append(("cursor", cursor)) }
        let begin = now()
        let reply = try await client.read("conversations.history", query, patience: .zero)
        let messages = reply.objects("messages")
        let ids = messages.compactMap { $0.text("ts") }
        let cursor = SlackClient.nextCursor(reply)
        let isEnd = cursor == nil && !reply.isTrue("has_more")
        let oldest = ids.min()
        var page = try await page(messages, of: id)
        page.isHistory = reading == .history
        var replied = Set(messages.filter { ($0.integer("reply_count") ?? 0) > 0 }.compactMap { $0.text("ts") })
        // What Slack hides from workspaces without a plan is not deleted.
        let end = isEnd && !reply.isTrue("is_limited") ? "" : oldest
        var hasYoung = false
        if let end {
            let stored = try await store.connectorMessages(
                in: id, of: SlackSettings.source, inThread: nil, after: end,
                before: place.before ?? SlackReading.text(begin))
            let present = Set(ids.map(naming.message))
            replied.formUnion(
                stored.compactMap(\.threadRootID).filter(present.contains).map(\.rawValue))
            let absent = stored.filter { !present.contains($0.threadRootID ?? $0.id) }
            hasYoung = delete(absent, at: begin, &page)
        }
        let (threads, isYoung, checkedAt) = (replied.sorted(by: >), hasYoung, now().microseconds)
        try await rooms.take(page) { progress in
            // Nexus came back meanwhile, or something was missed, and reading begins again.
            guard progress[reading] == place else { return false }
            var next = SlackProgress.Place(before: oldest ?? place.before, threads: threads, isLast: isEnd)
            if oldest == nil { next.cursor = cursor }
            // The history is read up to here, with what it has before.
            if reading == .check, let begin = progress.history?.before, let oldest, oldest <= begin {
                next.isLast = true
            }
            Self.set(next, reading, &progress, at: checkedAt)
            if isYoung { progress.checkedAt = nil }
            return true
        }
    }

    /// Deletes messages that a page does not have; returns whether some are too young for that.
    private func delete(_ absent: [ConnectorPlace], at moment: Timestamp, _ page: inout ConnectorPage) -> Bool {
        let settled = SlackReading.text(moment + (.zero - settings.settlingTime))
        let old = absent.filter { $0.id.rawValue < settled }
        page.messages += old.map { ConnectorMessage(id: $0.id, message: nil, readAt: moment) }
        return old.count < absent.count
    }

    /// Reads the next page of the replies in a thread, from the first to the last.
    private func readThread(
        _ root: String, of id: String, _ reading: Reading, _ place: SlackProgress.Place
    ) async throws {
        var query = [
            ("channel", id), ("ts", root), ("limit", "\(settings.pageSize)"), ("include_all_metadata", "true"),
        ]
        if let cursor = place.cursor { query.append(("cursor", cursor)) }
        let begin = now()
        var (next, hasYoung) = (place, false)
        var page = ConnectorPage(source: SlackSettings.source, room: id)
        do {
            let reply = try await client.read("conversations.replies", query, patience: .zero)
            // Each page begins with the first message of the thread.
            let replies = reply.objects("messages").filter { $0.text("ts") != root }
            let ids = replies.compactMap { $0.text("ts") }
            page = try await self.page(replies, of: id)
            next.cursor = SlackClient.nextCursor(reply)
            next.reply = ids.max() ?? place.reply
            let stored = try await store.connectorMessages(
                in: id, of: SlackSettings.source, inThread: naming.message(root), after: place.reply ?? "",
                before: next.cursor == nil ? SlackReading.text(begin) : next.reply ?? "")
            let present = Set(ids.map(naming.message))
            hasYoung = delete(stored.filter { !present.contains($0.id) }, at: begin, &page)
        } catch ConnectorError.refused(_, "thread_not_found") {
            // It was deleted a moment ago.
            next.cursor = nil
        }
        page.isHistory = reading == .history
        if next.cursor == nil {
            next.threads.removeFirst()
            next.reply = nil
        }
        let (reached, isYoung, checkedAt) = (next, hasYoung, now().microseconds)
        try await rooms.take(page) { progress in
            guard progress[reading] == place else { return false }
            Self.set(reached, reading, &progress, at: checkedAt)
            if isYoung { progress.checkedAt = nil }
            return true
        }
    }

    /// Moves a reading on, or ends it.
    private static func set(
        _ place: SlackProgress.Place, _ reading: Reading, _ progress: inout SlackProgress, at moment: Int64
    ) {
        progress[reading] = place.isLast && place.threads.isEmpty ? nil : place
        if reading == .history, progress.isComplete { progress.checkedAt = moment }
    }

    private func page(_ messages: [JSONFields], of channel: String) async throws -> ConnectorPage {
        await knowNames(of: messages)
        guard let mapping = try await mapping(of: channel) else { throw ConnectorError.unreadable }
        let reacted = state.withLock { $0.reacted }
        let (page, authors) = mapping.page(messages) { !reacted.contains(channel + "/" + $0) }
        try await storeAuthors(authors)
        return page
    }
}
