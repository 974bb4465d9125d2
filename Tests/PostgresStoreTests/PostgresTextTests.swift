import MessageStore
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
        ("SELECT j.value FROM json_each(?) j", "SELECT j.value FROM list_numbers($1) j"),
        ("SELECT value FROM json_each(?2, '$')", "SELECT value FROM list_texts($2, '$')"),
    ])
    func theseFormsAreTranslated(statement: String, translated: String) {
        #expect(PostgresText(statement).sql == translated)
    }

    @Test func aRowWithANumberReturnsIt() {
        let text = PostgresText("INSERT INTO changes (kind) VALUES (?)")

        #expect(text.sql == "INSERT INTO changes (kind) VALUES ($1) RETURNING number")
        #expect(text.returnsNumber)
        #expect(text.table == "changes")
    }

    @Test(arguments: [
        "INSERT INTO changes (kind) SELECT kind FROM other", "INSERT INTO members (role) VALUES (?)",
        "SELECT 1 FROM messages", "DELETE FROM messages",
    ])
    func otherStatementsReturnNone(statement: String) {
        let text = PostgresText(statement)

        #expect(!text.returnsNumber)
        #expect(!text.sql.contains("RETURNING"))
    }
}
