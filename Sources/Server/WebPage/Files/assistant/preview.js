// The message behind the number of a source, shown while a person points at the number or has the focus there.
import {h, patch} from "../lib/dom.js"
import {plainText} from "../lib/markdown.js"
import {dateTime} from "../lib/text.js"

const AFTER = 200
let shown = null, timer

const hide = () => {
  clearTimeout(timer)
  shown?.remove()
  shown = null
}
// What moves the number takes the preview away.
for (const name of ["hashchange", "scroll", "resize"]) addEventListener(name, hide, {capture: true})

const show = (anchor, {senderName, conversationName, timestamp, excerpt}) => {
  hide()
  if (!anchor.isConnected) return
  shown = document.createElement("aside")
  shown.className = "preview-card"
  shown.popover = "manual"
  shown.setAttribute("aria-label", anchor.getAttribute("aria-label"))
  // It may be pointed at, to be read or copied.
  shown.addEventListener("pointerenter", () => clearTimeout(timer))
  shown.addEventListener("pointerleave", hide)
  patch(shown, [
    h("p", {class: "cut"}, h("bdi", {class: "name"}, senderName), " ", h("bdi", {class: "quiet"}, conversationName)),
    h("p", {class: "excerpt", dir: "auto"}, plainText(excerpt)),
    h("time", {class: "quiet", datetime: timestamp}, dateTime(timestamp)),
  ])
  document.body.append(shown)
  shown.showPopover()
  const at = anchor.getBoundingClientRect(), box = shown.getBoundingClientRect()
  const y = at.bottom + 4 + box.height > innerHeight && at.top > box.height ? at.top - box.height - 4 : at.bottom + 4
  shown.style.left = `${Math.max(4, Math.min(at.left, innerWidth - box.width - 4))}px`
  shown.style.top = `${y}px`
}
const later = (work, ...values) => {
  clearTimeout(timer)
  timer = setTimeout(work, AFTER, ...values)
}

// The listeners of an element that names a source.
export const previewing = source => ({
  pointerenter: ({currentTarget, pointerType}) => pointerType !== "touch" && later(show, currentTarget, source),
  pointerleave: () => later(hide),
  focus: ({currentTarget}) => currentTarget.matches(":focus-visible") && show(currentTarget, source),
  blur: hide,
  keydown: event => {
    if (event.key !== "Escape" || !shown) return
    event.stopPropagation()
    event.preventDefault()
    hide()
  },
})
