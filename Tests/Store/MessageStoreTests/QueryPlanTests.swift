import MessageStore
import Testing

/// No statement of a hot path reads a table from end to end or sorts what it could read in order.
@Suite struct QueryPlanTests {
    private func plan(_ statement: HotStatement) async throws -> [String] {
        var plan: [String] = []
        try await DataFolder.with { _, store in
            plan = try await store.inspect("EXPLAIN QUERY PLAN \(statement.sql)", column: 3)
        }
        return plan
    }

    @Test(arguments: HotStatement.allCases)
    func nothingIsScannedOrSorted(statement: HotStatement) async throws {
        let plan = try await plan(statement)

        #expect(!plan.isEmpty)
        #expect(plan.filter { $0.contains("TEMP B-TREE") && !statement.maySort } == [])
        #expect(
            plan.filter {
                $0.hasPrefix("SCAN") && !$0.contains("USING INDEX conversations_open")
                    // The numbers that are asked for.
                    && !$0.contains("VIRTUAL TABLE")
                    // The turns that were found so far.
                    && $0 != "SCAN s"
                    // Values without a table.
                    && $0 != "SCAN CONSTANT ROW"
            } == [])
    }

    @Test(arguments: [
        (HotStatement.page, "SEARCH m USING INDEX messages_by_time (conversation=? AND timestamp<?)"),
        (.claim, "SEARCH q USING INDEX queue_ready (generation=? AND is_backlog<?)"),
        (.wake, "SEARCH queue USING COVERING INDEX queue_due (generation=? AND due_at<?)"),
        (.changes, "SEARCH e USING INTEGER PRIMARY KEY (rowid>?)"),
        (.passages, "SEARCH p USING INDEX passages_by_generation (generation=? AND rowid>?)"),
        (.permitted, "SEARCH members USING INDEX members_by_user (user_id=?)"),
        (.passagesOfMessage, "SEARCH p USING COVERING INDEX sqlite_autoindex_passages_1 (message=? AND generation=?)"),
        (.passageOfContent, "SEARCH p USING COVERING INDEX passages_by_content (generation=? AND content_hash=?)"),
        (.passageCount, "SEARCH passages USING COVERING INDEX passages_by_generation (generation=?)"),
        (.searchableCount, "SEARCH messages USING COVERING INDEX messages_embeddable (is_embeddable=?)"),
        (.messagesOfNumbers, "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)"),
        (.passagesOfMessages, "SEARCH p USING INDEX sqlite_autoindex_passages_1 (message=? AND generation=?)"),
        (.permittedByNumber, "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)"),
        (.permittedOfMessages, "SEARCH c USING INTEGER PRIMARY KEY (rowid=?)"),
        (.membersOfConversations, "SEARCH m USING PRIMARY KEY (conversation=?)"),
        (.items, "SEARCH i USING INDEX items_by_change (conversation=? AND kind=?)"),
        (.itemsChanged, "SEARCH i USING INDEX items_by_change (conversation=? AND kind=? AND change>? AND change<?)"),
        (.threads, "SEARCH h USING INDEX threads_by_owner (owner_id=?)"),
        (.threadsChanged, "SEARCH h USING INDEX threads_by_change (owner_id=? AND change>? AND change<?)"),
        (.turnsOfThread, "SEARCH turns USING INDEX turns_by_thread (thread=?)"),
        (.turnsChanged, "SEARCH turns USING INDEX turns_by_change (thread=? AND change>? AND change<?)"),
        (.summaries, "SEARCH s USING INDEX summaries_by_span (conversation=?)"),
        (.mentionDue, "SEARCH mentions USING COVERING INDEX mentions_due (due_at<?)"),
        (.mentionCount, "SEARCH mentions USING COVERING INDEX mentions_answered (conversation=? AND answered_at>?)"),
        (.mentionsStanding, "SEARCH mention_sources USING PRIMARY KEY (source=?)"),
        (.outdatedTurn, "SEARCH o USING PRIMARY KEY (turn=?)"),
        (.outdatedChanged, "SEARCH o USING COVERING INDEX outdated_turns_by_change (change>? AND change<?)"),
        (.verdictsOfMessage, "SEARCH v USING INDEX replacement_verdicts_by_time (older=?)"),
        (.verdictsNaming, "SEARCH v USING INDEX replacement_verdicts_by_newer (newer=?)"),
        (.citingTurns, "SEARCH turn_shown USING INDEX turn_shown_by_turn (conversation_id=?)"),
        (.deliveryDue, "SEARCH mention_deliveries USING COVERING INDEX mention_deliveries_due (due_at<?)"),
        (.nameMentioned, "SEARCH member_names USING PRIMARY KEY (conversation=? AND is_part=? AND name=?)"),
        (.nameBeginning, "SEARCH member_names USING PRIMARY KEY (conversation=? AND is_part=? AND name>? AND name<?)"),
        (.inboxNames, "SEARCH n USING PRIMARY KEY (conversation=? AND is_part=? AND name>? AND name<?)"),
        (.membersUnnamed, "SEARCH m USING INDEX members_unnamed (conversation=?)"),
        (.fileUse, "SEARCH files USING COVERING INDEX files_by_owner (owner_id=?)"),
        (.saved, "SEARCH v USING PRIMARY KEY (user_id=? AND number<?)"),
        (.savedWithReminder, "SEARCH v USING PRIMARY KEY (user_id=? AND number<?)"),
        (.reminderDue, "SEARCH saved_messages USING INDEX saved_messages_due (remind_at<?)"),
        (.scheduledDue, "SEARCH s USING INDEX scheduled_messages_due (send_at<?)"),
        (.message, "SEARCH m USING INDEX sqlite_autoindex_messages_1 (conversation=? AND id=?)"),
    ])
    func theIndexMeantForItIsUsed(statement: HotStatement, step: String) async throws {
        #expect(try await plan(statement).contains(step))
    }
}
