import MessageStore

/// A statement to run, or a joint one that runs a statement for lists of values.
struct JointStatement {
    /// From this number of equal statements on, a joint one costs less.
    private static let limit = 4

    let sql: String
    /// Lists if the statement is joint.
    let values: [SQLValue]
    /// The places of the statements that it replaces.
    private let places: [Int]
    let isJoint: Bool

    /// The statement with the types of its lists.
    var name: String { values.reduce(into: sql) { name, value in name += value.isTexts ? "t" : "n" } }

    /// Joins equal statements whose values are numbers and texts.
    static func joining(_ statements: [SQLStatement]) -> [JointStatement] {
        guard statements.count >= limit else { return statements.indices.map { one(statements[$0], at: $0) } }
        let groups = Dictionary(grouping: statements.indices) { statements[$0].sql }
        // In the order of the statements: a later one sees what an earlier one wrote.
        return groups.values.sorted { $0[0] < $1[0] }.flatMap { places in
            if places.count >= limit, let lists = lists(of: places.map { statements[$0].values }) {
                return [JointStatement(sql: statements[places[0]].sql, values: lists, places: places, isJoint: true)]
            }
            return places.map { one(statements[$0], at: $0) }
        }
    }

    private static func one(_ statement: SQLStatement, at place: Int) -> JointStatement {
        JointStatement(
            sql: statement.sql, values: statement.values.map { $0?.sqlValue ?? .null }, places: [place],
            isJoint: false)
    }

    /// Returns a list for each value; nil if one of them is NULL or has another type.
    private static func lists(of rows: [[SQLArgument]]) -> [SQLValue]? {
        guard let count = rows.first?.count, count > 0, rows.allSatisfy({ $0.count == count }) else { return nil }
        var lists: [SQLValue] = []
        for place in 0..<count {
            let values = rows.map { $0[place]?.sqlValue ?? .null }
            let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } as Int64? }
            let texts = values.compactMap { if case .text(let text) = $0 { text } else { nil } as String? }
            if numbers.count == rows.count {
                lists.append(.list(.numbers(numbers)))
            } else if texts.count == rows.count {
                lists.append(.list(.texts(texts)))
            } else {
                return nil
            }
        }
        return lists
    }

    /// Gives the rows to the statements; each row of a joint one begins with the statement's place, counted from 1.
    func distribute(_ rows: [[SQLValue]], to found: inout [[SQLRow]]) {
        guard isJoint else {
            found[places[0]] = rows.map { SQLRow($0) }
            return
        }
        for row in rows {
            guard case .integer(let number)? = row.first else { continue }
            let place = Int(clamping: number &- 1)
            guard places.indices.contains(place) else { continue }
            found[places[place]].append(SQLRow(Array(row.dropFirst())))
        }
    }
}

extension SQLValue {
    var isTexts: Bool { if case .list(.texts) = self { true } else { false } }
}
