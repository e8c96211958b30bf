import { childrenOf, syntaxOf, type Syntax } from './syntax.ts'

/** Words that no name may contain, such as a retired verb in `toldAt`, and their replacements. */
export const retired_parts: Record<string, string> = {
  ...retired('input, given', 'said unsaid'),
  ...retired('report, publish, record', 'told tell tells telling'),
  ...retired('print, state', 'say says saying'),
  ...retired('request, query, send', 'ask asks asked asking unasked'),
  ...retired('client', 'asker askers stranger strangers'),
  ...retired('receive, listen', 'hear hears heard unheard'),
  ...retired('read, check', 'look looks looked looking'),
  ...retired('position, scope, lock target', 'place places'),
  ...retired('batch, collect', 'gather gathers gathered gathering'),
  ...retired('outdated, key age', 'stale'),
  ...retired('re-encrypt', 'remake remakes'),
  ...retired('time slice', 'unhurried'),
  ...retired('timeout', 'patience patient'),
  ...retired('health, status', 'standing standings'),
  ...retired('seed', 'plant plants planted planting'),
  ...retired('population, load', 'crowd crowds'),
  ...retired('scale', 'outgrown'),
  ...retired('noisy neighbor', 'neighbours'),
  ...retired('dry run', 'rehearse rehearses rehearsed rehearsal rehearsing'),
  ...retired('audit batch, chain shard, audit log', 'sheet sheets strand strands stranded trail trails'),
  ...retired('shard, sharding, multi-tenant', 'divide divided dividing division several'),
  ...retired('body reader', 'intake'),
  ...retired('task, action', 'matter matters deed deeds'),
  ...retired('calculate, fix', 'reckon mend mends mended'),
  ...retired('again, anew: rerun, reprice, reopen', 'anew'),
  ...retired('the noun: user, tenant, owner', 'whoever whose whom nobody somebody everybody anybody someone'),
  ...retired(
    'a term of testing: fixture, person, random, block',
    'heir soul souls dice errand errands pasted unpasted',
  ),
}

function retired(instead: string, parts: string): Record<string, string> {
  return Object.fromEntries(parts.split(' ').map((part) => [part, instead]))
}

/** The words of a name: `readAudit_logOf` consists of read, audit, log, of. */
export const partsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_$]+/)

/** All names in a TypeScript, JavaScript or SQL file, including those in its SQL texts. */
export function namesIn(path: string, text: string): Set<string> {
  if (path.endsWith('.sql')) return new Set(namesInSql(text))
  const names = new Set<string>()
  const visit = (node: Syntax) => {
    if (/^(?:JSX)?Identifier$|^PrivateIdentifier$/.test(node.type) && node.name) names.add(node.name)
    if (node.type === 'TemplateLiteral') {
      const sql = (node.quasis ?? []).map(({ value }) => value.cooked).join(' x ')
      if (/\b(?:select|insert into|delete from)\b/.test(sql)) for (const name of namesInSql(sql)) names.add(name)
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(syntaxOf(path, text))
  return names
}

/** Names that SQL declares: common table expressions, aliases, parameters and functions. */
const sql_names = new RegExp(
  [
    String.raw`\b(\w+) as (?:not )?(?:materialized )?\((?=\s*(?:select|insert|update|delete|with)\b)`,
    String.raw`\bas (\w+)|(?<!:):(\w+)|\bfunction (\w+)\(`,
  ].join('|'),
  'g',
)

const namesInSql = (sql: string): string[] =>
  [...sql.replaceAll(/--.*|'(?:[^'\n]|'')*'/g, '').matchAll(sql_names)].map((match) => match.slice(1).find(Boolean)!)

/** The name of a file, without its folder and extension. */
export const fileName = (path: string): string => path.split('/').at(-1)!.replace(/\..*$/, '').replaceAll('-', '_')
