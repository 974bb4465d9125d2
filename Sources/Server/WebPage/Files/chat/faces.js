// Pictures of people and groups over the initials of their circles, which keep their size; asked for when a circle comes into view.
import {groups, profiles} from "../data/profiles.js"

const CIRCLES = ".avatar[data-id]"
const sourceOf = element => (element.classList.contains("group") ? groups : profiles)
const draw = async element => {
  const {id} = element.dataset
  const source = sourceOf(element)
  const url = await source.picture(id)
  // Meanwhile the circle may show somebody else.
  if (element.dataset.id !== id || sourceOf(element) !== source) return
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
for (const source of [profiles, groups]) source.watch(id => document.querySelectorAll(`.avatar[data-id="${CSS.escape(id)}"]`).forEach(element => sourceOf(element) === source && draw(element)))
