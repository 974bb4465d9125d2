import ArgumentParser

/// The server that is measured, with the paths and bodies that it understands.
enum BenchTarget: String, ExpressibleByArgument {
    case nexus
    case bare

    /// The path of a socket of somebody in rooms.
    func socketPath(rooms: [String], cursor: String? = nil) -> String {
        switch self {
        case .nexus: "/v1/socket" + (cursor.map { "?cursor=\($0)" } ?? "")
        case .bare: "/socket?rooms=" + rooms.joined(separator: ",")
        }
    }

    /// The path and body that send a message.
    func message(_ number: Int, run: String, in room: String, from user: String) -> (path: String, body: String) {
        let text = Stamp.text(number) + " The pallets for the Hamburg pilot arrive on Tuesday, please keep gate 4 free."
        let body = #"{"senderId":"\#(user)","localId":"\#(run)-\#(number)","text":"\#(text)"}"#
        return switch self {
        case .nexus: ("/v1/conversations/\(room)/messages", body)
        case .bare: ("/send?room=\(room)", body)
        }
    }
}
