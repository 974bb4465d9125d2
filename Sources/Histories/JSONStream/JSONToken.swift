package import ChatCore

/// A piece of JSON.
package enum JSONToken: Equatable {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// A field's name.
    case key(String)
    /// A text, a number, true, false or null.
    case scalar(JSONValue)
}

/// What kind of value it is.
package enum JSONKind {
    case object, array, string, number, bool, null
}
