import ChatCore

/// Gives the events of a room in an export of Synapse as one JSON document of Element's form, with the ids of events.
///
/// Synapse writes objects one behind the other, without line breaks, lists or ids. The state from before a gap, for
/// example before the person of the export came, is in other files: it comes first.
struct SynapseEvents: ByteSource {
    /// The version of a room whose beginning is not in the export; messages have the same ids in all of 4 to 11.
    private static let likelyVersion = 10
    private static let pieceByteCount = 64 << 10

    private var states: [any ByteSource]
    private var objects: JSONObjects
    private var version: Int?
    private var isAtStart = true
    private var isFirst = true
    private var isAtEnd = false

    /// - Parameters:
    ///   - events: The events of the room.
    ///   - states: The states of the room from before gaps.
    init(_ events: any ByteSource, states: [any ByteSource]) {
        self.states = states
        objects = JSONObjects(events)
    }

    mutating func read() throws -> [UInt8]? {
        guard !isAtEnd else { return nil }
        var piece: [UInt8] = []
        if isAtStart {
            isAtStart = false
            piece += #"{"messages":["#.utf8
            for state in states { try addState(state, to: &piece) }
            states = []
        }
        while piece.count < Self.pieceByteCount {
            guard let object = try objects.next() else {
                isAtEnd = true
                // A document that breaks off is reported as such.
                if !objects.isCut { piece += "]}".utf8 }
                return piece
            }
            add(object, to: &piece)
        }
        return piece
    }

    private mutating func addState(_ source: any ByteSource, to piece: inout [UInt8]) throws {
        var objects = JSONObjects(source)
        var found: [[UInt8]] = []
        while let object = try objects.next() {
            let fields = Self.fields(of: object)
            guard fields?["type"] == .string("m.room.create") else {
                found.append(object)
                continue
            }
            // It says the version, but not that the events begin with the room.
            version = version ?? fields.map(Self.version)
        }
        for object in found where Self.fields(of: object) != nil { add(object, to: &piece) }
    }

    /// Adds an event with its id; what cannot be read stays as it is, and the import reports it.
    private mutating func add(_ object: [UInt8], to piece: inout [UInt8]) {
        if !isFirst { piece.append(UInt8(ascii: ",")) }
        isFirst = false
        guard var fields = Self.fields(of: object) else {
            piece += object
            return
        }
        if fields["type"] == .string("m.room.create") { version = Self.version(fields) }
        let id = MatrixEventID(version: version ?? Self.likelyVersion(fields)).id(of: fields)
        let isNew = fields["event_id"] == nil
        fields["event_id"] = id.map { .string($0) }
        if let bytes = CanonicalJSON.bytes(.object(fields)) {
            piece += bytes
        } else if let id, isNew {
            // A number that is not whole, for example a place: the id does not depend on the content of a message.
            piece += Array("{\"event_id\":\"\(id)\",".utf8) + object.dropFirst()
        } else {
            piece += object
        }
    }

    private static func fields(of object: [UInt8]) -> [String: JSONValue]? {
        guard case .object(let fields)? = try? JSONParser.parse(object) else { return nil }
        return fields
    }

    private static func version(_ creation: [String: JSONValue]) -> Int {
        guard case .object(let content)? = creation["content"], case .string(let text)? = content["room_version"] else {
            return 1
        }
        return Int(text) ?? likelyVersion(creation)
    }

    /// From version 12 on the id of a room names no server.
    private static func likelyVersion(_ fields: [String: JSONValue]) -> Int {
        if case .string(let room)? = fields["room_id"] { return room.contains(":") ? likelyVersion : 12 }
        return 12
    }
}

extension SynapseEvents {
    /// What a path in an export means.
    enum Entry: Equatable {
        /// The events of a room.
        case events(room: String)
        /// A state of a room from before a gap.
        case state(room: String)
        case other

        var isEvents: Bool { if case .events = self { true } else { false } }
    }

    /// Returns what a path means: `rooms/ROOM/events`, `rooms/ROOM/state/EVENT`; other files of the export say nothing.
    static func entry(at path: String?) -> Entry? {
        let parts = (path ?? "").split(separator: "/").suffix(4).map(String.init)
        guard let place = parts.firstIndex(where: { $0.hasPrefix("!") }), place + 1 < parts.count else { return nil }
        switch (parts[place + 1], parts.count - place) {
        case ("events", 2): return .events(room: parts[place])
        case ("state", 3): return .state(room: parts[place])
        case ("invite_state", 2), ("knock_state", 2): return .other
        default: return nil
        }
    }
}

/// Divides JSON objects that follow each other without anything between them.
struct JSONObjects {
    /// No event is that long.
    private static let byteLimit = 1 << 20

    private var source: any ByteSource
    private var piece: ArraySlice<UInt8> = []
    /// The first byte of an object, which was read with what stood before it.
    private var held: UInt8?
    /// Whether the bytes ended within an object.
    private(set) var isCut = false

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Returns the next object, or what stands between two; an object that is too long becomes `null`.
    mutating func next() throws -> [UInt8]? {
        var (object, isTooLong): ([UInt8], Bool) = ([], false)
        var rest: JSONRecovery?
        while let byte = try nextByte() {
            if rest == nil {
                if object.isEmpty, byte == 0x20 || (0x09...0x0D).contains(byte) { continue }
                if byte == UInt8(ascii: "{") {
                    guard object.isEmpty else {
                        held = byte
                        return object
                    }
                    rest = JSONRecovery(JSONGrammar(), to: 0)
                }
            }
            if object.count < Self.byteLimit { object.append(byte) } else { isTooLong = true }
            if rest?.take(byte) == .ended { return isTooLong ? Array("null".utf8) : object }
        }
        isCut = !object.isEmpty
        return object.isEmpty ? nil : object
    }

    private mutating func nextByte() throws -> UInt8? {
        if let byte = held.take() { return byte }
        if piece.isEmpty {
            guard let next = try source.read() else { return nil }
            piece = next[...]
        }
        return piece.popFirst()
    }
}
