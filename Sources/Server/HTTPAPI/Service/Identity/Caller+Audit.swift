import ChatCore
import HTTPTypes
import Hummingbird

extension Caller {
    /// Who acts, for the audit log.
    var auditActor: AuditActor {
        switch self {
        case .person(let person, _), .assistant(let person, _): .account(person.id, name: person.name)
        case .key(let id, _): .key(id)
        case .operator: .operator
        case .trusted, .stranger: .anyone
        }
    }
}

extension IncomingRequest {
    /// The way that the request came, for the audit log: browsers say from which page they send.
    ///
    /// They send `Sec-Fetch-Site` only to addresses that nobody can listen to, and `Origin` with every change.
    func auditOrigin(_ caller: Caller) -> AuditOrigin {
        guard caller != .operator else { return .command }
        let headers = request.headers
        guard let site = headers.first(where: { $0.name.canonicalName == "sec-fetch-site" })?.value else {
            return headers.contains { $0.name.canonicalName == "origin" } ? .page : .api
        }
        return site == "same-origin" ? .page : .api
    }
}
