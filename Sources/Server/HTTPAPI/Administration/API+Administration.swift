import ChatCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import UseCases
import WebServer

/// What administrators do over the network: commands of the operator, imports, and a test of the model services.
extension API {
    /// The path at which histories arrive; a client may take long to send one.
    static let importsPath = "v1/administration/imports"

    var administrationRoutes: [Route] {
        [
            Route(
                .post, "v1/administration/operator", .admin, id: "administer",
                "Performs a command of the operator that names no files of the server.", audit: .ofCommands
            ) { incoming, caller in
                try refuseOtherPages(incoming)
                guard incoming.hasJSONContent else { throw Failure.wrongContentType }
                let command = Data(Array(buffer: try await incoming.body(limit: settings.bodyByteLimit)))
                let lines: AsyncThrowingStream<Data, any Error>
                do throws(AdministrationFault) {
                    lines = try services.host.administer(
                        command, by: caller.auditActor, from: incoming.auditOrigin(caller))
                } catch {
                    throw Failure(error)
                }
                return Self.lines(lines, to: incoming)
            },
            Route(
                .post, Self.importsPath, .admin, id: "importHistory", "Imports the export of another chat.",
                audit: .ofCommands
            ) { incoming, caller in
                if case .person(let person, _) = caller { try shares.holdUpload(incoming.channel, by: person.id) }
                return try await importHistory(incoming, caller)
            },
            Route(
                .post, "v1/administration/models/test", .admin, id: "testModels",
                "Sends each configured model service a short request.",
                audit: .none(because: "it asks the model services and stores nothing")
            ) { incoming, _ in
                try refuseOtherPages(incoming)
                _ = try await incoming.optionalJSON(limit: settings.bodyByteLimit)
                return try reply(ModelCheckList(checks: await services.host.checkModels()))
            },
        ]
    }

    /// Answers with lines of JSON; `kept` lives until the last one is written.
    static func lines(
        _ lines: AsyncThrowingStream<Data, any Error>, to incoming: IncomingRequest, keeping kept: ReceivedFile? = nil
    ) -> Response {
        let body = ResponseBody { writer in
            try await incoming.whileClientListens {
                for try await line in lines { try await writer.write(ByteBuffer(bytes: line + [0x0A])) }
                try Task.checkCancellation()
            }
            kept?.remove()
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "application/x-ndjson"], body: body)
    }

    private func importHistory(_ incoming: IncomingRequest, _ caller: Caller) async throws -> Response {
        try refuseOtherPages(incoming)
        guard let folder = settings.importFolder else { throw Failure.noSuchPath }
        try incoming.refuseForm()
        var upload = try Self.upload(incoming)
        let limit = settings.importByteLimit
        if let length = incoming.request.headers[.contentLength].flatMap(Int.init), length > limit {
            throw Failure.bodyTooLarge(limit: limit)
        }
        let file = try ReceivedFile(named: FileName.cleaned(incoming.query("name")), in: folder)
        let start = ContinuousClock.now
        do {
            for try await part in incoming.request.body { try file.write(part, limit: limit) }
            try file.finish()
        } catch let error as Failure {
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            throw file.failure ?? Failure(400, "body_unreadable", "the body could not be read", .invalidArgument)
        }
        try await incoming.checkCaller(since: start)
        upload.path = file.path
        let lines = services.host.importHistory(upload, by: caller.auditActor, from: incoming.auditOrigin(caller))
        return Self.lines(lines, to: incoming, keeping: file)
    }

    /// Reads the options of an import; its file is not there yet.
    private static func upload(_ incoming: IncomingRequest) throws -> HistoryUpload {
        HistoryUpload(
            path: "", isDryRun: try flag("dryRun", incoming), workspaceURL: try workspaceURL(incoming),
            timeZone: try timeZone(incoming), dateOrder: try dateOrder(incoming),
            areChannelsOpen: try flag("openChannels", incoming))
    }

    private static func flag(_ name: String, _ incoming: IncomingRequest) throws -> Bool {
        switch incoming.query(name) {
        case nil, "false": false
        case "true": true
        default: throw Failure.invalid(field: name, "must be true or false")
        }
    }

    private static func workspaceURL(_ incoming: IncomingRequest) throws -> String? {
        guard let text = incoming.query("workspaceURL"), !text.isEmpty else { return nil }
        guard MessageLink.isUsable(text), !text.contains("?"), !text.contains("#") else {
            throw Failure.invalid(field: "workspaceURL", "must be an address such as https://TEAM.slack.com")
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private static func timeZone(_ incoming: IncomingRequest) throws -> String? {
        guard let name = incoming.query("timeZone"), !name.isEmpty else { return nil }
        guard TimeZone(named: name) != nil else {
            throw Failure.invalid(field: "timeZone", "must be the IANA name of a time zone")
        }
        return name
    }

    private static func dateOrder(_ incoming: IncomingRequest) throws -> String? {
        guard let order = incoming.query("dateOrder"), !order.isEmpty else { return nil }
        guard HistoryUpload.dateOrders.contains(order) else {
            throw Failure.invalid(field: "dateOrder", "must be dmy, mdy or ymd")
        }
        return order
    }
}

/// A file that arrives with a request, in its own folder; both are removed with this value.
final class ReceivedFile: Sendable {
    private let folder: URL
    /// The file's path.
    let path: String
    private let handle: FileHandle
    private let state = Mutex<(byteCount: Int, failure: Failure?)>((0, nil))

    init(named name: String, in parent: URL) throws {
        folder = parent.appending(path: randomID())
        path = folder.appending(path: name).path
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard
                FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
                let handle = FileHandle(forWritingAtPath: path)
            else { throw Failure.importNotStored }
            self.handle = handle
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw Failure.importNotStored
        }
    }

    deinit { remove() }

    /// The reason why the file could not be written; nil if it could.
    var failure: Failure? { state.withLock { $0.failure } }

    /// Appends bytes.
    func write(_ bytes: ByteBuffer, limit: Int) throws {
        let count = state.withLock { state in
            state.byteCount += bytes.readableBytes
            return state.byteCount
        }
        guard count <= limit else { throw Failure.bodyTooLarge(limit: limit) }
        do {
            try handle.write(contentsOf: Data(Array(buffer: bytes)))
        } catch {
            state.withLock { $0.failure = .importNotStored }
            throw Failure.importNotStored
        }
    }

    func finish() throws { try handle.close() }

    /// Removes the file and its folder.
    func remove() {
        try? handle.close()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// The body of `POST /v1/administration/models/test`.
private struct ModelCheckList: Encodable {
    let checks: [ModelCheck]
}

extension Failure {
    static let importNotStored = Failure(
        507, "import_not_stored", "the file cannot be kept on the server's disk while it is imported",
        .resourceExhausted)

    fileprivate init(_ fault: AdministrationFault) {
        switch fault {
        case .unknown:
            self = Failure(
                400, "command_unknown", "the body is not a command of the operator", .invalidArgument)
        case .forbidden:
            self = Failure(
                403, "command_forbidden", "this command can only be given on the server's machine",
                .permissionDenied)
        }
    }
}
