import ChatCore

extension JSONSchema {
    fileprivate static let modelCheck = closed(
        .always("name", word(["embedding", "chat", "rerank"])), .always("isReady", flag), .always("detail", string),
        .always("milliseconds", integer(atLeast: 0))
    ).named("ModelCheck")
}

extension API {
    /// The requests and responses of ``administrationRoutes``.
    var administrationDocuments: [String: RouteDocument] {
        let lines = JSONSchema.string.described(
            "One event a line: progress and rejected any number of times, then done or failed.")
        let command = JSONSchema.map(of: .any).described(
            "One command, such as {\"status\":{}}; see the documentation of accounts.")
        let replies = [200: ["application/x-ndjson": lines]]
        var upload = RouteDocument(
            query: [
                .init(name: "name", schema: .string.described("The name of the file.")),
                .init(name: "dryRun", schema: .flag.standard(.bool(false))),
                .init(name: "workspaceURL", schema: .string.described("The address of a Slack workspace.")),
                .init(
                    name: "timeZone",
                    schema: .string.described("The IANA name of the zone of exports with local times; UTC by default.")),
                .init(
                    name: "dateOrder",
                    schema: .word(HistoryUpload.dateOrders).described("The order of dates that are ambiguous.")),
                .init(
                    name: "openChannels",
                    schema: .flag.standard(.bool(false))
                        .described("Whether channels.json of a Slack export has only channels that everybody may read.")
                ),
            ], request: .bytes.described("The bytes of the export."), replies: replies, failures: [404, 507])
        upload.requestTypes = ["application/octet-stream"]
        return [
            "administer": RouteDocument(request: command, replies: replies),
            "importHistory": upload,
            "testModels": RouteDocument.json(
                .closed(.always("checks", .array(of: .modelCheck))).named("ModelCheckList"), request: .nothing
            ).withOptionalBody,
        ]
    }
}
