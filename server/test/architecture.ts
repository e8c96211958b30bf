import { posix } from 'node:path'
import { childrenOf, isSyntax, syntaxOf, type Syntax } from './source/syntax.ts'

/** A tree of files: the text by the path from the repository's root. */
export type Files = Record<string, string>

/** The content of modules.ts: the modules in order, with their tables. The file of each district lists its own. */
export type Layout = { modules: { name: string; tables: string[] }[]; platform_tables: string[] }

/** Every violation of the architecture in a tree: the position, the violation, and the rule. */
export function violations(files: Files, layout: Layout): string[] {
  const sources = Object.entries(files)
    .filter(([path]) => (path.endsWith('.ts') ? homeOf(path).kind !== 'exempt' : isModuleSql(path)))
    .map(([path, text]) => readSource(path, text))
  return [
    ...sources.flatMap((source) => wrongImports(source, layout)),
    ...sources.flatMap((source) => wrongWrites(source, layout)),
    ...sources.flatMap(misplacedSql),
    ...misplacedFiles(Object.keys(files), layout),
    ...unreadStatements(files),
    ...wrongOwners(files, sources, layout),
  ]
}

/** The layers, the lowest first. Each imports only from itself and from those below it. */
const layers = {
  kernel: 0,
  integrations: 1,
  documents: 1,
  database: 2,
  http: 3,
  jobs: 3,
  runtime: 3,
  security: 3,
  module: 4,
  sandbox: 5,
  cli: 6,
  tools: 6,
  root: 6,
} as const
type Layer = keyof typeof layers

/** Whether a layer runs modules. Such a layer does not import them, and owns the tables that belong to no module. */
const isPlatform = (kind: Home['kind']): boolean => ['database', 'http', 'jobs', 'runtime', 'security'].includes(kind)

/** The levels of the districts of modules. A district imports only from districts on lower levels. */
const districts: Record<string, number> = {
  access: 0,
  directory: 1,
  money: 2,
  events: 2,
  coverage: 3,
  operations: 3,
  roster: 4,
  aca: 5,
}

type Home = { kind: Layer | 'exempt' | 'outside'; district?: string; module?: string; role?: string }

const isModuleSql = (path: string) => /^server\/modules\/[^/]+\/[^/]+\/[a-z-]+\.sql$/.test(path)

/** Whether a path is a statement file, which is declared by the queries next to it. */
const isStatementFile = (path: string) => isModuleSql(path) && !path.endsWith('/functions.sql')

/** Whether a path is the list of all modules, or the list of a district. */
const isModuleList = (path: string) => /^server\/(?:modules\/[^/]+\/)?modules\.ts$/.test(path)

const roles = ['schemas', 'rules', 'queries', 'actions', 'routes', 'background']

/** A role that is too large for one file is split by subject: `run-queries.ts` next to `queries.ts`. */
const role_file = new RegExp(`^(?:[a-z]+-)*(${roles.join('|')})\\.ts$`)

const roleOf = (file: string): string | undefined => role_file.exec(file)?.[1]

function homeOf(path: string): Home {
  const [server, folder = '', ...rest] = path.split('/')
  if (server !== 'server' || path.endsWith('.json')) return { kind: 'outside' }
  if (path.endsWith('.test.ts') || folder === 'test' || folder === 'bench') return { kind: 'exempt' }
  if (rest.length === 0) return { kind: 'root' }
  if (folder === 'modules') {
    const [district = '', module = '', ...file] = rest
    if (isModuleList(path)) return { kind: 'root' }
    return { kind: 'module', district, module, role: roleOf(file.join('/')) }
  }
  return { kind: folder in layers ? (folder as Layer) : 'outside' }
}

const floorOf = ({ district = '' }: Home): number => districts[district] ?? Infinity

/** Imports that are forbidden in the kernel. */
const outside_the_kernel =
  /^(?:fastify|pg|undici|graphile-worker|@fastify\/.*|node:(?:fs|http|https|net|dns|child_process|worker_threads)(?:\/.*)?)$/

function wrongImports({ path, home, imports }: Source, { modules }: Layout): string[] {
  const rank = (name: string | undefined) => modules.findIndex((module) => module.name === name)
  const whyNot = (target: string): string | undefined => {
    const to = homeOf(target)
    if (home.kind === 'kernel' && outside_the_kernel.test(target)) return 'kernel/ does no I/O and knows no server'
    if (home.kind === 'exempt' || home.kind === 'outside' || to.kind === 'outside') return undefined
    if (to.kind === 'exempt') return 'server code does not import tests or benchmarks'
    if (isModuleList(target) && layers[home.kind] < layers.root) return 'only entry points and tools import modules.ts'
    if (home.kind === 'module' && to.kind === 'module' && to.module !== home.module) {
      if (to.role === 'routes' || to.role === 'background')
        return 'no module imports the entry points of another module: its routes and background'
      if (to.district !== home.district && floorOf(to) >= floorOf(home))
        return 'between districts: access ← directory ← money, events ← coverage, operations ← roster ← aca'
      if (to.district === home.district && rank(to.module) > rank(home.module))
        return 'a module imports only from what is below modules/, from itself, from districts below and from the modules above it in its district'
    }
    if (home.kind === to.kind || (isPlatform(home.kind) && layers[home.kind] === layers[to.kind])) return undefined
    return layers[to.kind] < layers[home.kind] || home.kind === 'root' || home.kind === 'tools'
      ? undefined
      : 'kernel ← integrations, documents ← database ← http, jobs, runtime, security ← modules ← sandbox ← cli, tools and the doors: no imports from above'
  }
  return imports.flatMap(({ target, line }) => {
    const why = target === undefined ? 'import paths are literals' : whyNot(target)
    return why ? `${path}:${line} imports ${target ?? 'a computed path'}: ${why}.` : []
  })
}

const article = String.raw`(?!(?:an?|the|its?|this|that|these|your|each|every|all|any|one)\b)`
const name = String.raw`${article}(?:"?public"?\.)?("[^"]+"|[a-z_][\w.]*|\$\{\w*\})`
const start = String.raw`(?:^|;|\()\s*`

/** Patterns of writing statements with the name of their table. "do update set" and "for update of" do not match. */
const writing = [
  String.raw`\binsert\s+into\s+${name}`,
  String.raw`\bupdate\s+(?:only\s+)?${name}(?:\s+(?:as\s+)?(?!set\b)["\w]+)?\s+set\b`,
  String.raw`\bdelete\s+from\s+(?:only\s+)?${name}`,
  String.raw`\bmerge\s+into\s+(?:only\s+)?${name}`,
  String.raw`${start}truncate\s+(?:table\s+)?(?:only\s+)?${name}`,
  String.raw`${start}copy\s+${name}\s*(?:\([^)]*\))?\s+from\s+(?:stdin|program|')`,
].map((pattern) => new RegExp(pattern, 'gi'))

/** Patterns of reading statements and of parts of statements, which do not match prose with "select" and "from". */
const reading = [
  String.raw`^\s*(?:select|SELECT)\s+${article}\S`,
  String.raw`\b(?:select|SELECT)\s+${article}[^]*?\s(?:from|FROM)\s+${name}`,
  String.raw`\bwith\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(`,
  String.raw`${start}(?:create|alter|drop)\s+(?:\w+\s+)?(?:table|index|view|function)\s`,
  String.raw`\border\s+by\s+[\w.]+\s+(?:asc|desc)\b`,
  String.raw`[=<>]\s*(?:any\s*\(\s*)?\$\d`,
].map((pattern) => new RegExp(pattern, 'g'))

/** The job table. jobs/ reverts an attempt in it, for which the job library has no function. */
const table_of_jobs = 'graphile_worker._private_jobs'

function wrongWrites({ path, home, texts, values }: Source, { modules, platform_tables }: Layout): string[] {
  const owned = home.kind === 'module' ? modules.find(({ name }) => name === home.module)?.tables : platform_tables
  const temporary = texts.flatMap(({ text }) =>
    matches(/\bcreate\s+temp(?:orary)?\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi, text),
  )
  const own = new Set([...(owned ?? []), ...temporary.map(({ table }) => table)])
  if (isPlatform(home.kind)) own.add(table_of_jobs)
  const complain = (table: string, line: number) => {
    if (own.has(table)) return []
    const owner = modules.find(({ tables }) => tables.includes(table))?.name ?? 'no module'
    return [`${path}:${line} writes ${table}, which belongs to ${owner}: a module writes only its own tables.`]
  }
  return texts.flatMap(({ text, line }) =>
    writing
      .flatMap((pattern) => matches(pattern, text))
      .flatMap(({ table, lines }) => {
        const placeholder = /^\$\{(.*)\}$/.exec(table)
        const tables = placeholder ? values.get(placeholder[1]!) : [table]
        if (tables) return tables.flatMap((table) => complain(table, line + lines))
        return [
          `${path}:${line + lines} writes a table that is named elsewhere: a write names its table literally in the same file.`,
        ]
      }),
  )
}

function misplacedSql({ path, home, texts }: Source): string[] {
  const may =
    home.kind === 'module'
      ? home.role === 'queries' || isModuleSql(path)
      : !['kernel', 'integrations', 'documents'].includes(home.kind)
  if (may) return []
  return texts.flatMap(({ text, line }) => {
    const [found] = [...writing, ...reading].flatMap((pattern) => matches(pattern, text))
    return found
      ? [
          `${path}:${line + found.lines} holds SQL: a module's SQL is in its queries.ts, and the layers below database/ have none.`,
        ]
      : []
  })
}

/** The matches of a pattern: the table without quotes, and the number of lines before it in the text. */
function matches(pattern: RegExp, text: string): { table: string; lines: number }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    table: (match[1] ?? '').replaceAll('"', ''),
    lines: lineOf(text, match.index + match[0].search(/\S/)) - 1,
  }))
}

function misplacedFiles(paths: string[], { modules }: Layout): string[] {
  const files = paths.filter((path) => path.startsWith('server/modules/') && !isModuleList(path))
  const folders = new Set(files.map((path) => path.split('/').slice(2, 4).join('/')))
  const nameOf = (folder: string) => folder.split('/')[1] ?? ''
  const names = new Set([...folders].map(nameOf))
  const listed = new Set(modules.map((module) => module.name))
  return [
    ...files
      .filter((path) => {
        const file = path.split('/').slice(4).join('/')
        return roleOf(file) === undefined && !/^[^/]+\.test\.ts$/.test(file) && !isModuleSql(path)
      })
      .map((path) => `${path}: a module holds ${roles.join(', ')}, functions.sql and their tests, and no other files.`),
    ...[...folders]
      .filter((folder) => !listed.has(nameOf(folder)) || !Object.hasOwn(districts, folder.split('/')[0] ?? ''))
      .map((folder) => `server/modules/${folder}: every module is listed in modules.ts and lies in a district.`),
    ...[...listed]
      .filter((name) => !names.has(name))
      .map((name) => `server/modules.ts lists ${name}: every listed module has its folder.`),
  ]
}

const unreadStatements = (files: Files): string[] =>
  Object.keys(files)
    .filter(isStatementFile)
    .filter((path) => {
      const name = `sqlFile(new URL('${posix.basename(path)}', import.meta.url)`
      return !Object.entries(files).some(
        ([other, text]) =>
          posix.dirname(other) === posix.dirname(path) && homeOf(other).role === 'queries' && text.includes(name),
      )
    })
    .map((path) => `${path}: a statement in a file of its own is declared by the queries.ts next to it.`)

function wrongOwners(files: Files, sources: Source[], { modules, platform_tables }: Layout): string[] {
  const migrations = Object.entries(files).filter(([path]) => /^server\/migrations\/.*\.sql$/.test(path))
  const platform_texts = sources.filter(({ home }) => isPlatform(home.kind)).flatMap(({ texts }) => texts)
  const made = tablesAfter([
    ...migrations.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => withoutSqlComments(text)),
    ...platform_texts.map(({ text }) => text),
  ])
  const owned = [...modules.flatMap(({ tables }) => tables), ...platform_tables]
  return [
    ...[...made]
      .filter((table) => !owned.includes(table))
      .map((table) => `The table ${table} is in no list of modules.ts: every table has an owner.`),
    ...[...new Set(owned)]
      .filter((table) => !made.has(table))
      .map((table) => `The table ${table} of modules.ts is made by no migration: every listed table exists.`),
    ...owned
      .filter((table, i) => owned.indexOf(table) !== i)
      .map((table) => `The table ${table} is listed twice in modules.ts: a table has one owner.`),
  ]
}

/** The permanent tables that exist after these statements. A partition counts as its parent. */
function tablesAfter(texts: string[]): Set<string> {
  const tables = new Set<string>()
  const statement =
    /\b(?:create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)(\s+partition\s+of)?|drop\s+table\s+(?:if\s+exists\s+)?(\w+)|alter\s+table\s+(\w+)\s+rename\s+to\s+(\w+)|attach\s+partition\s+(\w+))/gi
  const found = texts.flatMap((text) => [...text.matchAll(statement)])
  for (const [, created, partition, dropped, before, after, attached] of found) {
    if (created && !partition) tables.add(created)
    if (dropped) tables.delete(dropped)
    if (before && tables.delete(before)) tables.add(after!)
    if (attached) tables.delete(attached)
  }
  return tables
}

type Source = {
  path: string
  home: Home
  /**
   * The imports of a file, including types: a path from the root, the name of a package, or undefined if it is
   * computed.
   */
  imports: { target: string | undefined; line: number }[]
  /** All strings in the file, with `${name}` for an interpolation. */
  texts: { text: string; line: number }[]
  /** The texts assigned to names that are interpolated in others. */
  values: Map<string, string[]>
}

function readSource(path: string, content: string): Source {
  const source: Source = { path, home: homeOf(path), imports: [], texts: [], values: new Map() }
  if (isModuleSql(path)) return { ...source, texts: [{ text: withoutSqlComments(content), line: 1 }] }
  const visit = (node: Syntax, in_text = false) => {
    const line = () => lineOf(content, node.start)
    const specifier = importedBy(node)
    if (specifier) source.imports.push({ target: targetOf(path, textOf(specifier)), line: line() })
    const text = textOf(node)
    if (text !== undefined && !in_text) source.texts.push({ text: withoutSqlComments(text), line: line() })
    const [named, value] = naming(node)
    if (named) source.values.set(named, [...(source.values.get(named) ?? []), ...literalsOf(value)])
    for (const child of childrenOf(node)) visit(child, text !== undefined && node.type === 'BinaryExpression')
  }
  visit(syntaxOf(path, content))
  return source
}

function importedBy(node: Syntax): Syntax | undefined {
  if (node.type === 'TSExternalModuleReference') return node.expression
  return /^(Import|ExportNamed|ExportAll)Declaration$|^ImportExpression$|^TSImportType$/.test(node.type)
    ? node.source
    : undefined
}

function targetOf(path: string, specifier: string | undefined): string | undefined {
  if (specifier === undefined || specifier.includes('${')) return undefined
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier
}

/** The text of a literal, a template or a concatenation of these, with `${name}` for an interpolation. */
function textOf(node: Syntax | undefined): string | undefined {
  if (!node) return undefined
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node.type === 'TemplateLiteral') {
    return node.quasis?.map((quasi, i) => quasi.value.cooked + pieceOf(node.expressions?.[i])).join('')
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  // Each side is read once: reading it twice would double the work for each part of a long concatenation.
  const left = textOf(node.left)
  const right = textOf(node.right)
  if (left === undefined && right === undefined) return undefined
  return (left ?? placeholderOf(node.left)) + (right ?? placeholderOf(node.right))
}

const pieceOf = (node: Syntax | undefined): string => textOf(node) ?? placeholderOf(node)

const placeholderOf = (node: Syntax | undefined): string =>
  node ? `\${${node.name ?? node.property?.name ?? ''}}` : ''

/** Matches `name: value` and `const name = value`. */
function naming(node: Syntax): [string | undefined, Syntax?] {
  if (node.type === 'Property') return [node.key?.name, isSyntax(node.value) ? node.value : undefined]
  if (node.type === 'VariableDeclarator' && node.init) return [node.id?.name, node.init]
  return [undefined]
}

function literalsOf(node: Syntax | undefined): string[] {
  if (node?.type === 'ConditionalExpression') return [...literalsOf(node.consequent), ...literalsOf(node.alternate)]
  if (node?.type === 'TSAsExpression') return literalsOf(node.expression)
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : []
}

const withoutSqlComments = (text: string) =>
  text.replaceAll(/--[^\n]*/g, '').replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))

const lineOf = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/**
 * The import cycles of a tree: sets of files that all import each other through static imports of values and types, as
 * lists of files in order. Uses Tarjan's algorithm for strongly connected components.
 */
export function importCycles(files: Files): string[][] {
  const found: string[][] = []
  const numbers = new Map<string, number>()
  const open: string[] = []
  /** Visits a file and returns the lowest number of an open file reachable from it. */
  const visit = (path: string): number => {
    const number = numbers.size
    numbers.set(path, number)
    open.push(path)
    let lowest = number
    for (const target of importsOf(path, files[path]!)) {
      if (!(target in files)) continue
      if (!numbers.has(target)) lowest = Math.min(lowest, visit(target))
      else if (open.includes(target)) lowest = Math.min(lowest, numbers.get(target)!)
    }
    if (lowest === number) {
      const batched = open.splice(open.indexOf(path))
      if (batched.length > 1) found.push(batched.sort())
    }
    return lowest
  }
  for (const path of Object.keys(files)) if (!numbers.has(path)) visit(path)
  return found
}

/** The files that a file imports, as paths from the root. */
function importsOf(path: string, text: string): string[] {
  return childrenOf(syntaxOf(path, text)).flatMap(({ type, source }) => {
    const name = /^(?:Import|ExportNamed|ExportAll)Declaration$/.test(type) ? source?.value : undefined
    return typeof name === 'string' && name.startsWith('.') ? [posix.join(posix.dirname(path), name)] : []
  })
}
