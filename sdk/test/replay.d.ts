/** The parts of a request that are the same each time. */
export function requestOf(request: Request): Promise<object>
