import { readOperation } from './core/operations.js';
import { operations as of_operators } from './operator/methods.gen.js';
import { operations as of_partners } from './v1/methods.gen.js';
const listed = (table, prefix) => Object.entries(table).flatMap(([group, own]) => Object.entries(own).map(([name, text]) => readOperation(`${prefix}${group}.${name}`, text)));
/**
 * Every operation of both interfaces by what clients call it, those of operators with `operator.` in front: for
 * programs that offer them by name, such as a command line.
 */
export const operations = [...listed(of_partners, ''), ...listed(of_operators, 'operator.')];
