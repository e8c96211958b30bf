/** What fields are that have the same meaning wherever they stand. */
export const words: Record<string, string> = {}
