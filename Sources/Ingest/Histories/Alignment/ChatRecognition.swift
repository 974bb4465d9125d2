import ChatCore

/// Finds the stored conversation that a chat of an export continues, if its id does not say so: a chat without id has
/// one made of its name and first message, and both change.
///
/// Two chats are one only if that cannot be chance, because their people read each other's messages then.
struct ChatRecognition {
    /// How many stored messages are compared.
    private static let sampleLength = 500

    /// Longer texts are hardly written twice in one minute to different people.
    private static let longTextByteCount: Int32 = 24

    let store: any ImportedChatRepository
    let source: String
    /// Whether times are precise and in one zone.
    let isExact: Bool

    /// Returns the conversation among `candidates`; nil for a new chat.
    func conversation(
        of chat: ExportOutline.Chat, among candidates: [ImportedChat]
    ) async throws -> ConversationID? {
        guard let (first, last) = chat.lines.span.map({ ($0.lowerBound, $0.upperBound) }) else { return nil }
        let name = chat.roster?.conversation.name
        let tolerance = isExact ? 0 : ClockShift.limit
        var best: (id: ConversationID, count: Int)?
        for candidate in candidates {
            guard let start = candidate.first?.microseconds, let end = candidate.last?.microseconds,
                start <= last + tolerance, first - tolerance <= end
            else { continue }
            let from = max(start, first - tolerance)
            let sample = try await StoredTranscript(
                of: candidate.id, source: source, from: Timestamp(microseconds: from), limit: Self.sampleLength,
                in: store)
            let isNamesake = name != nil && name == candidate.name
            let erased = Erased(id: candidate.id, marks: try await store.erasedLines(of: candidate.id))
            guard
                let count = evidence(
                    for: sample.lines, erased, in: chat.lines, tolerance: tolerance, isNamesake: isNamesake)
            else { continue }
            if count > best?.count ?? 0 { best = (candidate.id, count) }
        }
        return best?.id
    }

    /// The marks of what was erased in a conversation.
    private struct Erased {
        let id: ConversationID
        let marks: Set<MessageID>
    }

    /// How many messages are equal; nil if that is no proof.
    ///
    /// A proof are texts of two people at the same times, and hardly another message between them. Somebody who sends
    /// greetings to many can get equal answers: so somebody with another name needs several texts, and more if the
    /// chats have different names, too.
    private func evidence(
        for sample: LineSequence, _ erased: Erased, in chat: LineSequence, tolerance: Int64, isNamesake: Bool
    ) -> Int? {
        guard let span = sample.span, let whole = chat.span else { return nil }
        let part = chat.lines(from: span.lowerBound - tolerance, through: span.upperBound + tolerance)
        let alignment = SequenceAlignment(stored: sample, export: part, isExact: isExact)
        var texts: Set<UInt64> = []
        var textsOfAuthor: [Int: Set<UInt64>] = [:]
        var longest: [Int: Int32] = [:]
        var people: Set<Int> = []
        var count = 0
        for (line, match) in zip(part.lines, alignment.matches) where match >= 0 {
            let old = sample.lines[Int(match)]
            guard TextKey.says(line.text), line.text == old.text else { continue }
            texts.insert(line.text)
            textsOfAuthor[part.author(of: line), default: []].insert(line.text)
            longest[part.author(of: line)] = max(longest[part.author(of: line)] ?? 0, line.byteCount)
            people.insert(sample.author(of: old))
            count += 1
        }
        let shift = alignment.shifts[0]
        // What was erased was of another person.
        for (line, match) in zip(part.lines, alignment.matches) where match < 0 && !erased.marks.isEmpty {
            let time = Timestamp(microseconds: line.time.subtractingClamped(shift))
            guard erased.marks.contains(ErasedLine.mark(text: line.text, time: time, in: erased.id)) else { continue }
            textsOfAuthor[part.author(of: line), default: []].insert(line.text)
            texts.insert(line.text)
            people.insert(-1)
            count += 1
        }
        guard texts.count >= 2, people.count >= 2 else { return nil }
        let minute = ClockShift.minute
        let newCount = part.lines(from: span.lowerBound + shift, through: span.upperBound + shift + minute).lines.count
        let oldCount = sample.lines(
            from: whole.lowerBound - shift - minute, through: whole.upperBound - shift
        ).lines.count
        guard count * 3 >= min(newCount, oldCount) * 2 else { return nil }
        let isWhole = count >= 4 && (isNamesake || count == max(newCount, oldCount))
        // In a chat of two or three messages texts prove it that nobody says to two people.
        let isShortWhole = count >= max(newCount, oldCount) - (count >= 2 && max(newCount, oldCount) > 2 ? 1 : 0)
        let needed = isExact ? 2 : (isNamesake ? 2 : 3) - (isWhole ? 1 : 0)
        let areKnown = alignment.authors.continued.enumerated().allSatisfy { author, other in
            guard let other, !sample.allNames[other].contains(part.names[author]) else { return true }
            return (textsOfAuthor[author]?.count ?? 0) >= needed
                || isShortWhole && longest[author, default: 0] >= Self.longTextByteCount
        }
        return areKnown ? count : nil
    }
}
