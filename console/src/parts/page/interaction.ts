/** A ref that focuses an element when it is mounted. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

/**
 * Runs a function after the browser has painted. The user sees the effect of a key at once, however long the function
 * takes.
 */
export const afterPaint = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act))

/** Scrolls a navigation sideways to its active link, as on a phone. */
export function scrollToActive(navigation: HTMLElement | null): void {
  const active = navigation?.querySelector<HTMLElement>(':scope > .active')
  if (!navigation || !active) return
  const start = active.offsetLeft - navigation.offsetLeft
  // A part of the entry before shows that there are more. Without a need to scroll, all first entries are visible.
  navigation.scrollLeft = start + active.offsetWidth > navigation.clientWidth ? start - 48 : 0
}
