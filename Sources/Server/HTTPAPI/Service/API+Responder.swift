import ChatCore
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import UseCases
import WebServer

extension API {
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]

    /// Returns the responder for all requests.
    ///
    /// - Parameter extra: Routes besides the common ones.
    /// - Returns: A responder that answers every request, also with errors.
    func responder(extra: [Route] = []) -> RouterResponder<ConnectionContext> {
        let router = Router(context: ConnectionContext.self)
        // In one order, because the router prefers what came first where patterns overlap.
        for (path, routes) in Dictionary(grouping: routes + extra, by: \.path).sorted(by: { $0.key < $1.key }) {
            let allowed = routes.map(\.method.rawValue).sorted()
            for method in Self.methods {
                router.on(RouterPath(path), method: method) { request, context in
                    await respond(to: request, context: context, among: routes, allowed: allowed)
                }
            }
        }
        return router.buildResponder()
    }

    /// Answers one request at a path that exists.
    private func respond(
        to request: Request, context: ConnectionContext, among routes: [Route], allowed: [String]
    ) async -> Response {
        if let fault = browserGuard?.fault(of: request, isStream: context.isStream) {
            let failure = Failure(fault)
            record(failure, of: failure, logger: context.logger)
            if fault == .hostForbidden, Self.wantsPage(request) { return Self.wrongAddressPage }
            return Self.reply(failure, as: routes.first?.errors ?? .problem)
        }
        let isHead = request.method == .head
        let method = isHead ? .get : request.method
        guard let route = routes.first(where: { $0.method == method }) else {
            let failure = Failure.methodNotAllowed(allowed)
            record(failure, of: failure, logger: context.logger)
            return Self.reply(failure, as: routes.first?.errors ?? .problem, unknown: request.uri.path)
        }
        let whole = await respond(to: request, context: context, at: route)
        let response = (try? await Compression.compress(whole, to: request)) ?? whole
        return isHead ? response.createHeadResponse() : response
    }

    private func respond(to request: Request, context: ConnectionContext, at route: Route) async -> Response {
        var incoming = incoming(request, context)
        var allowance: RateLimiter.Decision?
        var known = Caller.stranger
        do {
            try shares.hold(context.channel, from: incoming.address)
            let caller = try await caller(of: &incoming, at: route)
            known = caller
            let authority = incoming.authority(of: caller)
            if let person = caller.person { try shares.hold(context.channel, by: person.id) }
            guard caller.isAdmitted(by: route.access) else {
                throw caller == .stranger ? Failure.tokenRequired : Failure.roleRequired
            }
            try incoming.checkPlace()
            incoming.contract = contract(of: route)
            try incoming.checkParameters()
            allowance = try await takeAllowance(of: caller)
            var response = try await RequestAuthority.$current.withValue(authority) { [incoming] in
                try await handleAudited(incoming, caller, at: route)
            }
            if response.body.contentLength == nil { response.body = response.body.written(with: authority) }
            return stating(allowance, in: response)
        } catch {
            var failure = challenging(Failure(error), incoming, at: route)
            record(failure, of: error, logger: context.logger)
            if known == .operator, let line = services.host.line(for: error) { failure.detail = line }
            let response =
                streamedFailure(failure, of: incoming, at: route) ?? Self.reply(failure, as: route.errors)
            return stating(allowance ?? failure.allowance, in: response)
        }
    }

    /// Handles a request; calls of administrators that change something come into the audit log.
    private func handleAudited(
        _ incoming: IncomingRequest, _ caller: Caller, at route: Route
    ) async throws -> Response {
        guard case .entries? = route.audit else { return try await handleOnce(incoming, caller, at: route) }
        let act = AuditAct(
            id: services.makeID(), by: caller.auditActor, from: incoming.auditOrigin(caller),
            operation: route.operationID, startedAt: incoming.receivedAt)
        return try await services.store.performing(act) { try await handleOnce(incoming, caller, at: route) }
    }

    private func contract(of route: Route) -> RequestContract? {
        contracts.value {
            let described = self.documents
            return (routes + socketRoutes).reduce(into: [:]) { contracts, route in
                contracts[route.operationID] = described[route.operationID].map { RequestContract($0, of: route) }
            }
        }[route.operationID]
    }

    /// Returns the caller: by a ticket if the route takes one and the query has one, else by the header.
    private func caller(of incoming: inout IncomingRequest, at route: Route) async throws -> Caller {
        if route.access == .everyone || route.access == .source { return authentication.anonymous }
        guard route.takesTicket, let text = incoming.query("ticket") else {
            let (caller, validity) = try await authentication.identify(incoming.request)
            incoming.validity = validity
            incoming.identifyAgain = { [authentication, request = incoming.request] in
                let present = try await authentication.identify(request).caller
                guard present.isSame(as: caller) else { throw Failure.sessionEnded }
                guard present.isAdmitted(by: route.access) else { throw Failure.roleRequired }
            }
            return caller
        }
        let ticket = try await countingRefusals { try await services.tickets.use(text, at: services.now()) }
        incoming.validity = ticket.validity
        return .person(IdentifiedPerson(id: ticket.user))
    }

    private func incoming(_ request: Request, _ context: ConnectionContext) -> IncomingRequest {
        let moment = services.now()
        return IncomingRequest(
            request: request, parameters: context.parameters, receivedAt: moment, useCases: useCases.at(moment),
            socket: context.socket, address: addresses.share(of: request, peer: context.address),
            isStream: context.isStream,
            channel: context.channel)
    }

    /// Counts and logs a failure that is sent to a client; a disconnected client gets none.
    func record(_ failure: Failure, of error: any Error, logger: Logger) {
        if !(error is CancellationError) { metrics.count(failure) }
        logger.log(failure, of: error)
    }

    /// Takes a request from a person's allowance; keys and trusted callers have no limit.
    private func takeAllowance(of caller: Caller) async throws(Failure) -> RateLimiter.Decision? {
        guard let limiter, let person = caller.person else { return nil }
        let decision = await limiter.take(person.id.rawValue)
        guard decision.isAllowed else { throw .tooManyRequests(decision) }
        return decision
    }

    /// Adds the fields `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    private func stating(_ allowance: RateLimiter.Decision?, in response: Response) -> Response {
        guard let allowance, let limiter else { return response }
        var response = response
        response.headers.set(
            "RateLimit-Policy", to: "\"requests\";q=\(limiter.limit);w=\(limiter.window.components.seconds)")
        response.headers.set("RateLimit", to: "\"requests\";r=\(allowance.remaining);t=\(allowance.reset)")
        return response
    }
}

extension ResponseBody {
    /// Returns a body that is written in the name of a request, which has been answered with its head by then.
    fileprivate func written(with authority: RequestAuthority) -> ResponseBody {
        ResponseBody { writer in
            try await RequestAuthority.$current.withValue(authority) { try await write(writer) }
        }
    }
}

extension Logger {
    /// Logs a failure that an operator should know of, but no mistake of a client and no disconnect.
    ///
    /// The errors of the store and of model services hold no text of users and are shown as they are; of unknown errors
    /// only the type is shown, because they may contain anything.
    func log(_ failure: Failure, of error: any Error) {
        guard failure.status >= 500, !(error is CancellationError) else { return }
        let isHarmless = error is RepositoryError || error is ModelServiceError || error is Failure
        self.log(
            level: failure == .unexpected ? .error : .warning, "request failed",
            metadata: ["error": isHarmless ? "\(error)" : "\(type(of: error))"])
    }
}
