import { readCall, readOperation } from './operations.js';
import { Pages } from './pages.js';
/** Gives an object a method for each operation of a table, in their groups. */
export function addMethods(target, table, client, prefix = '') {
    for (const [group, own] of Object.entries(table)) {
        const all = Object.entries(own).map(([name, text]) => [name, methodOf(client, `${prefix}${group}.${name}`, text)]);
        Object.assign(target, { [group]: Object.fromEntries(all) });
    }
}
function methodOf(client, name, text) {
    const operation = readOperation(name, text);
    if (operation.paged)
        return (...given) => new Pages(client, readCall(operation, given));
    return async (...given) => {
        const answer = await client.call(readCall(operation, given));
        return operation.has.has('data') ? answer.data : answer;
    };
}
