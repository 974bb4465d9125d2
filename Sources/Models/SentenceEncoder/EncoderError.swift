/// Why the sentence encoder could not be made.
package enum EncoderError: Error, Equatable, Sendable {
    /// The file is missing or cannot be read or mapped.
    case unreadable(file: String)
    /// The weight file's header is not that of its format, or of a file of this size.
    case malformedHeader(file: String)
    /// The weight file contains no tensor of this name.
    case missingTensor(name: String)
    /// The sizes of the network do not fit each other, or are not those that the kernels are written for.
    case unsupportedShape(file: String)
    /// The tensor's numbers are of another kind than expected.
    case wrongElementType(tensor: String, got: String)
    /// The tensor has another shape than the model.
    case wrongShape(tensor: String, expected: [Int], got: [Int])
    /// The tensor's bytes lie outside of the file, or are not as many as its shape asks for.
    case wrongExtent(tensor: String)
    /// The vocabulary or the map of characters is damaged: not UTF-8, without a special token, with numbers that are
    /// none, or of another length than the model's embedding table.
    case malformedVocabulary(file: String)
}
