import ChatCore

/// Puts together what an operator reads about a source.
struct ConnectorReport<Progress: ConnectorProgress> {
    /// The source.
    let source: String
    /// The address of the server.
    let address: String
    /// The word for the server.
    let server: String
    /// The word for what is counted, in the plural.
    let unit: String
    /// The setting of a token that the server does not know.
    let tokenSetting: String
    /// What to do about it.
    let tokenAdvice: String
    /// Whether reactions are counted with the rest.
    var countsReactions = true
    /// What else is to be said about the server.
    var notes: [ConnectionOverview.Note] = []

    /// Returns the overview.
    ///
    /// - Throws: ``RepositoryError``.
    func overview(
        _ store: any ConnectorStore, _ status: ConnectorStatus, at moment: Timestamp
    ) async throws -> ConnectionOverview {
        let decision = try await store.connection(to: source)
        let rooms = try await store.connectorRooms(of: source)
        let counts = Dictionary(grouping: try await store.connectorCounts(of: source), by: \.room)
        let files = Dictionary(grouping: try await store.remoteFileCounts(of: source), by: \.room)
        let removals = removals(try await store.failedRemovalCount(of: source), status.removalRefusal)
        return ConnectionOverview(
            source: source, state: decision.state, decidedAt: decision.decidedAt, address: address, server: server,
            unit: unit, waitingUntil: status.waitingUntil.flatMap { $0 > moment ? $0 : nil },
            notes: decision.state == .active ? troubles(status) + removals + notes : [],
            behindSeconds: status.lag.map { $0 / .seconds(1) }, lastEventAt: status.lastArrivalAt,
            rooms: rooms.map { room in
                self.room(
                    room, (counts[room.id] ?? []).filter { countsReactions || $0.kind != .reaction },
                    files: files[room.id] ?? [])
            })
    }

    /// The note about answers that must go from rooms, and are still there.
    private func removals(_ count: Int, _ refusal: String?) -> [ConnectionOverview.Note] {
        guard count > 0 else { return [] }
        let answers = count == 1 ? "1 answer is" : "\(count) answers are"
        let reason = refusal.map { ", because the \(server) refuses it (\($0))" } ?? ""
        return [
            .init(
                code: .removals, detail: "\(count)",
                text: "\(answers) still shown there that must go\(reason): let Nexus delete its messages, or delete "
                    + "them; Nexus tries it once an hour")
        ]
    }

    private func troubles(_ status: ConnectorStatus) -> [ConnectionOverview.Note] {
        switch status.trouble {
        case .unreachable:
            [.init(code: .unreachable, text: "the \(server) cannot be reached, stored messages stay")]
        case .token:
            [
                .init(
                    code: .token, detail: tokenSetting,
                    text: "the \(server) does not know \(tokenSetting): \(tokenAdvice)")
            ]
        case nil: []
        }
    }

    private func room(
        _ room: ConnectorRoom, _ counts: [ConnectorCount], files: [RemoteFileCount]
    ) -> ConnectionOverview.Room {
        let progress = Progress(room.progress)
        let total = counts.reduce(0) { $0 + $1.count }
        let left = counts.filter(\.kind.isLeftOut)
        let state: ConnectionOverview.Room.State =
            if room.isErased {
                .erased
            } else if room.isLeftOut {
                .leftOut
            } else if progress.replacedBy != nil {
                .continued
            } else if progress.hasLeft {
                .left
            } else {
                progress.isComplete ? .complete : .reading
            }
        func counted(isWaiting: Bool) -> [ConnectionOverview.Count] {
            files.filter { $0.isWaiting == isWaiting }.map { .init(reason: $0.problem?.rawValue, count: $0.count) }
        }
        return ConnectionOverview.Room(
            id: room.id, conversationId: room.conversationID.rawValue, name: room.name, state: state,
            continuedIn: progress.replacedBy, readCount: total,
            storedCount: total - left.reduce(0) { $0 + $1.count },
            leftOut: left.map { .init(reason: $0.kind.rawValue, count: $0.count) },
            waitingFiles: counted(isWaiting: true), missingFiles: counted(isWaiting: false))
    }
}

/// Whether credentials work, in words.
struct ConnectorTest {
    /// The word for the server.
    let server: String

    /// Calls the server, and says what came of it.
    ///
    /// - Parameters:
    ///   - setting: The setting with the credential.
    ///   - advice: What to do if the server does not know it.
    ///   - body: Calls the server; returns what it found.
    /// - Returns: The result.
    /// - Throws: `CancellationError`.
    func check(
        _ setting: String, advice: String, _ body: () async throws -> String
    ) async throws -> ConnectionCheck {
        do {
            return ConnectionCheck(setting, isWorking: true, try await body())
        } catch let error as ConnectorError {
            let detail =
                switch error {
                case .refused where error.isAboutToken: "the \(server) does not know it: \(advice)"
                case .refused(let status, let code): "the \(server) refuses it (\(status) \(code)): \(advice)"
                case .unavailable:
                    "the \(server) cannot be reached: check the address, and whether this machine may reach it"
                case .limited(let end): "the \(server) asks to wait until \(end.iso8601): test again then"
                case .unreadable: "the reply is not what was asked for: check the address of the \(server)"
                }
            return ConnectionCheck(setting, isWorking: false, detail)
        }
    }
}
