import NexusModel

/// What is kept on this device.
extension NexusSession {
    /// Shows what is stored: conversations, drafts, and what was not sent.
    ///
    /// ``run()`` calls it; it works without a connection.
    ///
    /// - Throws: ``SessionError/storage(_:)``.
    public func restore() async throws(SessionError) {
        guard !isRestored else { return }
        let contents: MessageStore.Contents
        do throws(StoreError) { contents = try await store.contents(user: user) } catch { throw .storage(error) }
        guard !isRestored, !isEnding else { return }
        isRestored = true
        state = contents.state
        drafts.merge(contents.drafts) { own, _ in own }
        readMarks.merge(contents.marks) { own, _ in own }
        if state.cursor != nil { report(.restarted) }
        for message in contents.outgoing where !isKnown(message.localId) { track(message) }
        for change in contents.changes where !isKnown(change.id) { track(change) }
        if let id = openConversation { await showStored(id) }
    }

    /// Signs out: removes everything from this device, also what was not sent, and ends the session on the server.
    ///
    /// A device that ``registerForPush(_:)`` registered gets nothing more. Without a connection the server is not told:
    /// then the session ends there when it was not used for too long.
    ///
    /// - Returns: Whether the session has ended on the server.
    /// - Throws: ``SessionError/storage(_:)`` if the file could not be removed; the session has ended all the same.
    @discardableResult
    public func signOut() async throws(SessionError) -> Bool {
        set(.signedOut(.person))
        isEnding = true
        for bell in bells.values { bell.yield() }
        let (kept, device, socket) = (token, try? await store.pushDevice(), socket)
        state = ChatState(userID: nil)
        // What was asked for before belongs to nobody now.
        snapshotCount += 1
        (outgoing, unconfirmed, changes, drafts, readMarks) = ([:], [:], [:], [:], [:])
        (unstored, made, openConversation, watched, token) = ([:], [:], nil, [], nil)
        report(.restarted)
        let result: Result<Void, StoreError>
        do throws(StoreError) { result = .success(try await store.erase()) } catch { result = .failure(error) }
        await socket?.close()
        var isEnded = true
        if let device { isEnded = await remove(pushDevice: device, kept) }
        if let tokens { isEnded = await tokens.endSession() && isEnded }
        if case .failure(let error) = result { throw .storage(error) }
        return isEnded
    }

    /// Ends the registration of a device after the session has ended here.
    private func remove(pushDevice id: String, _ kept: String?) async -> Bool {
        var (token, refused) = (kept, nil as String?)
        while true {
            var request = ClientRequest("DELETE", "/v1/devices/\(Self.encoded(id))", timeout: Self.endTimeout)
            request.headers["X-Nexus-User"] = user
            if let tokens, token == nil { token = try? await tokens.token(replacing: refused) }
            request.headers["Authorization"] = token.map { "Bearer \($0)" }
            guard let response = try? await transport.send(request) else { return false }
            guard response.status == 401, refused == nil, let old = token else { return response.status < 500 }
            (refused, token) = (old, nil)
        }
    }

    /// How long signing out waits for the server.
    private static let endTimeout = Duration.seconds(10)

    /// Keeps what the person has begun to write; nil or an empty text removes it.
    ///
    /// - Throws: ``SessionError/storage(_:)``; ``SessionError/signedOut(_:)`` after ``signOut()``.
    public func setDraft(_ draft: Draft?, in conversation: String) async throws(SessionError) {
        let draft = draft.flatMap { $0.text.isEmpty && $0.replyTo == nil ? nil : $0 }
        guard !isEnding else { throw .signedOut(.person) }
        guard drafts[conversation] != draft else { return }
        drafts[conversation] = draft
        do throws(StoreError) { try await store.set(draft, in: conversation) } catch { throw .storage(error) }
    }

    /// Finds stored messages that have a word with each of the beginnings in `text`, newest first; without the server.
    ///
    /// - Throws: ``SessionError/storage(_:)``.
    public func searchStored(
        _ text: String, in conversation: String? = nil, limit: Int = 50
    ) async throws(SessionError) -> [StoredMatch] {
        do throws(StoreError) {
            return try await store.search(text, in: conversation, limit: limit)
        } catch {
            throw .storage(error)
        }
    }
}

/// Reading.
extension NexusSession {
    /// Marks a message and all earlier ones as read, soon and together with others, also after a restart.
    public func markRead(_ message: String, in conversation: String) async {
        guard !isMarked(message, in: conversation), !isEnding else { return }
        readMarks[conversation] = message
        try? await store.set(mark: message, in: conversation)
        readWork.continuation.yield()
    }

    /// Whether a mark at this message or a later one waits already.
    private func isMarked(_ message: String, in conversation: String) -> Bool {
        guard let mark = readMarks[conversation] else { return false }
        let messages = state.conversations[conversation]?.messages ?? []
        guard mark != message, let marked = messages.last(where: { $0.id == mark }),
            let next = messages.last(where: { $0.id == message })
        else { return mark == message }
        return next.precedes(marked)
    }

    /// Sends marks, 800 ms after the first of several calls.
    func sendReadMarks() async {
        for await _ in readWork.stream {
            guard (try? await timing.sleep(.milliseconds(800))) != nil else { return }
            guard connection.isConnected else { continue }
            let marks = readMarks
            readMarks = [:]
            for (conversation, message) in marks.sorted(by: { $0.key < $1.key }) {
                do throws(SessionError) {
                    try await change("POST", path(conversation, "read"), ["upTo": message])
                } catch {
                    // Another connection tries again.
                    if error.isTransient || error.isSignedOut {
                        if !isEnding, readMarks[conversation] == nil { readMarks[conversation] = message }
                        continue
                    }
                }
                try? await store.remove(mark: message, in: conversation)
            }
        }
    }
}
