/// Why the sentence encoder could not be made.
package enum EncoderError: Error, Equatable, Sendable {
    /// The file is missing or cannot be read or mapped.
    case unreadable(file: String)
    /// The weight file's header is not that of a safetensors file of this size.
    case malformedHeader(file: String)
    /// The weight file contains no tensor of this name.
    case missingTensor(name: String)
    /// The tensor's numbers are not 32-bit floats.
    case wrongElementType(tensor: String, got: String)
    /// The tensor has another shape than the model.
    case wrongShape(tensor: String, expected: [Int], got: [Int])
    /// The tensor's bytes lie outside of the file, or are not as many as its shape asks for.
    case wrongExtent(tensor: String)
    /// The vocabulary is not UTF-8, lacks a special token, or has another length than the model's embedding table.
    case malformedVocabulary(file: String)
}
