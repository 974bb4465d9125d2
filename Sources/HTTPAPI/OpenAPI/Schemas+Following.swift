import ChatCore

extension JSONSchema {
    fileprivate static func changes(of item: JSONSchema, named name: String) -> JSONSchema {
        closed(
            .always("items", array(of: item).described("Those that came or changed, as they are now.")),
            .always("removedIds", array(of: identifier).described("Those that went, or were taken away.")),
            .always("next", string.described("A cursor: what `after` takes the next time."))
        ).named(name)
    }
}

extension RouteDocument {
    /// Answers what became of a list.
    static func changes(of item: JSONSchema, named name: String) -> RouteDocument {
        .json(
            .changes(of: item, named: name),
            query: [
                Parameter(
                    name: "after",
                    schema: .string.described("`next` of an earlier reply; without it the whole list is sent.")),
                Parameter(
                    name: "wait",
                    schema: .integer(0...API.longestWait).standard(.integer(0))
                        .described("For how many seconds at most to wait until something happens.")),
            ], failures: [410])
    }
}
