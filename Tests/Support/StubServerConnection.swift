import Foundation

/// One connection of a stub server on its thread: requests in, steps out.
struct StubServerConnection {
    let descriptor: Int32
    let number: Int
    let state: StubServerState
    let handler: @Sendable (StubRequest) -> StubResponse

    /// What a step led to.
    private enum Progress { case goOn, closedByClient, closedHere }

    /// Serves requests until one side closes.
    func run() {
        var progress = Progress.goOn
        var received = Data()
        while case .goOn = progress {
            guard let request = readRequest(&received) else {
                progress = .closedByClient
                break
            }
            progress = play(handler(request))
        }
        state.end(descriptor, byClient: progress == .closedByClient && !state.isClosed)
    }

    private func play(_ response: StubResponse) -> Progress {
        for step in response.steps {
            let progress = play(step)
            guard case .goOn = progress else { return progress }
        }
        return .goOn
    }

    private func play(_ step: StubResponse.Step) -> Progress {
        switch step {
        case .bytes(let data): return write(data) ? .goOn : .closedByClient
        case .gate(let gate): return wait(for: gate.readEnd) ? .goOn : .closedByClient
        case .hang:
            _ = wait(for: -1)
            return .closedByClient
        case .close: return .closedHere
        case .refuse:
            state.refuse()
            return .closedHere
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            return .closedHere
        }
    }

    /// Waits until `other` is readable (never, if negative) or the client goes away; returns whether it stayed.
    private func wait(for other: Int32) -> Bool {
        let hangUp = Int16(0x2000)  // POLLRDHUP
        var polled = [
            pollfd(fd: descriptor, events: hangUp, revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&polled, 2, -1) < 0 && errno == EINTR {}
        return polled[0].revents == 0
    }
}

// MARK: - Bytes

extension StubServerConnection {
    private func readRequest(_ received: inout Data) -> StubRequest? {
        let end = Data("\r\n\r\n".utf8)
        while received.range(of: end) == nil {
            guard receive(into: &received) else { return nil }
        }
        guard let range = received.range(of: end) else { return nil }
        let head = received[..<range.lowerBound]
        var rest = Data(received[range.upperBound...])
        let read = StubRequest(head: Data(head), number: 0, connection: number) { length in
            while rest.count < length { guard receive(into: &rest) else { return nil } }
            defer { rest = Data(rest.dropFirst(length)) }
            return rest.prefix(length)
        }
        received = rest
        return read.map(state.record)
    }

    private func receive(into data: inout Data) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var count = recv(descriptor, &buffer, buffer.count, 0)
        while count < 0 && errno == EINTR { count = recv(descriptor, &buffer, buffer.count, 0) }
        guard count > 0 else { return false }
        data.append(contentsOf: buffer[..<count])
        return true
    }

    /// Writes all of `data`; returns `false` when the client has gone.
    private func write(_ data: Data) -> Bool {
        data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) -> Bool in
            var offset = 0
            while offset < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                let count = send(
                    descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
                if count > 0 {
                    offset += count
                    state.note { $0.sentByteCount += count }
                } else if errno != EAGAIN || !waitUntilWritable() {
                    return false
                }
            }
            return true
        }
    }

    private func waitUntilWritable() -> Bool {
        var polled = [pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)]
        while poll(&polled, 1, 250) <= 0 { state.note { $0.stallCount += 1 } }
        return polled[0].revents & Int16(POLLERR | POLLHUP) == 0
    }
}
