import MessageStore

extension PostgresSchema {
    /// What the nodes share; times in microseconds of the database's clock.
    static let nodes =
        processes + PostgresOneTimeValues.table + PostgresKeptResponses.table + PostgresBuckets.table
        + PostgresTokenCount.table + PostgresLineage.tables

    private static let processes = """
        CREATE TABLE nodes (
            id TEXT COLLATE "C" PRIMARY KEY,
            started_at BIGINT NOT NULL,
            heartbeat_until BIGINT NOT NULL
        );

        """
}

/// The statements of a node about itself and the others; each is a transaction, and none locks the change log.
enum NodeRows {
    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// Returns the time; values: the node, how long it lives without another heartbeat, in microseconds.
    static let beat = """
        INSERT INTO nodes (id, started_at, heartbeat_until) VALUES ($1, \(now), \(now) + $2)
        ON CONFLICT (id) DO UPDATE SET heartbeat_until = EXCLUDED.heartbeat_until RETURNING \(now)
        """

    /// Returns the time.
    static let clock = "SELECT \(now)"

    /// Removes the nodes without a heartbeat; those that another node removes are skipped.
    static let removeDead = """
        DELETE FROM nodes WHERE id IN (SELECT id FROM nodes WHERE heartbeat_until < \(now) FOR UPDATE SKIP LOCKED)
        """

    /// Returns the other nodes; value: the node.
    static let others = "SELECT id FROM nodes WHERE heartbeat_until >= \(now) AND id <> $1"

    /// Whether a commit of a node has waited for a standby for a while.
    static let waitsForStandby = """
        SELECT EXISTS (
            SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'nexus'
                AND wait_event = 'SyncRep' AND state_change < clock_timestamp() - interval '2 seconds')
        """

    /// Value: the node.
    static let remove = "DELETE FROM nodes WHERE id = $1"
}
