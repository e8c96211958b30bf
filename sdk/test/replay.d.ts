/** What a request says, as far as it is the same each time. */
export function requestOf(request: Request): Promise<object>
