/** Answers of which there is no example yet. This list may only shrink. */
export const known_without_example: string[] = []
