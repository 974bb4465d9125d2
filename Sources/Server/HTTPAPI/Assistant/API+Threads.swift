import ChatCore
import HTTPTypes
import Hummingbird
import NIOCore
import NexusModel
import UseCases

extension API {
    /// The asker's threads; the routes of questions take their questions, with `threadId`.
    var threadRoutes: [Route] {
        [
            Route(.post, "v1/threads", .user, id: "createThread", "Creates a thread of questions.") {
                try await createThread($0, $1)
            },
            Route(.get, "v1/threads", .user, id: "listThreads", "Lists the asker's threads, the last used first.") {
                try await listThreads($0, $1)
            },
            Route(
                .get, "v1/threads/changes", .user, id: "followThreads",
                "Lists changes of the asker's threads since a cursor, and can wait for them."
            ) { try await followThreads($0, $1) },
            Route(.get, "v1/threads/:thread", .user, id: "getThread", "Shows a thread of the asker.") {
                let asker = try $0.asker($1)
                return try reply(ChatThread(try await $0.useCases.thread(try $0.threadID(), of: asker)))
            },
            Route(.patch, "v1/threads/:thread", .user, id: "renameThread", "Renames a thread.") {
                try await renameThread($0, $1)
            },
            Route(.delete, "v1/threads/:thread", .user, id: "deleteThread", "Deletes a thread with its turns.") {
                let asker = try $0.asker($1)
                try await $0.useCases.deleteThread(try $0.threadID(), of: asker)
                return Response(status: .noContent)
            },
            Route(.get, "v1/threads/:thread/export", .user, id: "exportThread", "Exports a thread as Markdown.") {
                try await exportThread($0, $1)
            },
        ]
    }

    private func createThread(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let thread = try await incoming.useCases.createThread(of: asker, title: try body["title"].optionalString())
        return try reply(ChatThread(thread), status: .created)
    }

    private func listThreads(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let limit = try incoming.limit(in: Self.pageRange, default: Self.pageSize)
        let place = try incoming.query("after").map(ChatThreadPage.place(of:))
        return try reply(
            ChatThreadPage(try await incoming.useCases.threads(of: asker, after: place, limit: limit + 1), limit: limit)
        )
    }

    /// Without a title, the first question names the thread.
    private func renameThread(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let body = try await incoming.json(limit: settings.bodyByteLimit).object()
        let asker = try incoming.asker(caller, body: body)
        let thread = try await incoming.useCases.renameThread(
            try incoming.threadID(), of: asker, title: try body["title"].optionalString())
        return try reply(ChatThread(thread))
    }

    private func exportThread(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        let asker = try incoming.asker(caller)
        let (thread, turns) = try await incoming.useCases.transcript(of: try incoming.threadID(), asker: asker)
        let text = ThreadMarkdown(thread, turns: turns, links: settings.messageLinks).text
        return Response(
            status: .ok, headers: [.contentType: "text/markdown; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension IncomingRequest {
    /// Returns the thread that the path names.
    fileprivate func threadID() throws(Failure) -> ThreadID { ThreadID(rawValue: try parameter("thread")) }
}
