/** A ref that focuses an element when it is mounted. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

/**
 * Runs a function after the browser has painted. The user sees the effect of a key at once, however long the function
 * takes.
 */
export const afterPaint = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act))
