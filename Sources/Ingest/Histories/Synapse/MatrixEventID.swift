import ChatCore
import Crypto
import Foundation

/// Computes the id of a Matrix event, which the exports of Synapse leave out.
///
/// The id is the hash of what stays of an event when it is redacted
/// (https://spec.matrix.org/v1.16/server-server-api/#calculating-the-reference-hash-for-an-event), so that a deleted
/// event has the id that it had before. What stays depends on the room's version.
struct MatrixEventID {
    private static let fields: Set<String> = [
        "event_id", "type", "room_id", "sender", "state_key", "content", "hashes", "depth", "prev_events",
        "auth_events",
        "origin_server_ts",
    ]

    /// The version of the room.
    let version: Int

    /// Returns the id of an event; nil if it has none that can be computed.
    func id(of event: [String: JSONValue]) -> String? {
        if case .string(let known)? = event["event_id"] { return known }
        guard version >= 3 else { return nil }
        var kept = event.filter { Self.fields.contains($0.key) }
        if version < 11 {
            for name in ["prev_state", "membership", "origin"] { kept[name] = event[name] }
        }
        guard case .string(let type)? = event["type"] else { return nil }
        if version >= 12, type == "m.room.create" { kept["room_id"] = nil }
        if case .object(let content)? = event["content"] { kept["content"] = .object(self.kept(of: content, type)) }
        guard let bytes = CanonicalJSON.bytes(.object(kept)) else { return nil }
        let hash = Data(SHA256.hash(data: Data(bytes))).base64EncodedString().replacing("=", with: "")
        return "$" + (version == 3 ? hash : hash.replacing("+", with: "-").replacing("/", with: "_"))
    }

    /// Returns what a redaction leaves of a content.
    private func kept(of content: [String: JSONValue], _ type: String) -> [String: JSONValue] {
        if type == "m.room.create", version >= 11 { return content }
        var kept = content.filter { names(of: type).contains($0.key) }
        if type == "m.room.member", version >= 11, case .object(let invitation)? = content["third_party_invite"] {
            kept["third_party_invite"] = .object(invitation.filter { $0.key == "signed" })
        }
        return kept
    }

    private func names(of type: String) -> [String] {
        switch type {
        case "m.room.member": version >= 9 ? ["membership", "join_authorised_via_users_server"] : ["membership"]
        case "m.room.create": ["creator"]
        case "m.room.join_rules": version >= 8 ? ["join_rule", "allow"] : ["join_rule"]
        case "m.room.power_levels":
            [
                "ban", "events", "events_default", "kick", "redact", "state_default", "users", "users_default",
            ] + (version >= 11 ? ["invite"] : [])
        case "m.room.aliases": version < 6 ? ["aliases"] : []
        case "m.room.history_visibility": ["history_visibility"]
        case "m.room.redaction": version >= 11 ? ["redacts"] : []
        default: []
        }
    }
}

/// Writes JSON in the one form of which hashes are made (https://spec.matrix.org/v1.16/appendices/#canonical-json).
enum CanonicalJSON {
    /// Returns the bytes of a value; nil for one with a number that is not whole.
    static func bytes(_ value: JSONValue) -> [UInt8]? {
        var bytes: [UInt8] = []
        return append(value, to: &bytes) ? bytes : nil
    }

    private static func append(_ value: JSONValue, to bytes: inout [UInt8]) -> Bool {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let flag): bytes += (flag ? "true" : "false").utf8
        case .integer(let number): bytes += String(number).utf8
        case .double: return false
        case .string(let text): append(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (place, value) in values.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                guard append(value, to: &bytes) else { return false }
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let fields):
            bytes.append(UInt8(ascii: "{"))
            // By code points, which is the order of UTF-8, too.
            let keys = fields.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            for (place, key) in keys.enumerated() {
                if place > 0 { bytes.append(UInt8(ascii: ",")) }
                append(key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                guard let value = fields[key], append(value, to: &bytes) else { return false }
            }
            bytes.append(UInt8(ascii: "}"))
        }
        return true
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x00..<0x20: bytes += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
