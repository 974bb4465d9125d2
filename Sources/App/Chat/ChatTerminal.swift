import Foundation
import Glibc
import Synchronization

/// Standard input and output of `nexus chat`: a line editor in a terminal, plain lines otherwise.
final class ChatTerminal: Sendable {
    /// What a person enters.
    enum Input: Sendable {
        case line(String)
        /// The person changes the line.
        case typing
        case end
    }

    private struct State {
        var editor = LineEditor()
        var saved: termios?
    }

    private static let prompt = "> "

    /// Whether a person types in a terminal.
    let isInteractive: Bool
    /// What the person enters.
    let input: AsyncStream<Input>
    private let entered: AsyncStream<Input>.Continuation
    private let state = Mutex(State())

    init() {
        isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        (input, entered) = AsyncStream.makeStream(of: Input.self)
    }

    deinit { close() }

    /// Begins to read.
    func open() {
        if isInteractive { enterRawMode() }
        Thread.detachNewThread { [weak self] in
            var rest: [UInt8] = []
            var bytes = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                if count < 0, errno == EINTR { continue }
                guard let self, count > 0 else { break }
                if isInteractive { edit(bytes[..<count]) } else { takeLines(bytes[..<count], &rest) }
            }
            guard let self else { return }
            if !rest.isEmpty { entered.yield(.line(String(decoding: rest, as: UTF8.self))) }
            entered.yield(.end)
        }
    }

    /// Restores the terminal; may be called several times.
    func close() {
        state.withLock { state in
            guard var saved = state.saved.take() else { return }
            Console.write("\r\u{1B}[K", to: STDOUT_FILENO)
            tcsetattr(STDIN_FILENO, TCSADRAIN, &saved)
        }
    }

    /// Shows a line of a conversation.
    func print(_ line: String) { show(line, to: STDOUT_FILENO) }

    /// Shows something about the program.
    func note(_ line: String) {
        show(isInteractive ? "\u{1B}[2m\(line)\u{1B}[0m" : line, to: isInteractive ? STDOUT_FILENO : STDERR_FILENO)
    }

    private func show(_ line: String, to descriptor: Int32) {
        state.withLock { state in
            guard state.saved != nil else { return Console.write(line + "\n", to: descriptor) }
            Console.write("\r\u{1B}[K" + line + "\n" + Self.drawing(state.editor), to: descriptor)
        }
    }

    private static func drawing(_ editor: LineEditor) -> String {
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let width = isKnown ? Int(size.ws_col) : 80
        let (text, behind) = editor.visible(width: max(width - prompt.count, 10))
        return "\r\u{1B}[K" + prompt + text + (behind > 0 ? "\u{1B}[\(behind)D" : "")
    }

    private func takeLines(_ bytes: ArraySlice<UInt8>, _ rest: inout [UInt8]) {
        rest += bytes
        while let end = rest.firstIndex(of: 0x0A) {
            entered.yield(.line(String(decoding: rest[..<end], as: UTF8.self)))
            rest.removeSubrange(...end)
        }
    }

    private func edit(_ bytes: ArraySlice<UInt8>) {
        let (actions, writes) = state.withLock { state in
            let actions = state.editor.take(bytes)
            if state.saved != nil { Console.write(Self.drawing(state.editor), to: STDOUT_FILENO) }
            return (actions, state.editor.text.first.map { $0 != "/" } ?? false)
        }
        for action in actions {
            switch action {
            case .changed: if writes { entered.yield(.typing) }
            case .line(let line): entered.yield(.line(line))
            case .end: entered.yield(.end)
            }
        }
    }

    /// Turns off echo and line editing; Ctrl-C still sends its signal, and Ctrl-Z does nothing.
    private func enterRawMode() {
        state.withLock { state in
            var mode = termios()
            guard tcgetattr(STDIN_FILENO, &mode) == 0 else { return }
            state.saved = mode
            mode.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
            withUnsafeMutableBytes(of: &mode.c_cc) { keys in
                keys[Int(VSUSP)] = 0
                keys[Int(VMIN)] = 1
                keys[Int(VTIME)] = 0
            }
            tcsetattr(STDIN_FILENO, TCSADRAIN, &mode)
            Console.write(Self.drawing(state.editor), to: STDOUT_FILENO)
        }
    }
}
