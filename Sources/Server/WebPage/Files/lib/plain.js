// Previews: the words of a text without the signs of Markdown. What reads Markdown comes after the first paint.
let read = text => text
export const plainText = text => read(text)
export const plainReady = import("./markdown.js").then(({plainText}) => {
  read = plainText
}).catch(() => {})
