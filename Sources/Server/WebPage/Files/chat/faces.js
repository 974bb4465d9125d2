// Pictures of people over the initials of their circles, which keep their size; asked for when a circle comes into view.
import {profiles} from "../data/profiles.js"

const CIRCLES = ".avatar[data-id]:not(.group)"
const draw = async element => {
  const {id} = element.dataset
  const url = element.matches(CIRCLES) ? await profiles.picture(id) : null
  // Meanwhile the circle may show somebody else.
  if (element.dataset.id !== id) return
  Object.assign(element.style, {background: url ? `center / cover url("${url}")` : "", color: url ? "transparent" : ""})
  element.toggleAttribute("data-picture", Boolean(url))
}
const inView = new IntersectionObserver(entries => {
  for (const {target, isIntersecting} of entries) {
    if (!isIntersecting) continue
    inView.unobserve(target)
    draw(target)
  }
}, {rootMargin: "200px"})
const find = node => {
  if (node.nodeType !== 1) return
  if (node.matches(CIRCLES)) inView.observe(node)
  else node.querySelectorAll(CIRCLES).forEach(element => inView.observe(element))
}

// Rows are built before they come into the page, so each is one change.
new MutationObserver(changes => {
  for (const {target, addedNodes, attributeName} of changes) {
    if (attributeName) draw(target)
    else addedNodes.forEach(find)
  }
}).observe(document.body, {childList: true, subtree: true, attributeFilter: ["data-id"]})
find(document.body)
profiles.watch(id => document.querySelectorAll(`${CIRCLES}[data-id="${CSS.escape(id)}"]`).forEach(draw))
