// Places behind a time: "9:00 in Tokyo", "à 9h à Montréal", "9 Uhr Ortszeit in New York".
extension ZoneReader {
    /// Reads the place whose clock shows the time before it.
    ///
    /// - Parameters:
    ///   - place: The token after the time, or after "local time".
    ///   - isLocal: Whether "local time" was said, so that every name is that of a place.
    /// - Returns: The zone; unknown for a place whose zone is not known.
    func placed(at place: Int, isLocal: Bool = false) -> Reading {
        guard tokens.indices.contains(place),
            tokens[place].before.allSatisfy({
                $0.isWhitespace || isLocal && ",(".contains($0) || $0 == "." && word(place - 1) == "m"
            })
        else { return .nothing }
        if tokens[place].word == "по" { return .unknown(end: min(place + 2, tokens.count)) }
        var start = place
        if Self.placeLeads.contains(tokens[place].word) || isLocal && Self.localLeads.contains(tokens[place].word) {
            start += 1
            if let word = word(start), Self.placeArticles.contains(word) { start += 1 }
        } else if !isLocal {
            return .nothing
        }
        guard tokens.indices.contains(start), tokens[start].isCapitalised,
            start == place || tokens[start].before.allSatisfy({ $0 == " " || $0 == "'" || $0 == "’" })
        else { return .nothing }
        return name(at: start, isLocal: isLocal)
    }

    private func name(at start: Int, isLocal: Bool) -> Reading {
        if let (zone, end) = knownPlace(at: start) {
            // "In Tokyo Room" may be anywhere.
            return word(end).map(ZonePlaces.facilities.contains) == true && tokens[end].before == " "
                ? .unknown(end: end + 1) : .zone(zone == own ? .own : .named(zone), end: end)
        }
        if let end = widePlace(at: start) { return .unknown(end: end) }
        return isLocal || seemsPlace(at: start) ? .unknown(end: start + 1) : .nothing
    }

    /// Returns the zone of a place that is written with a capital.
    func knownPlace(at place: Int) -> (value: String, end: Int)? {
        guard tokens.indices.contains(place), tokens[place].isCapitalised else { return nil }
        return tokens.phrase(of: words.zones.cities, at: place) ?? tokens.phrase(of: ZonePlaces.zones, at: place)
    }

    private func widePlace(at place: Int) -> Int? {
        if tokens[place].word == "us" { return tokens[place].isUppercase ? place + 1 : nil }
        for count in [2, 1] where place + count <= tokens.count {
            let name = tokens[place..<(place + count)].map(\.word).joined(separator: " ")
            if ZonePlaces.wide.contains(name) { return place + count }
        }
        return nil
    }

    /// Whether a word with a capital behind "in" can hardly be anything but a place on a map.
    ///
    /// In German all nouns have capitals, so there it proves nothing.
    private func seemsPlace(at place: Int) -> Bool {
        let (token, next) = (tokens[place], word(place + 1))
        let isName = token.source.allSatisfy { $0.isLetter } && !token.isUppercase && token.word.utf8.count > 2
        let isOrdinary =
            ZonePlaces.ordinaryNames.contains(token.word) || ZonePlaces.facilities.contains(token.word)
            || words.weekday(token.word) != nil || words.month(token.word) != nil
        let isRoom =
            next.map { $0.first?.isNumber == true || $0.utf8.count == 1 || ZonePlaces.facilities.contains($0) } ?? false
            && tokens[place + 1].before == " "
        let isGerman = words.hasCapitalNouns && tokens.contains { Self.germanWords.contains($0.word) }
        return isName && !isOrdinary && !isRoom && !isGerman
    }

    private static let placeLeads: Set<String> = ["in", "a", "en", "au", "aux", "em", "na", "no", "te", "w"]
    private static let localLeads: Set<String> = ["of", "at", "for", "von", "de", "d", "du", "del", "da", "do"]
    private static let placeArticles: Set<String> = ["the", "der", "den", "dem", "la", "le", "les", "l", "el", "los"]
    private static let germanWords = wordSet(
        "um uhr morgen heute ubermorgen bis am im der die das den dem und wir ich mit ab nach bitte fur montag dienstag "
            + "mittwoch donnerstag freitag samstag sonntag")
}
