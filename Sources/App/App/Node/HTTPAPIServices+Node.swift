import Accounts
import Assistant
import ChatCore
import Connectors
import Documents
import HTTPAPI
import LiveChat
import Logging
import MessageStore
import Retrieval
import UseCases
import WebServer

extension HTTPAPIServices {
    /// The parts of a node that its HTTP API is built on.
    init(
        _ node: Node, host: any ServerHost, push: PushRegistry? = nil, credentials: TLSCredentials? = nil
    ) {
        let (settings, store) = (node.workspace.settings, node.workspace.store)
        let download = KeyDownload(transport: node.transport)
        self.init(
            host: host, store: store, useCases: node.useCases, feed: node.live.feed,
            embedder: node.models.embedders.configured, fetchKeys: { try await download.fetch($0) },
            credentials: credentials, now: node.workspace.now, logger: node.workspace.logger)
        postForm = { try await download.post($0, $1, $2) }
        allowance = node.assistant.answers.session.allowance
        metrics = node.metrics
        version = Version.text
        writesSpans = settings.traceFile != nil
        people = node.live.people
        live = node.live.connections
        tickets = node.live.tickets
        oneTimeValues = store.services.oneTimeValues
        cursorSeal = ClientSeal(store: store, purpose: "cursor")
        keptResponses = store.services.keptResponses
        buckets = store.services.buckets
        self.push = push
        accounts = node.accounts
        hasLanguageModel = node.models.model != nil
        if !settings.isOpenByChoice { signIn = SignInSwitch(node) }
        knownPeople = { user, limit in
            try await store.presentPeople(only: user, limit: limit).map { IdentifiedPerson(id: $0.id, name: $0.name) }
        }
        links = PersonLinks(store: store, sources: node.connectors.map(\.source).sorted(), now: node.workspace.now)
        homeserver = node.matrix.map { matrix in
            HomeserverCalls(
                take: {
                    let reply = await matrix.take(authorization: $0, body: $1)
                    return (reply.status, reply.body)
                },
                answer: {
                    let reply = matrix.answer(authorization: $0, isPing: $1)
                    return (reply.status, reply.body)
                })
        }
        if case .http? = settings.slack?.delivery, let slack = node.slack {
            slackEvents = { request in
                let reply = await slack.take(
                    SlackRequest(
                        signature: request.signature, timestamp: request.timestamp, retry: request.retry,
                        body: request.body))
                return (reply.status, reply.body)
            }
        }
        socket = liveSockets(self, links: settings.messageLinks)
    }
}

extension SignInSwitch {
    /// The switch of a node; nodes that share a database follow each other.
    fileprivate convenience init(_ node: Node) {
        let (accounts, connections) = (node.accounts, node.live.connections)
        let ask: @Sendable () async throws -> Bool = { try await accounts.accounts().hasAdministrator }
        self.init(
            now: node.workspace.now, isOnElsewhere: node.workspace.store.services.channel.reachesOthers ? ask : nil,
            closeConnections: { connections.closeTrusted() })
    }
}

extension UseCases {
    /// What people can do on a node.
    init(
        _ workspace: Workspace, searching: any MessageSearching, answering: any QuestionAnswering,
        _ assistant: AssistantParts, accounts: AccountService
    ) {
        let (settings, store) = (workspace.settings, workspace.store)
        self.init(
            store: store, live: store, files: store, searcher: searching, answering: answering,
            conversationAssistant: assistant.conversations, smartReplies: assistant.smartReplies,
            extractor: assistant.extractor, permissions: settings.permissions, fileLimits: settings.files,
            questionLimits: settings.questionLimits, searchLimits: settings.searchLimits, now: workspace.now,
            makeID: randomID)
        scheduling = Scheduling(
            store: store, limit: settings.schedules.limit, cost: assistant.answers.cost(of:))
        if let program = settings.documentProgram {
            let process = PictureProcess(program: program)
            makePicture = { try await process.square(of: $0) }
            if !PictureProcess.isInstalled {
                workspace.logger.warning("People cannot set pictures: install poppler-utils")
            }
        }
        accountNames = { users in
            try await accounts.accounts().reduce(into: [:]) { names, account in
                if users.contains(account.userID), let name = account.name { names[account.userID] = name }
            }
        }
    }
}
