import ChatCore

/// The rooms of an import that are one conversation, because each was replaced by the next.
///
/// Both sides must say so: anybody can create a room that calls itself the successor of another one.
struct ElementChains {
    /// Rooms that follow each other.
    struct Chain {
        /// The first room, which gives the conversation its id.
        let firstRoom: String
        /// The name of the last room.
        let name: String?
        let isPublic: Bool
        /// The memberships over all rooms, by user id.
        let memberships: [String: ElementRoom.Membership]
        /// The names of each person, the present one last.
        let names: [String: [String]]
        /// Who could read which room.
        let rights: [ElementRights.Part]
    }

    private var chains: [String: Chain] = [:]

    /// No chains.
    init() {}

    /// Looks for rooms that follow each other; a file that breaks off counts as far as it goes.
    ///
    /// - Parameter files: All files of rooms in an import.
    /// - Throws: ``ImportFileError``, errors of reading.
    init(_ files: [HistoryFile]) throws {
        var rooms: [String: ElementRoom] = [:]
        for file in files { try Self.read(file, into: &rooms) }
        for room in rooms.keys.sorted() where Self.predecessor(of: room, in: rooms) == nil {
            join(Self.successors(of: room, in: rooms).compactMap { rooms[$0] })
        }
    }

    func chain(of room: String?) -> Chain? { room.flatMap { chains[$0] } }

    private static func read(_ file: HistoryFile, into rooms: inout [String: ElementRoom]) throws {
        var document = ChatDocument(try file.open())
        var room = ElementRoom()
        do {
            while let step = try document.next() {
                switch step {
                case .field("room_name"):
                    let data = try document.stream.fieldValue(limit: 1 << 10)
                    if let data, case .string(let name)? = try? JSONElement.parse(data) { room.name = name }
                case .field: try document.stream.skipField()
                case .messages: try read(&document, &room, rooms)
                }
            }
        } catch is JSONStreamError {
            // The import reaches the same place, and reports it.
        }
        if let id = room.roomID { rooms[id] = room }
    }

    private static func read(
        _ document: inout ChatDocument, _ room: inout ElementRoom, _ rooms: [String: ElementRoom]
    ) throws {
        try document.stream.beginArray()
        while let element = try document.stream.nextElement() {
            guard case .fields(let fields) = element else { continue }
            // Another export of the same room.
            if room.roomID == nil, let known = fields.id("room_id").flatMap({ rooms[$0] }) {
                let name = room.name ?? known.name
                room = known
                room.name = name
            }
            room.rememberPeople(fields)
        }
    }
}

extension ElementChains {
    /// The room that a room replaced, if both say so.
    private static func predecessor(of room: String, in rooms: [String: ElementRoom]) -> String? {
        rooms[room]?.predecessor.flatMap { rooms[$0]?.successor == room ? $0 : nil }
    }

    private static func successors(of room: String, in rooms: [String: ElementRoom]) -> [String] {
        var found = [room]
        while let next = found.last.flatMap({ rooms[$0]?.successor }), !found.contains(next),
            predecessor(of: next, in: rooms) == found.last
        {
            found.append(next)
        }
        return found
    }

    /// Joins rooms that the same people find: open ones with open ones, others with others.
    private mutating func join(_ rooms: [ElementRoom]) {
        var joined: [ElementRoom] = []
        for room in rooms {
            if let last = joined.last, last.isPublic != room.isPublic {
                add(joined)
                joined = []
            }
            joined.append(room)
        }
        add(joined)
    }

    /// Returns who alone could read a room, if others came to a later one; nil if everybody may read it.
    private static func readers(of room: ElementRoom, before later: some Sequence<ElementRoom>) -> Set<String>? {
        guard !room.isPublic, later.contains(where: { !$0.allPeople.isSubset(of: room.allPeople) }) else { return nil }
        return room.allPeople
    }

    private mutating func add(_ rooms: [ElementRoom]) {
        guard rooms.count > 1, let first = rooms.first?.roomID else { return }
        var memberships: [String: ElementRoom.Membership] = [:]
        var names: [String: [String]] = [:]
        for (index, room) in rooms.enumerated() {
            let closedAt = index < rooms.count - 1 ? room.replacedAt : nil
            for person in room.allPeople {
                let own = room.membership(of: person)
                var membership = own
                if let before = memberships[person],
                    before.leftAt == nil || before.leftAt == rooms[index - 1].replacedAt
                {
                    membership.joinedAt = before.joinedAt
                }
                if membership.leftAt == nil { membership.leftAt = closedAt }
                memberships[person] = membership
            }
            names.merge(room.names) { earlier, later in earlier.filter { !later.contains($0) } + later }
        }
        let chain = Chain(
            firstRoom: first, name: rooms.last.flatMap { $0.name ?? $0.stateName?.text },
            isPublic: rooms.allSatisfy(\.isPublic),
            memberships: memberships, names: names,
            rights: rooms.enumerated().map { index, room in
                ElementRights.Part(
                    room.rights, until: index < rooms.count - 1 ? room.replacedAt : nil,
                    readers: Self.readers(of: room, before: rooms[(index + 1)...]))
            })
        for room in rooms { if let id = room.roomID { chains[id] = chain } }
    }
}
