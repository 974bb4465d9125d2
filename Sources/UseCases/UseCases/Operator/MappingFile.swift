import ChatCore

/// Reads mappings from lines of comma-separated values (RFC 4180), with a first line that names the columns:
/// `source,externalId,userId`, perhaps with `conversation`, or `email,userId`.
package enum MappingFile {
    /// Reads a file's text.
    ///
    /// - Throws: ``OperatorFailure`` that names each wrong line.
    package static func read(_ text: String) throws -> [UserMapping] {
        var rows = CommaSeparated.rows(text)
        guard let header = rows.first else { throw OperatorFailure(message: "the file is empty") }
        rows.removeFirst()
        let names = header.fields.map { $0.trimmingWhitespace().lowercased() }
        guard let needed = [["source", "externalid", "userid"], ["email", "userid"]].first(where: names.holdsAll) else {
            throw OperatorFailure(
                message: "line 1 must name the columns source,externalId,userId (and conversation) or email,userId")
        }
        var mappings: [UserMapping] = []
        var faults: [String] = []
        for row in rows {
            let place = "line \(row.line)"
            guard row.fields.count == names.count else {
                faults.append("\(place): \(row.fields.count) columns instead of \(names.count)")
                continue
            }
            let values = Dictionary(
                zip(names, row.fields.map { $0.trimmingWhitespace() }), uniquingKeysWith: { first, _ in first })
            if let mapping = mapping(values, needing: needed, at: place) {
                mappings.append(mapping)
            } else {
                faults.append("\(place): a value is empty or not a valid id")
            }
        }
        guard faults.isEmpty else {
            throw OperatorFailure(message: (["nothing was mapped"] + faults).joined(separator: "\n  "))
        }
        return mappings
    }

    /// Reads a line; nil if a value is missing or wrong.
    private static func mapping(_ values: [String: String], needing needed: [String], at place: String) -> UserMapping?
    {
        guard !needed.contains(where: { values[$0]?.isEmpty ?? true }),
            let user = values["userid"].flatMap({ UserID(validating: $0) })
        else { return nil }
        guard needed.contains("source") else {
            return UserMapping(place: place, email: values["email"], userID: user)
        }
        var mapping = UserMapping(
            place: place, source: values["source"], externalID: values["externalid"], userID: user)
        if let conversation = values["conversation"], !conversation.isEmpty {
            guard let id = ConversationID(validating: conversation) else { return nil }
            mapping.conversation = id
        }
        return mapping
    }
}

extension [String] {
    fileprivate func holdsAll(_ names: [String]) -> Bool { Set(self).isSuperset(of: names) }
}
