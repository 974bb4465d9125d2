import MessageStore
import PostgresStore
import Testing

@Suite struct PostgresTextTests {
    @Test(arguments: [
        ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"),
        ("UPDATE t SET a = ?, b = ?4 WHERE c = ?2", "UPDATE t SET a = $1, b = $4 WHERE c = $2"),
        ("SELECT ?3, ?", "SELECT $3, $4"),
        ("SELECT '?' || a, 'it''s ?' FROM t WHERE b = ?", "SELECT '?' || a, 'it''s ?' FROM t WHERE b = $1"),
        ("SELECT 1 FROM a CROSS JOIN b ON b.x = a.x", "SELECT 1 FROM a JOIN b ON b.x = a.x"),
        ("SELECT 1 FROM t INDEXED BY t_by_a WHERE a = ?", "SELECT 1 FROM t  WHERE a = $1"),
        ("SELECT 1 FROM t WHERE a IS ? AND b IS NULL", "SELECT 1 FROM t WHERE a IS NOT DISTINCT FROM $1 AND b IS NULL"),
        (
            "SELECT 1 FROM t WHERE a IS NOT ?2 AND b IS NOT NULL",
            "SELECT 1 FROM t WHERE a IS DISTINCT FROM $2 AND b IS NOT NULL"
        ),
        ("SELECT j.value FROM json_each(?) j", "SELECT j.value FROM unnest($1::bigint[]) AS j(value)"),
        ("SELECT value FROM json_each(?2, '$')", "SELECT value FROM unnest($2::text[]) AS each(value)"),
        ("SELECT value FROM json_each(?) WHERE 1", "SELECT value FROM unnest($1::bigint[]) AS each(value) WHERE 1"),
        (
            "SELECT 1 FROM json_each(trace, ?) WHERE value = ?", "SELECT 1 FROM list_texts(trace, $1) WHERE value = $2"
        ),
        (
            "DELETE FROM t WHERE a = ? AND b IN (SELECT value FROM json_each(?)) AND c",
            "DELETE FROM t WHERE a = $1 AND b = ANY($2::bigint[]) AND c"
        ),
        ("SELECT 1 WHERE b IN (SELECT value FROM json_each(?1, '$'))", "SELECT 1 WHERE b = ANY($1::text[])"),
        ("SELECT 1 WHERE b IN (SELECT value FROM t)", "SELECT 1 WHERE b IN (SELECT value FROM t)"),
        ("SELECT 1 WHERE b IN (1, 2)", "SELECT 1 WHERE b IN (1, 2)"),
    ])
    func theseFormsAreTranslated(statement: String, translated: String) {
        #expect(PostgresText(statement).sql == translated)
    }

    @Test(arguments: [
        ("INSERT INTO changes (kind) VALUES (?)", "INSERT INTO changes (kind, number) VALUES ($1, $2)"),
        (
            "INSERT INTO turns (id, asker_id) VALUES (?2, COALESCE(?1, ''))",
            "INSERT INTO turns (id, asker_id, number) VALUES ($2, COALESCE($1, ''), $3)"
        ),
    ])
    func aRowTakesItsNumber(statement: String, translated: String) {
        let text = PostgresText(statement)

        #expect(text.sql == translated)
        #expect(text.takesNumber)
        #expect(!text.copiesChanges)
    }

    @Test func rowsOfAQueryAreNumberedByTheDatabase() {
        let text = PostgresText("INSERT INTO changes (kind) SELECT kind FROM other")

        #expect(text.table == "changes")
        #expect(text.copiesChanges)
        #expect(!text.takesNumber)
    }

    @Test(arguments: ["INSERT INTO members (role) VALUES (?)", "SELECT 1 FROM messages", "DELETE FROM messages"])
    func otherStatementsTakeNone(statement: String) {
        let text = PostgresText(statement)

        #expect(!text.takesNumber)
        #expect(!text.copiesChanges)
    }

    @Test func aQueryRunsForEachElementOfLists() {
        let sql = PostgresText.joint(
            "SELECT id FROM t WHERE a = ?2 AND b IS ?1", values: [.list(.texts(["x"])), .list(.numbers([1]))])

        #expect(
            sql == """
                SELECT given.place, found.* FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY
                AS given(value1, value2, place) CROSS JOIN LATERAL \
                (SELECT id FROM t WHERE a = given.value2 AND b IS NOT DISTINCT FROM given.value1) AS found
                """)
    }

    @Test(arguments: [
        ("INSERT INTO queue (state, due_at) VALUES (?, ?)", ["state", "due_at"]),
        ("INSERT INTO changes (kind)\nVALUES (?)", ["kind", "number"]),
        ("INSERT INTO members (role) VALUES (?)", nil), ("INSERT INTO queue (state) VALUES (0)", nil),
        ("INSERT INTO queue (state) VALUES (COALESCE(?, 1))", nil),
        ("INSERT INTO queue (state) VALUES (?) ON CONFLICT DO NOTHING", nil),
        ("INSERT INTO queue (state, due_at) VALUES (?2, ?1)", nil), ("INSERT INTO queue VALUES (?)", nil),
        ("INSERT INTO queue (state) SELECT ?", nil), ("DELETE FROM queue WHERE state IN (?)", nil),
    ])
    func columnsOfABatchedRowAreKnown(statement: String, columns: [String]?) {
        #expect(PostgresText(statement).columns == columns)
    }

    @Test func aStatementInsertsSeveralRows() {
        let text = PostgresText("INSERT INTO changes (kind) VALUES (?)")

        #expect(text.inserting(1) == "INSERT INTO changes (kind, number) VALUES ($1, $2)")
        #expect(text.inserting(3) == "INSERT INTO changes (kind, number) VALUES ($1, $2), ($3, $4), ($5, $6)")
        #expect(PostgresText("INSERT INTO members (role) VALUES (?)").inserting(2) == nil)
    }
}
