import NIOCore
import NIOWebSocket
import Synchronization

/// The sockets of each room, by event loop.
final class BareRooms: Sendable {
    private struct Place: Hashable {
        let room: String
        let loop: ObjectIdentifier
    }

    private struct Sockets {
        let loop: any EventLoop
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    private struct State {
        var loops: Set<ObjectIdentifier> = []
        var sockets: [Place: Sockets] = [:]
    }

    private let state = Mutex(State())

    func join(_ channel: any Channel, _ rooms: [String]) {
        let loop = ObjectIdentifier(channel.eventLoop)
        state.withLock { state in
            state.loops.insert(loop)
            for room in rooms {
                let place = Place(room: room, loop: loop)
                state.sockets[place, default: Sockets(loop: channel.eventLoop)]
                    .channels[ObjectIdentifier(channel)] = channel
            }
        }
    }

    func leave(_ channel: any Channel, _ rooms: [String]) {
        let loop = ObjectIdentifier(channel.eventLoop)
        state.withLock { state in
            for room in rooms {
                state.sockets[Place(room: room, loop: loop)]?.channels[ObjectIdentifier(channel)] = nil
            }
        }
    }

    /// Sends a text to all sockets of a room.
    func send(_ text: ByteBuffer, to room: String) {
        let groups = state.withLock { state in
            state.loops.compactMap { state.sockets[Place(room: room, loop: $0)] }
        }
        for group in groups {
            group.loop.execute {
                for channel in group.channels.values {
                    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: text), promise: nil)
                }
            }
        }
    }
}
