import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A tree of files: the path from the repository's root, and the text. */
export type Files = Record<string, string>

/** What modules.ts says: the modules in order, and who owns which table. */
export type Layout = { modules: { name: string; tables: string[] }[]; platform_tables: string[] }

/** Every place where a tree breaks the rules of the architecture: file, line, what is wrong, and the rule as a sentence. */
export function violations(files: Files, layout: Layout): string[] {
  const sources = Object.entries(files)
    .filter(([path]) => path.endsWith('.ts') && placeOf(path).kind !== 'exempt')
    .map(([path, text]) => readSource(path, text))
  return [
    ...sources.flatMap((source) => wrongImports(source, layout)),
    ...sources.flatMap((source) => wrongWrites(source, layout)),
    ...sources.flatMap(misplacedSql),
    ...misplacedFiles(Object.keys(files), layout),
    ...wrongOwners(files, sources, layout),
  ]
}

type Place = { kind: 'module'; module: string; role: string } | { kind: 'platform' | 'root' | 'exempt' | 'outside' }

const roles = ['schemas', 'rules', 'queries', 'actions', 'routes', 'jobs']

function placeOf(path: string): Place {
  const [server, folder, name, ...rest] = path.split('/')
  if (server !== 'server') return { kind: 'outside' }
  if (path.endsWith('.test.ts') || folder === 'test' || folder === 'bench') return { kind: 'exempt' }
  if (folder === 'modules') return { kind: 'module', module: name!, role: rest.join('/').replace(/\.ts$/, '') }
  if (folder === 'platform') return { kind: 'platform' }
  return { kind: name === undefined ? 'root' : 'outside' }
}

// Reading a file ---------------------------------------------------------------------------------------------------

type Source = {
  path: string
  place: Place
  /** what it imports, types too: a path from the root, a package, or undefined where the name is computed */
  imports: { target: string | undefined; line: number }[]
  /** every text in it, with `${name}` where something is put in */
  texts: { text: string; line: number }[]
  /** the texts that it gives to a name, for those that are put into others */
  values: Map<string, string[]>
}

type Node = { type: string; start: number; [key: string]: any }

function readSource(path: string, text: string): Source {
  const source: Source = { path, place: placeOf(path), imports: [], texts: [], values: new Map() }
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length

  const visit = (node: Node) => {
    const imported = importedBy(node)
    if (imported) source.imports.push({ target: resolve(path, imported.value), line: lineAt(node.start) })
    const own = textOf(node)
    if (own !== undefined) source.texts.push({ text: withoutSqlComments(own), line: lineAt(node.start) })
    const [name, value] = namedValue(node)
    if (name) source.values.set(name, [...(source.values.get(name) ?? []), ...literalsIn(value)])
    // The pieces of a sum are read as one text.
    const inner = own !== undefined && node.type === 'BinaryExpression' ? piecesOf(node) : childrenOf(node)
    for (const child of inner) if (!(own !== undefined && child.type === 'Literal')) visit(child)
  }
  visit(parseSync(path, text).program as unknown as Node)
  return source
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value?.type === 'string')
}

function importedBy(node: Node): { value: unknown } | undefined {
  if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) || /^(ImportExpression|TSImportType)$/.test(node.type)) {
    return node.source ?? undefined
  }
  if (node.type === 'TSExternalModuleReference') return node.expression
  return undefined
}

function resolve(path: string, specifier: unknown): string | undefined {
  if (typeof specifier !== 'string') return undefined
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
}
