/**
 * Does something once the browser has shown what the input before it changed: whoever presses a key sees that it was
 * heard, however long what follows takes.
 */
export const afterPaint = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act))
