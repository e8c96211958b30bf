/** As the ref of an element: it has the focus from when it is there. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
