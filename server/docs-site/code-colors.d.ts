/** Code as HTML, escaped, with its parts in spans whose classes say what they are. */
export function colored(code: string, language: string): string
