extension ChangeWords {
    static let english: ChangeWords = {
        var words = ChangeWords()
        words.strong = phraseSet(
            """
            moved, moves, moving, move it, postponed, postpone, postpones, postponing, rescheduled, reschedule, pushed,
            pushed back, pushed to, push it to, pushing, delayed until, delayed to, slips, slipped, slipping,
            brought forward, bring forward, shifted, shifts, changed, changes to, change of plan, change of plans, switched,
            switching to, instead, no longer, any more, anymore, after all, actually, correction, replaced, replaces, back to,
            went back on, reverted, rather than, swapped, takes over, took over, taking over, take over, taken over, extended,
            turns out, raised to, reduced to, lowered to, cut to, goes to, will now be, now on,
            scrap that, we decided against, has become, not until, earlier than planned, later than planned,
            is now, it s now,
            now starts, now goes, goes up to, went up to, gone up to, going up to, goes down to, went down to, up from, down from,
            we go from, goes from, went from, we switch, then we switch, becomes, allowed again, bumped to, moved up, moved us, pushed out, comes forward
            """)
        words.reversals = phraseSet(
            "instead, after all, rather than, back to, went back on, reverted, changed our mind, we decided against, change of plan, scrap that"
        )
        words.corrections = phraseSet(
            """
            correction, i was wrong, my mistake, my bad, scrap that, scratch that, change of plan, change of plans, changed my mind,
            changed our mind, on second thought,
            thought about it again, thought again, slept on it
            """)
        words.announcements = phraseSet(
            "new date, new time, new place, new slot, new plan, new price, new deadline, new venue, new room, new address, new estimate, new eta"
        )
        words.now = ["now"]
        words.conclusions = ["then", "so then", "ok then", "okay then"]
        words.origins = ["from"]
        words.targets = ["to"]
        words.weak = phraseSet("now, only, new, meanwhile, finally, stays, from now on, again, but")
        words.endings = phraseSet(
            """
            cancelled, canceled, called off, dropped, scrapped, withdrawn, off the table, abandoned, not happening, we drop,
            we re dropping, we are dropping, shelved, won t happen, no longer,
            don t take, not taking, don t use, won t use, not using, not going with, not doing, won t do, falls through, fell through
            """)
        words.split = [
            ("not", "anymore"), ("t", "anymore"), ("no", "after all"), ("not", "after all"), ("t", "after all"),
        ]
        words.formerMarks = phraseSet(
            "instead of, rather than, not, no longer, and not, but not, was, were, used to be, before it was, previously"
        )
        words.passives = ["was", "were"]
        words.proposals = phraseSet(
            """
            shall we, should we, could we, can we, how about, what about, i d prefer, i would prefer, i prefer, i d rather, maybe,
            perhaps, i suggest, suggestion, proposal, propose, what if, why not, might, would be better, could be, i d like, if,
            unless, in case, i think we should, we should, would you, could you, thinking about, thinking of, wonder, hopefully,
            let s move, let s postpone, let s push, let s shift, let s make it, let s meet, let s change, let s reschedule, let s say,
            let s try, let s switch, let s bring, want to move, would like to move, would prefer, we could, one could, is it ok if
            """)
        words.requests = ["please", "pls", "can someone", "let me know"]
        words.ends = ["end", "late"]
        words.acceptances = phraseSet(
            """
            yes, yep, yeah, ok, okay, agreed, done, works for me, fine, fine by me, sure, deal, sounds good, perfect, great, let s do
            that, approved, good idea, confirmed
            """)
        words.refusals = phraseSet("no, nope, not, sorry, can t, won t, rather not, don t, impossible")
        words.decisions = phraseSet(
            """
            decided, decision, we agreed, agreed on, agreed to, it s settled, settled on, we go with, we ll go with, we re going with,
            we are going with, going with, we will use, we ll use, we chose, we picked, approved, final choice
            """)
        words.roles = phraseSet(
            """
            takes over, take over, taking over, took over, taken over, takes care of, take care of, taking care of, responsible,
            in charge, owner, owns, looks after, covers for, covering, handles, handling, will do, does, doing, lead, leads, runs,
            hosts, writing, writes, on call, swapped, contact, i ll take, i take, is preparing, prepares
            """)
        words.placeMarks = phraseSet("in, at, to, into, near")
        words.rooms = phraseSet("room, hall, floor, building, office, track, gate, platform")
        words.plain = phraseSet(
            """
            old, older, current, next one,
            planned, plan, scheduled, start, starts, begins, begin, takes place, place, held, date, time, sorry, tomorrow, today,
            morning, everyone, all, hi, update, decision, decided, agreed, ends, end, due, because, please, still, every, week, will,
            goes, goes out, go, going, use, using, month, year, day, got, said, pm, am, oct, october
            """)
        return words
    }()
}
