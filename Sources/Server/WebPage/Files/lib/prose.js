// Markdown as virtual nodes: words, quotes, lists, tables and code; texts stay texts.
import {pieces} from "./colours.js"
import {h} from "./dom.js"
import {copyText} from "./dialog.js"
import {icon} from "./icons.js"
import {t} from "./text.js"

// A place of this page needs no other tab.
const isHere = href => href.startsWith(`${globalThis.location?.origin}/#/`)
const TAGS = {strong: "strong", em: "em", strike: "s", code: "code"}

// options: mark(range, text) → nodes of a given range, tab: the tabindex of what can be focused, heading: a tag.
export const wordNodes = (nodes, options) => nodes.map(node => {
  if (node.kind === "text") return node.text
  if (node.kind === "mark") return options.mark(node.mark.origin ?? node.mark, node.text)
  const inner = wordNodes(node.nodes, options)
  return node.kind === "link"
    ? h("a", {href: node.href, title: node.href, tabindex: options.tab, ...(!isHere(node.href) && {target: "_blank", rel: "noopener noreferrer"})}, inner)
    : h(TAGS[node.kind], null, inner)
})

const item = (blocks, options, props) => {
  // The words of an item follow its sign, without a paragraph around them.
  const [first, ...rest] = blocks
  return h("li", {dir: "auto", ...props}, first?.kind === "paragraph" ? [wordNodes(first.nodes, options), blockNodes(rest, options)]
    : blockNodes(blocks, options))
}
const row = (cells, tag, options) => h("tr", null, cells.map(nodes => h(tag, {dir: "auto", scope: tag === "th" ? "col" : null}, wordNodes(nodes, options))))
const MAKERS = {
  paragraph: ({nodes}, options) => h("p", {dir: "auto"}, wordNodes(nodes, options)),
  heading: ({nodes}, options) => h(options.heading ?? "p", {class: "heading", dir: "auto"}, wordNodes(nodes, options)),
  quote: ({blocks}, options) => h("blockquote", {dir: "auto"}, blockNodes(blocks, options)),
  items: ({items}, options) => h("ul", null, items.map(one => item(one, options))),
  numbers: ({items, values}, options) => h("ol", null, items.map((one, at) => item(one, options, {value: values[at]}))),
  rule: () => h("hr"),
  code: ({text, language}, {tab}) => h("div", {class: "code"},
    h("pre", {dir: "ltr"}, pieces(text, language ?? "").map(({kind, text}) => kind ? h("span", {class: `code-${kind}`}, text) : text)),
    h("button", {type: "button", class: "icon-button", tabindex: tab, title: t("shell.copyCode"), "aria-label": t("shell.copyCode"),
      on: {click: () => copyText(text, t("shell.codeCopied"))}}, icon("copy"))),
  table: ({head, rows}, options) => h("table", null, h("thead", null, row(head, "th", options)),
    h("tbody", null, rows.map(cells => row(cells, "td", options)))),
}
export const blockNodes = (blocks, options) => blocks.map(block => MAKERS[block.kind](block, options))
