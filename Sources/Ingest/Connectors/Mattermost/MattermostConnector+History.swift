import ChatCore
import Foundation
import Histories
import Synchronization

extension MattermostConnector {
    /// Reads one page of each channel whose history is not complete.
    ///
    /// - Returns: Whether there was one.
    func readHistories() async throws -> Bool {
        let unfinished = try await rooms.unfinished()
        for room in unfinished {
            do {
                try await readPage(of: room.id)
            } catch let error as ConnectorError where error.isAboutMembership {
                try await rooms.close(room.id, readAt: now())
            }
            // What is written now does not wait for histories.
            if state.withLock({ !$0.touched.isEmpty }) { return true }
        }
        return !unfinished.isEmpty
    }

    /// Reads the next page of a channel's history towards its beginning, and stores it with the place where it ends.
    private func readPage(of id: String) async throws {
        guard let room = try await rooms.room(id) else { return }
        let start = MattermostProgress(room.progress)
        var query = [("per_page", "\(settings.pageSize)"), ("page", "\(start.page)"), ("skipFetchThreads", "true")]
        if let before = start.before { query.append(("before", before)) }
        let list = try MattermostPosts(
            try await client.call("GET", ["channels", id, "posts"], query: query, patience: .seconds(3_600)))
        if list.count == 0, let before = start.before, try await isGone(before) {
            // The place was deleted for good, and the server finds nothing before it.
            return try await rooms.update(id) { ($0.before, $0.page) = (nil, 0) }
        }
        var page = try await page(list, of: id)
        page.isHistory = true
        let isComplete = !list.hasEarlier && list.count < settings.pageSize
        let changedUntil = try await changedUntil(list, in: id)
        try await rooms.take(page) { progress in
            // Nexus came back meanwhile, and begins again.
            guard (progress.before, progress.page) == (start.before, start.page) else { return false }
            if start.before == nil, start.page == 0 { progress.changedUntil = changedUntil }
            progress.isComplete = isComplete
            if !isComplete { Self.advance(&progress, after: list.posts) }
            return true
        }
    }

    /// Moves on after a page.
    ///
    /// The server returns posts of an earlier millisecond than the given one. A page can end between two posts of one
    /// millisecond, so the last millisecond of the page is read again.
    private static func advance(_ progress: inout MattermostProgress, after posts: [MattermostPost]) {
        let oldest = posts.map(\.createdAt).min()
        if let place = posts.last(where: { $0.createdAt != oldest }) {
            (progress.before, progress.page) = (place.id, 0)
        } else {
            progress.page += 1
        }
    }

    /// The time from which changes are read after the first page of a history: no later change has an earlier time.
    private func changedUntil(_ list: MattermostPosts, in channel: String) async throws -> Int64 {
        let created = state.withLock { $0.channels[channel]?.createdAt.milliseconds ?? 0 }
        return max(1, list.posts.map(\.changedAt.milliseconds).max() ?? created)
    }

    /// Reads the posts that changed since the last time: new, edited and deleted ones, and those with other reactions.
    func readChanges(of id: String) async throws {
        guard let room = try await rooms.room(id), !room.isErased else { return }
        let progress = MattermostProgress(room.progress)
        guard !progress.hasLeft, let stored = progress.changedUntil else { return }
        let until = max(stored, state.withLock { $0.seenUntil[id] } ?? stored)
        let (seconds, attoseconds) = settings.overlap.components
        let since = max(1, until - seconds * 1_000 - attoseconds / 1_000_000_000_000_000)
        let list = try MattermostPosts(
            try await client.call(
                "GET", ["channels", id, "posts"], query: [("since", "\(since)"), ("skipFetchThreads", "true")]))
        guard list.count < settings.changeLimit else {
            // Any of the changes may be missing.
            try await rooms.update(id) { progress in
                (progress.before, progress.page, progress.isComplete) = (nil, 0, false)
                (progress.checkedUntil, progress.mustCheck) = (nil, true)
            }
            return state.withLock { _ = $0.unchecked.insert(id) }
        }
        let latest = list.posts.map(\.changedAt.milliseconds).max() ?? until
        try await rooms.take(try await page(list, of: id)) { progress in
            progress.changedUntil = max(until, latest)
            return true
        }
        if let newest = list.posts.map(\.createdAt).max(), latest > until { status.stored(newest, at: now()) }
    }

    private func page(_ list: MattermostPosts, of channel: String) async throws -> ConnectorPage {
        try await knowAuthors(of: list.posts)
        guard let mapping = try await mapping(of: channel) else { throw ConnectorError.unreadable }
        var page = mapping.page(list.posts, isWhole: true)
        page.events += list.unreadable.map { ConnectorEvent(id: $0, kind: .unsupported) }
        return page
    }

    /// Whether a post does not exist; the server says the same of a deleted one.
    private func isGone(_ post: String) async throws -> Bool {
        do {
            try await client.call("GET", ["posts", post])
            return false
        } catch let error as ConnectorError where error.isAboutAbsence {
            return true
        }
    }
}

// MARK: - What the server never tells

extension MattermostConnector {
    /// Compares stored posts with the server, because posts that were removed for good are in no list of changes.
    ///
    /// After each comparison it reads some posts of each channel, and all of them if changes may have been missed.
    func checkStored() async throws {
        for id in state.withLock({ $0.unchecked.sorted() }) {
            guard let room = try await rooms.room(id), !room.isErased else { continue }
            let progress = MattermostProgress(room.progress)
            // The history is read first.
            if progress.mustCheck, !progress.isComplete, !progress.hasLeft { continue }
            if progress.isComplete, !progress.hasLeft {
                do {
                    while try await checkPage(of: id) {}
                } catch let error as ConnectorError where error.isAboutMembership {
                    try await rooms.close(id, readAt: now())
                }
            }
            state.withLock { _ = $0.unchecked.remove(id) }
        }
    }

    /// Compares the next stored posts of a channel; returns whether to go on at once.
    private func checkPage(of id: String) async throws -> Bool {
        guard let room = try await rooms.room(id), let mapping = try await mapping(of: id) else { return false }
        let progress = MattermostProgress(room.progress)
        let stored = try await store.connectorMessages(
            in: id, of: MattermostSettings.source, after: progress.checkedUntil, limit: settings.checkSize)
        let isEnd = stored.count < settings.checkSize
        var page = ConnectorPage(source: MattermostSettings.source, room: id)
        if !stored.isEmpty {
            let found = try await client.list(
                "POST", ["posts", "ids"], body: .array(stored.map { .string($0.rawValue) })
            ).compactMap { MattermostPost($0) }
            try await knowAuthors(of: found)
            page = mapping.page(found.filter { !$0.isDeleted }, isWhole: true)
            let present = Set(found.filter { !$0.isDeleted }.map { naming.message($0.id) })
            for message in stored where !present.contains(message) {
                // A post that may not be read is not in the list either.
                guard try await isGone(message.rawValue) else { continue }
                page.messages.append(ConnectorMessage(id: message, message: nil, readAt: now()))
            }
        }
        let last = stored.last?.rawValue
        try await rooms.take(page) { progress in
            progress.checkedUntil = isEnd ? nil : last
            if isEnd { progress.mustCheck = false }
            return true
        }
        return progress.mustCheck && !isEnd
    }
}
