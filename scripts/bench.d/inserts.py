"""Bare SQLite: the rows that an import made, inserted into a new database.

The schema is that of the data folder's database, with its indexes; the rows of `messages` and `changes` are in memory
before the clock starts. Journal and durability are as the service has them (WAL, synchronous=FULL).
"""
import os
import sqlite3
import tempfile
import time

from bench.common import put


def options(parser):
    parser.add_argument("folder", metavar="DATA_FOLDER")
    parser.add_argument("rows", metavar="ROWS", nargs="?", type=int, default=4000, help="rows of a transaction (4000)")


def run(options):
    measure(options.folder, options.rows)


def measure(folder, batch=4000):
    source = sqlite3.connect(f"file:{folder}/nexus.sqlite?mode=ro", uri=True)
    schema = [
        row[0] for row in source.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'")]
    tables = {name: source.execute(f"SELECT * FROM {name} ORDER BY number").fetchall() for name in ("messages", "changes")}
    tables["changes"] = [row for row in tables["changes"] if row[3] is not None]
    inserts = {name: f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[0]))})" for name, rows in tables.items()}
    # Beside the data folder: on the same disk.
    with tempfile.TemporaryDirectory(dir=os.path.dirname(os.path.abspath(folder))) as work:
        database = sqlite3.connect(f"{work}/bare.sqlite", isolation_level=None)
        for pragma in ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
            database.execute(f"PRAGMA {pragma}").fetchall()
        for statement in schema: database.execute(statement)
        start, processor_start = time.perf_counter(), time.process_time()
        for first in range(0, len(tables["messages"]), batch):
            database.execute("BEGIN IMMEDIATE")
            for name, rows in tables.items(): database.executemany(inserts[name], rows[first : first + batch])
            database.execute("COMMIT")
        seconds, processor_seconds = time.perf_counter() - start, time.process_time() - processor_start
        count = database.execute("SELECT COUNT(*) FROM messages").fetchone()[0]
        database.close()
    assert count == len(tables["messages"])
    put(run="bare inserts", messages=count, seconds=round(seconds, 3), per_second=round(count / seconds),
        processor_seconds=round(processor_seconds, 3), sqlite=sqlite3.sqlite_version)
