/**
 * Runs a function after the browser has painted. The user sees the effect of a key at once, however long the function
 * takes.
 */
export const afterPaint = (act: () => void): void => void requestAnimationFrame(() => setTimeout(act))
