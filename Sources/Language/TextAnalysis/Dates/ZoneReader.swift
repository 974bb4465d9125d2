import ChatCore

/// Reads the zone that follows a time: "UTC", "(CET)", "UTC+2", "+05:30", "Berlin time", "heure de Paris".
struct ZoneReader: DateReading {
    /// What the words at a place are.
    enum Reading: Equatable {
        /// No zone.
        case nothing
        /// A zone, up to a place.
        case zone(SaidZone, end: Int)
        /// A zone that is not known, or has several meanings.
        case unknown(end: Int)

        var end: Int? {
            switch self {
            case .nothing: nil
            case .zone(_, let end), .unknown(let end): end
            }
        }
    }

    let tokens: [DateToken]
    let lexicon: DateLexicon
    /// The IANA name of the conversation's zone.
    let own: String

    /// Reads the zone at a place.
    ///
    /// - Parameters:
    ///   - place: The token after the time.
    ///   - hasHalf: Whether "am" or "pm" was said just before, so that a word such as "est" is a zone.
    ///   - isExact: Whether a sign directly after the time is one of an offset, as in `09:00:00-05:00`.
    /// - Returns: The reading.
    func reading(at place: Int, hasHalf: Bool = false, isExact: Bool = false) -> Reading {
        guard tokens.indices.contains(place) else { return .nothing }
        let gap = tokens[place].before.filter { !$0.isWhitespace }
        if let offset = offset(at: place, gap: gap, isExact: isExact) { return offset }
        // "5 p.m. PT".
        let isPart = gap == "." && word(place - 1) == "m"
        // "9:00 - Berlin time".
        let isDash = ["-", "–", "—"].contains(gap) && tokens[place].before.utf8.count >= 3
        guard isPart || isDash || ["", "(", ",", "["].contains(gap) else { return .nothing }
        if let posix = posix(at: place) { return posix }
        if isDash { return behindDash(place) }
        // "9 Uhr nach Tokioter Zeit".
        let isLed = word(place) == "nach" || word(place) == "on"
        if let end = unknownName(isLed ? place + 1 : place) { return .unknown(end: end) }
        if isLed, let tailed = tailed(at: place + 1) { return tailed }
        let isNamed = named(at: place)
        if isNamed != .nothing { return isNamed }
        let short = abbreviation(at: place, hasHalf: hasHalf, isInBrackets: gap == "(" || gap == "[")
        if short != .nothing { return short }
        return somewhere(at: place)
    }

    /// "Chez vous", "your end".
    private func unknownName(_ place: Int) -> Int? {
        guard tokens.indices.contains(place), tokens.indices.contains(place + 1) else { return nil }
        return Zones.unknownNames.contains("\(tokens[place].word) \(tokens[place + 1].word)") ? place + 2 : nil
    }

    /// Behind a dash anything may follow: only a zone that is named as one counts.
    private func behindDash(_ place: Int) -> Reading {
        if tokens[place].isUppercase { return abbreviation(at: place, hasHalf: false, isInBrackets: false) }
        return led(at: place) ?? tailed(at: place) ?? .nothing
    }

    /// A zone by its known name.
    private func named(at place: Int) -> Reading {
        let iana = ianaName(at: place)
        if iana != .nothing { return iana }
        if let (zone, end) = tokens.phrase(of: words.zones.names, at: place)
            ?? tokens.phrase(of: Zones.names, at: place)
        {
            let isLocal = Zones.localTimes.contains(tokens[place..<end].map(\.word).joined(separator: " "))
            let there = isLocal ? placed(at: end, isLocal: true) : .nothing
            return there == .nothing ? .zone(zone, end: end) : there
        }
        guard let word = word(place), tokens[place].isCapitalised, let zone = words.zones.capitalNames[word],
            !words.zones.tails.contains(self.word(place + 1) ?? "")
        else { return .nothing }
        return .zone(zone, end: place + 1)
    }

    /// "Europe/Berlin".
    private func ianaName(at place: Int) -> Reading {
        var (name, end) = (tokens[place].source, place + 1)
        while end < tokens.count, end < place + 6, ["/", "_", "-", "+"].contains(tokens[end].before) {
            name += tokens[end].before + tokens[end].source
            end += 1
        }
        let (isName, zone) = Zones.iana(name)
        guard isName else { return .nothing }
        return zone.map { .zone($0, end: end) } ?? .unknown(end: end)
    }
}

// Offsets.
extension ZoneReader {
    private static let signs: [Character: Bool] = ["+": false, "-": true, "−": true, "–": true]

    /// "+05:30", "+0530", "(+02:00)"; a bare "+2" may also be something else.
    private func offset(at place: Int, gap: String, isExact: Bool) -> Reading? {
        let sign = gap.drop { "([,±".contains($0) }
        guard sign.count == 1, let isWest = sign.first.flatMap({ Self.signs[$0] }), isDigits(place) else { return nil }
        let isGlued = tokens[place].before.last.map { !$0.isWhitespace } ?? false
        // "18:00-19:00" is a span.
        guard isGlued, !isWest || isExact || gap.count > 1 else { return nil }
        return numbers(at: place, isWest: isWest, isLong: true)
    }

    /// Reads hours and minutes; a short form has no leading zero.
    private func numbers(at place: Int, isWest: Bool, isLong: Bool) -> Reading {
        guard let word = word(place), let number = DateWords.digits(word) else { return .unknown(end: place + 1) }
        switch word.utf8.count {
        case 4: return zone(isWest, number / 100, number % 100, end: place + 1)  // bounded: four digits
        case 3: return .unknown(end: place + 1)
        default:
            if tokens.indices.contains(place + 1), tokens[place + 1].before == ":", isDigits(place + 1) {
                let minutes = self.word(place + 1).flatMap(DateWords.digits) ?? 60
                return zone(isWest, number, minutes, end: place + 2)
            }
            // "UTC+5.5".
            let isCut = self.word(place + 1)?.first?.isNumber == true && tokens[place + 1].before == "."
            if isCut || isLong && word.utf8.count == 1 { return .unknown(end: place + (isCut ? 2 : 1)) }
            return zone(isWest, number, 0, end: place + 1)
        }
    }

    private func zone(_ isWest: Bool, _ hours: Int64, _ minutes: Int64, end: Int) -> Reading {
        SaidZone.offset(isWest: isWest, hours: hours, minutes: minutes).map { .zone($0, end: end) }
            ?? .unknown(end: end)
    }

    private func isDigits(_ place: Int) -> Bool { word(place).flatMap(DateWords.digits) != nil }

    /// The offset after "UTC" or "GMT".
    private func offsetBehind(_ place: Int) -> Reading? {
        guard tokens.indices.contains(place), isDigits(place) else { return nil }
        let gap = tokens[place].before
        guard let sign = gap.filter({ !$0.isWhitespace }).first, gap.filter({ !$0.isWhitespace }).count == 1 else {
            return nil
        }
        if sign == "±" { return numbers(at: place, isWest: false, isLong: false) }
        // "9:00 UTC - 10:00 UTC" is a span.
        guard let isWest = Self.signs[sign], !isWest || gap.last.map({ !$0.isWhitespace }) == true else { return nil }
        return numbers(at: place, isWest: isWest, isLong: false)
    }
}

// Abbreviations.
extension ZoneReader {
    private func abbreviation(at place: Int, hasHalf: Bool, isInBrackets: Bool) -> Reading {
        guard let word = word(place) else { return .nothing }
        let token = tokens[place]
        let isWritten =
            token.isUppercase || token.source == "Z" || Zones.plain.contains(word)
            || hasHalf && !Zones.otherWords.contains(word)
        guard isWritten else { return .nothing }
        if let pair = pair(at: place) { return pair }
        if word == "utc" || word == "gmt", let offset = offsetBehind(place + 1) { return offset }
        let (isKnown, zone) = Zones.abbreviation(word, in: own)
        let end = self.word(place + 1).map(words.zones.tails.contains) == true ? place + 2 : place + 1
        if isKnown { return zone.map { .zone($0, end: end) } ?? .unknown(end: end) }
        let looksLikeZone = (3...5).contains(word.utf8.count) && word.hasSuffix("t")
        let isAlone = isInBrackets && (2...5).contains(word.utf8.count) && ")]".contains(token.after.first ?? " ")
        return token.isUppercase && (looksLikeZone || isAlone || end > place + 1) ? .unknown(end: end) : .nothing
    }

    /// "PST8PDT", "CET-1CEST": the names that POSIX has; nil for other words.
    private func posix(at place: Int) -> Reading? {
        let token = tokens[place]
        let letters = token.word.prefix(while: \.isLetter)
        guard letters.utf8.count >= 3, token.source.first?.isUppercase == true,
            Zones.abbreviation(String(letters), in: own).known
        else { return nil }
        var (name, end) = (token.word, place + 1)
        if letters.count == token.word.count {
            guard tokens.indices.contains(end), tokens[end].before == "-", let rest = word(end),
                rest.first?.isNumber == true, rest.last?.isLetter == true
            else { return nil }
            (name, end) = (name + "-" + rest, end + 1)
        }
        guard name.dropFirst(letters.count).count <= 8 else { return nil }
        return Zones.posix[name].map { .zone($0, end: end) } ?? .unknown(end: end)
    }

    /// "PST/PDT"; two abbreviations of different zones have no meaning together.
    private func pair(at place: Int) -> Reading? {
        guard tokens.indices.contains(place + 1), tokens[place + 1].before == "/", tokens[place + 1].isUppercase,
            let first = word(place), let second = word(place + 1), Zones.abbreviation(second, in: own).known
        else { return nil }
        return Zones.pairs["\(first)/\(second)"].map { .zone($0, end: place + 2) } ?? .unknown(end: place + 2)
    }
}

// Places.
extension ZoneReader {
    /// "Berlin time", "Berliner Zeit", "heure de Paris"; a place that is not known has an unknown time.
    private func somewhere(at place: Int) -> Reading {
        if let led = led(at: place) { return led }
        if tokens[place].before.hasSuffix("("), let (city, end) = city(at: place), tokens[end - 1].after.hasPrefix(")")
        {
            return .zone(.named(city), end: end)
        }
        if let tailed = tailed(at: place) { return tailed }
        if let word = word(place), tokens[place].isCapitalised, !words.zones.ordinaryCompounds.contains(word),
            words.zones.compounds.contains(where: { word.hasSuffix($0) && word.utf8.count > $0.utf8.count })
        {
            return .unknown(end: place + 1)
        }
        guard tokens[place].isCapitalised, tokens[place].before.allSatisfy(\.isWhitespace), isBehindHour(place),
            let (city, end) = knownPlace(at: place)
        else { return .nothing }
        // A city after a time may be the place where something happens.
        return city == own ? .zone(.own, end: end) : .unknown(end: end)
    }

    /// "Berlin time", "New York local time".
    private func tailed(at place: Int) -> Reading? {
        if let (city, end) = knownPlace(at: place), isNear(place + 1, end - place),
            let (zone, last) = tokens.phrase(of: words.zones.names, at: end), zone == .own
        {
            return .zone(.named(city), end: last)
        }
        for count in 1...3 where isTail(place + count) && isNear(place + 1, count) {
            return tailed(place..<(place + count))
        }
        return nil
    }

    private func isTail(_ place: Int) -> Bool {
        word(place).map { words.zones.tails.contains($0) || Zones.tails.contains($0) } ?? false
    }

    private func isBehindHour(_ place: Int) -> Bool {
        guard let word = word(place - 1) else { return false }
        return word.contains(where: \.isNumber) || word == "m" || DueDateParser.halves[word] != nil
            || words.due.clocks.contains(word)
    }

    private func isNear(_ start: Int, _ count: Int) -> Bool {
        (start..<(start + count)).allSatisfy { place in
            tokens.indices.contains(place) && tokens[place].before.allSatisfy { $0 == " " || $0 == "-" }
        }
    }

    private func city(at place: Int) -> (String, end: Int)? {
        knownPlace(at: place) ?? tokens.phrase(of: words.zones.cities, at: place)
            ?? tokens.phrase(of: Zones.cities, at: place)
    }

    /// Reads "Berlin time", "Berliner Zeit".
    private func tailed(_ places: Range<Int>) -> Reading {
        let end = places.upperBound + 1
        if let (city, last) = city(at: places.lowerBound), last == places.upperBound {
            return .zone(.named(city), end: end)
        }
        guard let word = word(places.lowerBound) else { return .nothing }
        for ending in words.zones.tailEndings where word.hasSuffix(ending) && places.count == 1 {
            let city = String(word.dropLast(ending.count))
            if let zone = words.zones.cities[city] ?? Zones.cities[city] { return .zone(.named(zone), end: end) }
        }
        // German has words of every kind before "Zeit"; a place has a capital.
        let isPlace =
            words.zones.tailEndings.isEmpty || tokens[places.upperBound].word == "time"
            ? places.count == 1 && !words.zones.ordinaryBefore.contains(word) || tokens[places.lowerBound].isCapitalised
            : places.count == 1 && tokens[places.lowerBound].isCapitalised
                && words.zones.tailEndings.contains { word.hasSuffix($0) }
        return isPlace ? .unknown(end: end) : .nothing
    }

    /// Reads "heure de Paris", "hora del Pacífico".
    private func led(at place: Int) -> Reading? {
        let (lead, joint) = (word(place) ?? "", word(place + 1) ?? "")
        guard words.zones.leads.contains(lead) || Zones.leads.contains(lead),
            words.zones.leadJoints.contains(joint) || Zones.leadJoints.contains(joint)
        else { return nil }
        if let (city, end) = city(at: place + 2) { return .zone(.named(city), end: end) }
        guard tokens.indices.contains(place + 2), tokens[place + 2].isCapitalised else { return nil }
        return .unknown(end: place + 3)
    }
}
