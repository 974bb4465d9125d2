// The keys of the page.
import {h} from "../lib/dom.js"
import {openDialog} from "../lib/dialog.js"
import {styled} from "../lib/pane.js"
import {addTexts, t} from "../lib/text.js"
import texts from "../text/keys.js"

addTexts(texts)
await styled(new URL("../style/assistant.css", import.meta.url).href)

const KEYS = [
  [["F6", "panes"], ["Ctrl K", "switch"], ["Ctrl K Ctrl K", "search"], ["Alt ↑ ↓", "step"], ["Alt ⇧ ↑ ↓", "stepUnread"], ["↑ ↓", "within"],
    ["Home End PgUp PgDn", "far"], ["Esc", "escape"], ["Enter", "send"], ["⇧ Enter", "line"], ["Ctrl ⇧ Enter", "later"], ["↑", "editLast"], ["@ :", "complete"], ["?", "help"]],
  [["R", "reply"], ["T", "thread"], ["+", "react"], ["E", "edit"], ["Del", "delete"], ["F", "forward"], ["S", "save"], ["L", "remind"], ["C", "link"], ["U", "unread"], ["G", "date"],
    ["⇧ F10", "menu"]],
]
export const help = () => openDialog({title: t("shell.keys"), class: "key-help", render: () => h("div", {class: "key-tables", tabindex: 0}, KEYS.map(keys =>
  h("table", {class: "keys"}, h("tbody", null, keys.map(([key, name]) => h("tr", null,
    h("th", {scope: "row"}, key.split(" ").map(k => h("kbd", null, k))), h("td", null, t(`shell.key.${name}`))))))))})
