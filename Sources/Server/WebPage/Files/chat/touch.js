// Fingers on messages: a long press opens the menu, a swipe to the right replies.
const PRESS = 450, SLACK = 10, REACH = 64

// The articles of `scroller`; menu(article) and reply(article) are called when the finger is lifted.
export const touching = (scroller, {menu, reply}) => {
  let held = null
  const end = () => {
    if (!held) return
    clearTimeout(held.timer)
    held.article.classList.remove("pressed", "swiped")
    held.article.style.translate = ""
    held = null
  }
  const down = event => {
    end()
    const article = event.target.closest("article")
    if (event.pointerType !== "touch" || !event.isPrimary || !article || event.target.closest("textarea, input, audio, video")) return
    held = {article, x: event.clientX, y: event.clientY, id: event.pointerId, by: 0, timer: setTimeout(() => {
      held.isLong = true
      article.classList.add("pressed")
      navigator.vibrate?.(10)
    }, PRESS)}
  }
  const move = event => {
    if (event.pointerId !== held?.id || held.isLong) return
    const [x, y] = [event.clientX - held.x, event.clientY - held.y]
    if (!held.isSwipe) {
      if (Math.hypot(x, y) < SLACK) return
      clearTimeout(held.timer)
      if (x < 2 * Math.abs(y)) return end()
      held.isSwipe = true
    }
    held.by = Math.max(0, Math.min(x, REACH + 16))
    held.article.style.translate = `${held.by}px`
    held.article.classList.toggle("swiped", held.by >= REACH)
  }
  const up = event => {
    if (event.pointerId !== held?.id) return
    const {article, isLong, isSwipe, by} = held
    end()
    // A menu that opens before the finger is lifted would be closed by that.
    const act = isLong ? menu : isSwipe && by >= REACH ? reply : null
    if (act) setTimeout(act, 0, article)
    if (isLong || isSwipe) suppress = event.timeStamp
  }
  // A link or button below the finger is not pressed by a gesture.
  let suppress = -Infinity
  const click = event => {
    if (event.timeStamp - suppress > 400) return
    event.preventDefault()
    event.stopPropagation()
  }
  const contextmenu = event => held && event.preventDefault()
  const listeners = [["pointerdown", down], ["pointermove", move], ["pointerup", up], ["pointercancel", end], ["scroll", end], ["contextmenu", contextmenu]]
  for (const [name, fn] of listeners) scroller.addEventListener(name, fn, name === "scroll" ? {passive: true} : undefined)
  scroller.addEventListener("click", click, {capture: true})
  return {close: end}
}
