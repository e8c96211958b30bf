export function readOperation(name, text) {
    const [method = '', path = '', ...words] = text.split(' ');
    const pages = words.find((word) => word.includes(':'))?.split(':');
    return { name, method, path, has: new Set(words), ...(pages && { paged: { by: pages[0], rows: pages[1] } }) };
}
/** What a method was called with: the ids of its path in their order, its body, its query, and options. */
export function readCall(operation, given) {
    const { name, has } = operation;
    const left = [...given];
    const path = operation.path.replaceAll(/{(\w+)}/g, (_, parameter) => {
        const id = left.shift();
        // An empty one would make it another operation.
        if (typeof id !== 'string' || id === '')
            throw new TypeError(`${name}: ${parameter} must be a text that is not empty.`);
        // So would these, which addresses resolve.
        if (id === '.' || id === '..')
            throw new TypeError(`${name}: ${parameter} must be an id.`);
        return encodeURIComponent(id);
    });
    return {
        operation,
        path,
        body: has.has('body') ? left.shift() : undefined,
        query: (has.has('query') ? left.shift() : undefined) ?? {},
        options: left.shift() ?? {},
    };
}
/** The query as it stands in an address: several values of one parameter one after the other. */
export function queryText(query) {
    const entries = Object.entries(query).flatMap(([name, value]) => [value].flat().flatMap((one) => (one === undefined || one === null ? [] : [[name, String(one)]])));
    return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`;
}
