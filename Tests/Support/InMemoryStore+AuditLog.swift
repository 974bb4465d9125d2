package import ChatCore

extension InMemoryStore {
    package func record(_ draft: AuditAct.Draft) async throws {
        try write { state in
            let (act, actor) = (draft.act, draft.act.actor)
            let keyName = actor.kind == .key ? actor.id.flatMap { state.keys[APIKey.ID(rawValue: $0)]?.key.name } : nil
            for change in draft.changes {
                let number = (state.audit.last?.entry.number ?? 0) + 1
                state.audit.append(
                    (
                        act.id,
                        AuditEntry(
                            number: number, startedAt: act.startedAt,
                            actor: AuditActor(actor.kind, id: actor.id, name: keyName ?? actor.name),
                            origin: act.origin, action: change.action.rawValue, subject: change.subject,
                            detail: change.detail, result: draft.result)
                    ))
            }
        }
    }

    package func setResult(_ result: AuditResult, of act: String) async throws {
        try write { state in
            for place in state.audit.indices where state.audit[place].act == act {
                let old = state.audit[place].entry
                state.audit[place].entry = AuditEntry(
                    number: old.number, startedAt: old.startedAt, actor: old.actor, origin: old.origin,
                    action: old.action, subject: old.subject, detail: old.detail, result: result)
            }
        }
    }

    package func auditEntries(_ query: AuditQuery) async throws -> [AuditEntry] {
        try read { state in
            let found = state.audit.map(\.entry).reversed().filter { entry in
                let isAbout = query.person.map { person in
                    (entry.actor.kind == .account && entry.actor.id == person.rawValue)
                        || (entry.subject?.kind == "user" && entry.subject?.id == person.rawValue)
                }
                return isAbout ?? true && query.action.map { $0 == entry.action } ?? true
                    && query.from.map { $0 <= entry.startedAt } ?? true
                    && query.until.map { $0 > entry.startedAt } ?? true && entry.number < query.before ?? .max
            }
            return Array(found.prefix(query.limit))
        }
    }
}
