package import ChatCore

/// What an operator reads about the connection to a server of another chat: about the server, and about each room.
package struct ConnectionOverview: Codable, Sendable, Equatable {
    /// Something that keeps messages from coming, or a remark about how they come.
    package struct Note: Codable, Sendable, Equatable {
        /// The kinds of notes.
        package enum Code: String, Codable, Sendable, CaseIterable {
            /// The server cannot be reached, or fails.
            case unreachable
            /// The server does not know the credential in the setting ``Note/detail``.
            case token
            /// The app lacks the permissions ``Note/detail``.
            case scopes
            /// There is no live connection, so messages come when rooms are compared.
            case notLive
            /// No event came over HTTP yet.
            case noEvents
            /// Stored messages of so many rooms are compared with the server.
            case comparing
            /// So many answers must go from rooms, and are still there.
            case removals
        }

        /// The kind.
        package var code: Code
        /// What it is about: a setting, permissions, a number.
        package var detail: String?
        /// The whole note, with what to do.
        package var text: String
    }

    /// How many events had an effect, or were left out for a reason.
    package struct Count: Codable, Sendable, Equatable {
        /// The reason; nil for none.
        package var reason: String?
        /// The number.
        package var count: Int
    }

    /// A room.
    package struct Room: Codable, Sendable, Equatable {
        /// How far a room was read.
        package enum State: String, Codable, Sendable, CaseIterable {
            /// Its history is being read.
            case reading
            /// Its history was read to its beginning.
            case complete
            /// Nexus is no longer in it, so nobody reads it.
            case left
            /// Another room continues it.
            case continued
            /// An administrator left it out, so nobody reads it.
            case leftOut
            /// Its conversation was erased, and is not read again.
            case erased
        }

        /// Its id in the source.
        package var id: String
        /// The conversation in which its messages are.
        package var conversationId: String
        /// Its name; nil for direct conversations.
        package var name: String?
        package var state: State
        /// The room that continues it; nil for none.
        package var continuedIn: String?
        /// The number of events that were read.
        package var readCount: Int
        /// Those of them that were stored or applied.
        package var storedCount: Int
        /// Those of them that were left out, by reason.
        package var leftOut: [Count]
        /// Files that are still to be fetched, by the reason why they were not fetched yet.
        package var waitingFiles: [Count]
        /// Files that are not fetched, by reason.
        package var missingFiles: [Count]
    }

    /// The source of everything that comes from the server.
    package var source: String
    /// Whether there are settings for it.
    package var isConfigured = true
    /// What administrators decided.
    package var state: ConnectionDecision.State
    /// When they did.
    package var decidedAt: Timestamp?
    /// The address of the server.
    package var address: String
    /// The word for the server.
    package var server: String
    /// The word for what is counted, in the plural.
    package var unit: String
    /// Until when a limit of the server asks to wait; nil for none.
    package var waitingUntil: Timestamp?
    /// What is to be said besides.
    package var notes: [Note]
    /// The time from the last event in the source until it was stored.
    package var behindSeconds: Double?
    /// When the server last sent events.
    package var lastEventAt: Timestamp?
    package var rooms: [Room]

    /// The lines of `nexus status`.
    package var lines: [String] { [headline] + rooms.map(line) }

    private var headline: String {
        let open = rooms.filter { $0.state == .reading || $0.state == .complete }.count
        var parts = [isConfigured ? "\(open) rooms of \(address)" : "not connected: there are no settings"]
        if state != .active { parts.append(state.rawValue) }
        if let waitingUntil { parts.append("waiting until \(waitingUntil.iso8601), as the \(server) asks") }
        parts += notes.map(\.text)
        if let behindSeconds {
            let tenths = Int(behindSeconds * 10)
            parts.append("last event stored after \(tenths / 10).\(tenths % 10) s")
        }
        return "\(source): " + parts.joined(separator: ", ")
    }

    private func line(of room: Room) -> String {
        guard room.state != .erased else { return "\(source) \(room.id): erased, not read any more" }
        let leftCount = room.leftOut.reduce(0) { $0 + $1.count }
        var parts = [
            "\(room.readCount) \(unit) read", "\(room.storedCount) stored or applied", "\(leftCount) left out",
        ]
        if leftCount > 0 { parts[2] += " (\(Self.reasons(room.leftOut)))" }
        switch room.state {
        case .reading: parts.append("reading history")
        case .complete: parts.append("history complete")
        case .left: parts.append("left: nobody reads it")
        case .continued: parts.append("continued in \(room.continuedIn ?? "another room")")
        case .leftOut: parts.append("left out by an administrator: nobody reads it")
        case .erased: break
        }
        parts += [
            Self.phrase(room.waitingFiles, "to fetch"), Self.phrase(room.missingFiles, "not fetched"),
        ].compactMap { $0 }
        return "\(source) \(room.id): " + parts.joined(separator: ", ")
    }

    private static func reasons(_ counts: [Count]) -> String {
        counts.compactMap { count in count.reason.map { "\($0) \(count.count)" } }.joined(separator: ", ")
    }

    private static func phrase(_ files: [Count], _ words: String) -> String? {
        guard !files.isEmpty else { return nil }
        let count = files.reduce(0) { $0 + $1.count }
        let reasons = reasons(files)
        return "\(count) \(count == 1 ? "file" : "files") \(words)" + (reasons.isEmpty ? "" : " (\(reasons))")
    }
}

/// Whether a credential of a connection works.
package struct ConnectionCheck: Codable, Sendable, Equatable {
    /// The setting that holds the credential.
    package var setting: String
    /// Whether it works.
    package var isWorking: Bool
    /// What the server said, and what to do; no secrets.
    package var detail: String

    package init(_ setting: String, isWorking: Bool, _ detail: String) {
        (self.setting, self.isWorking, self.detail) = (setting, isWorking, detail)
    }
}
