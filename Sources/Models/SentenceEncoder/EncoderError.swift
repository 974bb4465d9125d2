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
    /// The tensor contains a number that is infinite or none.
    case notFinite(tensor: String)
    /// The JSON file does not have the form that files of this name have.
    case malformedFile(file: String)
    /// The file asks for something that the encoder cannot do; `what` names it and what can be done.
    case unsupported(file: String, what: String)
    /// The vocabulary or the map of characters is damaged: not UTF-8, without a special token, with numbers that are
    /// none, or of another length than the model's embedding table.
    case malformedVocabulary(file: String)
}

extension EncoderError {
    /// The error in words.
    package var explanation: String {
        switch self {
        case .unreadable(let file): "\(file) is missing or cannot be read"
        case .malformedHeader(let file): "\(file) is damaged or incomplete: its header does not fit the file"
        case .missingTensor(let name): "the weights lack the tensor \(name)"
        case .unsupportedShape(let file):
            "\(file) describes a network of a size that is not supported; heads must have 32 or 64 components"
        case .wrongElementType(let tensor, let got):
            "the tensor \(tensor) has numbers of type \(got), which are not read"
        case .wrongShape(let tensor, let expected, let got):
            "the tensor \(tensor) has the shape \(got) instead of \(expected)"
        case .wrongExtent(let tensor):
            "the weights are damaged or incomplete: the tensor \(tensor) is not inside its file"
        case .notFinite(let tensor): "the tensor \(tensor) contains a number that is not finite"
        case .malformedFile(let file): "\(file) does not have the form of such a file"
        case .unsupported(let file, let what): "\(file): \(what)"
        case .malformedVocabulary(let file): "the vocabulary in \(file) is damaged, or does not fit the weights"
        }
    }
}
