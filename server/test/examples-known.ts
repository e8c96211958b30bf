/** Answers of which there is no example yet; a session begins in a browser. This list may only shrink. */
export const known_without_example: string[] = ['SessionAnswer']

/** Answers of which the documents show nothing yet: recorded are empty lists. This list may only shrink. */
export const known_empty: string[] = ['PayrollActualPage', 'SessionAnswer', 'SessionList']
