// The colours of code: comments, texts, numbers and words of the language, by simple rules that suit many languages.
const words = text => new Set(text.split(" "))
const COMMON = "break case catch class const continue default do else enum false for if import in new null return static switch this throw true try void while"
const LANGUAGES = {
  c: words(`${COMMON} auto bool char delete double extern float goto include int long namespace nullptr operator override private protected public short signed sizeof struct template typedef typename union unsigned using virtual volatile`),
  java: words(`${COMMON} abstract as async await boolean byte char data double extends final finally float fun implements int interface instanceof internal is long namespace object open out override package private protected public readonly record sealed short string super suspend synchronized throws using val var virtual when`),
  script: words(`${COMMON} as async await debugger delete export extends finally from function get implements instanceof interface keyof let of readonly set super type typeof undefined var yield`),
  swift: words(`${COMMON} actor any as associatedtype async await defer didSet extension fileprivate final func get guard init inout internal is lazy let mutating nil open override package private protocol public repeat rethrows self Self set some struct subscript super throws typealias unowned var weak where willSet`),
  go: words(`${COMMON} any chan defer error fallthrough func go goto interface int int64 map nil package range select string struct type uint64 var`),
  rust: words(`${COMMON} as async await crate dyn extern fn impl let loop match mod move mut pub ref self Self str struct super trait type u8 u32 u64 i32 i64 unsafe use usize where`),
  python: words("and as assert async await break class continue def del elif else except False finally for from global if import in is lambda match None nonlocal not or pass raise return self True try while with yield"),
  ruby: words("alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo require rescue retry return self super then true undef unless until when while yield"),
  shell: words("case do done echo elif else esac exit export fi for function if in local return set shift source then until unset while"),
  data: words("false null true yes no on off"),
  sql: words("add all alter and as asc between by case check column constraint create default delete desc distinct drop else end exists foreign from full group having if in index inner insert into is join key left like limit not null offset on or order outer primary references right select set table then union unique update using values view when where with"),
}
const names = {
  c: "c cc cpp cxx c++ h hpp objc objectivec arduino", java: "java kotlin kt cs csharp c# scala dart groovy php", script: "js javascript jsx mjs ts tsx typescript",
  swift: "swift", go: "go golang", rust: "rust rs", python: "py python python3", ruby: "rb ruby", shell: "sh bash zsh shell console fish dockerfile make makefile",
  data: "json jsonc yaml yml toml ini", sql: "sql sqlite postgres postgresql mysql psql",
}
const familyOf = new Map(Object.entries(names).flatMap(([family, list]) => list.split(" ").map(name => [name, family])))
// An unclosed comment or text continues to the end, or is looked for in a short distance, so that long code is searched once.
const END = "(?![^])"
const TEXTS = String.raw`"""[^]*?(?:"""|${END})|"(?:[^"\\\n]|\\[^\n]){0,1000}"|'(?:[^'\\\n]|\\[^\n]){0,1000}'` +
  `|\`(?:[^\`\\\\]|\\\\[^]?)*(?:\`|${END})`
const REST = String.raw`(?<number>\b\d[\w.]*)|(?<word>[\p{L}_][\p{L}\p{N}_]*)`
const HASH = String.raw`(?<=^|\s)#[^\n]*`, BLOCK = String.raw`/\*[^]*?(?:\*/|${END})`
const DASH = String.raw`--[^\n]*|${BLOCK}`, SLASH = String.raw`//[^\n]*|${BLOCK}`
const comments = {python: HASH, ruby: HASH, shell: HASH, data: HASH, sql: DASH}
const patterns = new Map()
const patternOf = family => {
  if (!patterns.has(family)) patterns.set(family, new RegExp(`(?<comment>${comments[family] ?? SLASH})|(?<text>${TEXTS})|${REST}`, "gmu"))
  return patterns.get(family)
}
// Longer code stays without colours, so that it costs little.
const LIMIT = 20_000

// Pieces of a code: {kind: "comment" | "text" | "number" | "word" | null, text}; their texts are the whole code.
export const pieces = (code, language = "") => {
  const family = familyOf.get(language.toLowerCase())
  if (!family || code.length > LIMIT) return [{kind: null, text: code}]
  const found = []
  let end = 0
  const add = (kind, text) => {
    const last = found.at(-1)
    if (last && last.kind === kind) last.text += text
    else if (text) found.push({kind, text})
  }
  for (const match of code.matchAll(patternOf(family))) {
    const [text] = match, {comment, text: string, number} = match.groups
    add(null, code.slice(end, match.index))
    const isKnown = LANGUAGES[family].has(family === "sql" ? text.toLowerCase() : text)
    add(comment ? "comment" : string ? "text" : number ? "number" : isKnown ? "word" : null, text)
    end = match.index + text.length
  }
  add(null, code.slice(end))
  return found
}
