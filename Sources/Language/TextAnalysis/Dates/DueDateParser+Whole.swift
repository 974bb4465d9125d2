import ChatCore

// Words around a date that change its meaning: a date that is read without them would be wrong.
extension DueDateParser {
    /// Returns the place after "last Friday", "letzte Woche", "yesterday", "3 days ago"; nil if there is none.
    func past(_ place: Int) -> Int? {
        guard let word = word(place) else { return nil }
        if let next = self.word(place + 1), words.laterModifiers[next] == -1, isNoun(word) { return place + 2 }
        if words.agoLeads.contains(word), !due.before.contains(word), let (_, end) = count(place + 1) { return end + 1 }
        guard words.modifier(word) == -1 else { return due.past.contains(word) ? place + 1 : nil }
        let next = words.laterModifiers.isEmpty ? place + 1 : skip(words.articles, from: place + 1)
        guard let noun = self.word(next), isNoun(noun) else { return nil }
        return next + 1
    }

    /// Whether a word names a day, a month or a longer unit.
    private func isNoun(_ word: String) -> Bool {
        words.weekday(word) != nil || words.units[word] != nil || words.month(word) != nil
    }

    /// Returns the place after a time that follows, so that it is not read alone: "yesterday at 5pm".
    func clockEnd(after end: Int) -> Int {
        let next = skip(due.joints, from: end)
        guard areNear(end...next), let clock = clock(at: next, isBesideDay: true) else { return end }
        return clock.tokens.upperBound
    }

    /// Returns the place after "every Friday at 5", "jeden zweiten Montag", "daily", "tous les jours".
    func recurring(_ place: Int) -> Int? {
        guard let word = word(place) else { return nil }
        var end = place + 1
        if !words.recurringDays.contains(word) {
            guard words.recurring.contains(word) else { return nil }
            end = skip(from: end) {
                words.recurringFillers.contains($0) || !words.laterModifiers.isEmpty && words.articles.contains($0)
            }
            if !(self.word(end).map(isNoun) ?? false), countWord(end) != nil || dayNumber(end) != nil { end += 1 }
            guard let noun = self.word(end), isNoun(noun) || due.dayParts[noun] != nil || words.dayParts[noun] != nil
            else { return nil }
            end += 1
        }
        let last = clockEnd(after: end)
        guard last == end, let day = day(at: skip(due.joints, from: end)), areNear(end...day.tokens.lowerBound) else {
            return last
        }
        return clockEnd(after: day.tokens.upperBound)
    }

    /// Returns the place after a date that is not meant: "not on Friday", "nicht vor Montag".
    func refused(_ place: Int) -> Int? {
        guard let word = word(place), words.negations.contains(word) else { return nil }
        for start in (place + 1)...(place + 3) {
            guard tokens.indices.contains(start), tokens[start].before.allSatisfy(\.isWhitespace) else { return nil }
            if case .date(let places, _) = date(at: start) { return places.upperBound }
            let word = tokens[start].word
            guard isLead(word) || due.before.contains(word) || due.after.contains(word) else { return nil }
        }
        return nil
    }

    /// Whether a word may come before a date.
    private func isLead(_ word: String) -> Bool {
        due.leads.contains(word) || due.joints.contains(word) || words.articles.contains(word)
    }

    /// Returns the place after a date from which something begins, or a distance to one that is not read: "after
    /// Friday", "an hour before noon".
    func opened(_ place: Int) -> Int? {
        var end = place
        if let (_, last) = count(place), let unit = word(last), words.units[unit] != nil || due.minutes[unit] != nil {
            end = last + 1
            guard let joint = word(end),
                due.after.contains(joint) || due.before.contains(joint) || due.distanceJoints.contains(joint)
            else { return nil }
        } else {
            guard let word = word(place), due.after.contains(word) else { return nil }
        }
        let next = skip(from: end + 1) { words.articles.contains($0) || due.joints.contains($0) }
        guard areNear((end + 1)...next), case .date(let places, _) = date(at: next) else { return nil }
        return places.upperBound
    }

    /// Whether a word begins a time that has no end: "from 9:00", "ab 9 Uhr", "à partir de 9h".
    func isOpener(_ place: Int) -> Bool {
        guard let word = word(place) else { return false }
        if Self.openers.contains(word) { return true }
        return Self.openerJoints.contains(word) && self.word(place - 1).map { isOpener($0, place - 1) } ?? false
    }

    private func isOpener(_ word: String, _ place: Int) -> Bool {
        word == "partir" || Self.openerJoints.contains(word) && self.word(place - 1) == "partir"
    }

    private static let openers: Set<String> = ["from", "ab", "desde", "partir"]
    private static let openerJoints: Set<String> = ["de", "las", "la", "d"]

    /// Returns the place after a time from which on a day is meant: "tomorrow after 9", "morgen ab 9 Uhr".
    func openedTime(_ end: Int) -> Int? {
        let next = skip(from: end, atMost: 4) {
            due.after.contains($0) || Self.openers.contains($0) || Self.openerJoints.contains($0) || $0 == "a"
        }
        guard next > end, areNear(end...next),
            (end..<next).contains(where: {
                due.after.contains(tokens[$0].word) || Self.openers.contains(tokens[$0].word)
            })
        else { return nil }
        if let clock = clock(at: next, isBesideDay: true) { return clock.tokens.upperBound }
        return number(next).map { $0 <= 24 } == true && tokens[next].word.utf8.count <= 2 ? next + 1 : nil
    }

    /// Returns the place after a weekday of a longer span that is found by counting: "first Monday in January".
    func numberedWeekday(_ place: Int) -> Int? {
        let isBehind = weekdayNumber(place) != nil && isCounter(place - 1)
        guard isBehind || isCounter(place) && weekdayNumber(place + 1) != nil else { return nil }
        let end = isBehind ? place + 1 : place + 2
        let next = skip(from: end) {
            words.ofs.contains($0) || words.articles.contains($0) || due.monthLeads.contains($0)
                || due.joints.contains($0)
        }
        guard next > end else { return nil }
        if monthNumber(next) != nil { return next + 1 }
        let noun = modifier(next) == nil ? next : next + 1
        guard let unit = unit(noun), unit != .day, unit != .week, unit != .weekend, unit != .hour else { return nil }
        return noun + 1
    }

    private func isCounter(_ place: Int) -> Bool {
        guard let word = word(place) else { return false }
        if Self.counters.contains(word) { return true }
        return DateWords.digits(word) == nil && words.dayNumber(word).map { $0 <= 5 } == true
    }

    private static let counters = wordSet(
        """
        first second third fourth fifth last erste ersten erster zweite zweiten zweiter dritte dritten dritter vierte vierten
        vierter letzte letzten letzter premier deuxieme troisieme quatrieme dernier primer primero segundo tercer cuarto
        ultimo
        """)

    /// Returns the place after another date that may be meant instead: "or Monday", "/ Monday".
    func alternative(after end: Int) -> Int? {
        guard tokens.indices.contains(end) else { return nil }
        let gap = tokens[end].before.filter { !$0.isWhitespace }
        let isWord = due.alternatives.contains(tokens[end].word) && tokens[end].isNear
        guard isWord || gap == "/" else { return nil }
        let first = isWord ? end + 1 : end
        let last = skip(from: first, while: isLead)
        for start in first == last ? [first] : [first, last] {
            if case .date(let places, _) = date(at: start) { return places.upperBound }
        }
        // "In a week or two."
        if isWord, let count = countWord(last), count > 1 { return unit(last + 1) == nil ? last + 1 : last + 2 }
        // "Or the day after."
        return isWord && word(last).map(isNoun) == true ? last + 1 : nil
    }

    /// Returns the place after words that make a date recurring or past: "of every month", "last week".
    func repetition(after end: Int) -> Int? {
        let next = skip(from: end) { words.ofs.contains($0) || words.articles.contains($0) }
        if let last = besideEvent(end) { return last }
        if let last = weekNumber(skip(due.joints, from: next)) { return last }
        guard areNear(end...next) else { return nil }
        if word(next).map(words.recurring.contains) == true || word(next).map(words.recurringDays.contains) == true {
            return recurring(next)
        }
        if modifier(next) == -1, unit(next + 1) != nil { return next + 2 }
        // "The Friday after next", "the week before last".
        let isBeside = word(next).map { due.after.contains($0) || due.before.contains($0) } ?? false
        return isBeside && modifier(next + 1) != nil && next == end ? next + 2 : nil
    }

    /// Returns the place after an event that a day is found from: "the Monday before Christmas", "the Friday after the
    /// release".
    private func besideEvent(_ end: Int) -> Int? {
        guard let joint = word(end), due.before.contains(joint) || due.after.contains(joint), isWeekday(end - 1) else {
            return nil
        }
        let next = skip(from: end + 1) { words.articles.contains($0) || words.ofs.contains($0) }
        let isFeast = word(next).map(Self.feasts.contains) ?? false
        return isFeast || word(end - 2) == "the" && clock(at: next, isBesideDay: true) == nil
            ? min(next + 1, tokens.count) : nil
    }

    private static let feasts = wordSet(
        """
        christmas easter thanksgiving pentecost ramadan weihnachten heiligabend ostern pfingsten silvester noel paques
        pentecote navidad pascua pascuas
        """)

    /// Returns the place after the number of a week beside a day: "Friday (week 50)", "Freitag KW 50".
    private func weekNumber(_ place: Int) -> Int? {
        guard let word = word(place), tokens[place].before.utf8.allSatisfy({ " (,".utf8.contains($0) }) else {
            return nil
        }
        let names: Set<String> = ["kw", "cw", "wk", "week", "woche", "kalenderwoche", "semaine", "semana"]
        if names.contains(word), let number = number(place + 1), (1...53).contains(number) { return place + 2 }
        let digits = word.drop(while: \.isLetter)
        let isJoined = digits.count < word.count && names.contains(String(word.prefix { $0.isLetter }))
        return isJoined && DateWords.digits(String(digits)).map { (1...53).contains($0) } == true ? place + 1 : nil
    }

    /// Takes the day at the end of a span: "Monday to Friday", "Dec 3 - Dec 5", "between Monday and Wednesday".
    func spanned(_ day: Day) -> Day {
        let end = day.tokens.upperBound
        guard tokens.indices.contains(end), let next = spanJoint(end, isLed: isBetween(day.tokens.lowerBound)),
            let last = self.day(at: skip(words.articles, from: next))
        else { return day }
        var whole = Day(day.tokens.lowerBound..<last.tokens.upperBound, last.day, before: day.before)
        whole.isUnknown = day.isUnknown || last.isUnknown
        guard last.day < day.day else { return whole }
        // From Monday to Friday, said on Wednesday.
        if last.isWeekday { whole.day += 7 }
        whole.isUnknown = whole.isUnknown || whole.day < day.day
        return whole
    }

    private func isBetween(_ start: Int) -> Bool {
        let lead = words.articles.contains(word(start - 1) ?? "") ? start - 2 : start - 1
        return due.betweens.contains(word(lead) ?? "")
    }

    /// Returns the place after "to" or a dash; after "and" only for a span that "between" began.
    func spanJoint(_ place: Int, isLed: Bool) -> Int? {
        guard tokens.indices.contains(place) else { return nil }
        if ["-", "–", "—", "~", "〜"].contains(tokens[place].before.filter { !$0.isWhitespace }) { return place }
        guard tokens[place].isNear, words.spanJoints.contains(tokens[place].word),
            isLed || !due.conjunctions.contains(tokens[place].word)
        else { return nil }
        return place + 1
    }

    /// Whether an hour seems to be here that was not read: "at 9ish", "at half".
    func isUnreadTime(_ place: Int) -> Bool {
        guard let word = word(place), let lead = self.word(place - 1) else { return false }
        let isExact = due.exactHourLeads.contains(lead)
        if word.first?.isNumber == true { return isExact || due.hourLeads.contains(lead) }
        guard isExact else { return false }
        return (words.numbers[word] ?? 1) > 1
            || due.minuteLeads.keys.contains { $0.split(separator: " ").first == word[...] }
    }

    /// Whether two hours seem to be here that may also count something: "tomorrow 9-10".
    func isUnreadSpan(_ place: Int) -> Bool {
        guard let first = number(place), first <= 24, let next = spanJoint(place + 1, isLed: false),
            let last = number(next), last <= 24
        else { return false }
        return tokens[place].word.utf8.count <= 2 && tokens[next].word.utf8.count <= 2
    }

    /// Whether a word is a day and an hour in ISO 8601: "03T17".
    static func isBeforeTime(_ word: String) -> Bool {
        word.utf8.count == 5 && word.dropFirst(2).first == "t" && DateWords.digits(String(word.prefix(2))) != nil
    }

    /// Whether the words of dates in a part of the text, in UTF-8 bytes, are all in what was found there: no number, zone or
    /// name of a time is directly beside it.
    func isRead(_ part: Range<Int>, by found: [FoundDueDate]) -> Bool {
        let isFound = tokens.map { token in found.contains { $0.range.overlaps(token.range) } }
        return tokens.indices.allSatisfy { place in
            guard !isFound[place], tokens[place].range.overlaps(part), isTelling(place) else { return true }
            let isBehind = place > 0 && isFound[place - 1] && isJoined(place)
            let isAhead = place + 1 < tokens.count && isFound[place + 1] && isJoined(place + 1)
            return !isBehind && !isAhead
        }
    }

    /// Whether nothing but blanks, hyphens and brackets part a token from the one before.
    private func isJoined(_ place: Int) -> Bool { tokens[place].before.utf8.allSatisfy { " (/-".utf8.contains($0) } }

    private func isTelling(_ place: Int) -> Bool {
        let token = tokens[place]
        let isZone = words.zones.tails.contains(token.word) || token.isUppercase && token.source.utf8.count <= 5
        return token.word.first?.isNumber == true || isZone || isWeekday(place) || unit(place) != nil
            || due.times[token.word] != nil || modifier(place) == -1
            || monthNumber(place) != nil && (token.isCapitalised || words.plainMonths.contains(token.word))
    }
}
