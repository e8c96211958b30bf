import type { Reach } from './reach.ts'
import type { Db } from '../query/database.ts'
import { by_organization, organization_columns } from '../citus/placement.ts'
import type { StatementTypes } from './statement-types.ts'
import { askTogether, togetherText } from '../query/batched-query.ts'

/**
 * Who runs a statement: a connection, and what a context knows where a statement names it (`:today`, `:now`,
 * `:real_now`, `:own_trace_id` and the caller's reach).
 */
export type Scope = {
  db: Db
  caller?: ScopeCaller
  today?: string
  now?: string
  real_now?: string
  trace_id?: string
}

/** The part of a caller that statements take from the context. `roles` has the caller's organizations as keys. */
export type ScopeCaller = {
  credential_id: string
  user_id: string | null
  reach: Reach
  roles: Readonly<Record<string, unknown>>
}

/** The connection of a read: nothing runs over it but what was declared by `read`. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- it hides what a Db can do
export interface ConnectionOfReads {}

/** Who runs a read. */
export type ReadScope = Omit<Scope, 'db'> & { db: ConnectionOfReads }

/** What statements take from the context, by name, and nobody hands over. */
export const from_context: Record<string, (scope: ReadScope) => unknown> = {
  today: ({ today }) => today,
  now: ({ now }) => now,
  real_now: ({ real_now }) => real_now,
  own_trace_id: ({ trace_id }) => trace_id ?? null,
  reach_organization_ids: ({ caller }) => caller?.reach.organization_ids,
  reach_employer_id: ({ caller }) => caller?.reach.employer_id,
  reach_employee_id: ({ caller }) => caller?.reach.employee_id,
  caller_user_id: ({ caller }) => caller?.user_id,
  caller_organization_ids: ({ caller }) => caller && Object.keys(caller.roles),
}

type TypesOf<Name extends string> = Name extends keyof StatementTypes
  ? StatementTypes[Name]
  : { takes: Record<string, unknown>; gives: Record<string, any> }

/** The values of a statement by name, as PostgreSQL described them; none where it takes none. */
export type ValuesOf<Name extends string> = {} extends TypesOf<Name>['takes']
  ? [values?: TypesOf<Name>['takes']]
  : [values: TypesOf<Name>['takes']]

/** What may be claimed of a row: the columns that PostgreSQL described, each of its type, null where it can't be. */
type RowClaim<Name extends string, Row> = TypesOf<Name>['gives'] &
  Record<Exclude<keyof Row, keyof TypesOf<Name>['gives']>, never>

/**
 * A statement: it has a name, under which PostgreSQL's logs speak of it, and named parameters. What it takes and gives
 * was described by PostgreSQL (`npm run gen`), so a column or a value that it doesn't have is an error of types.
 */
export type Statement<Name extends string = string, By = Scope> = {
  name: Name
  /** as it is sent: with `$1` for its parameters, and its name as a comment */
  text: string
  /** the same for a caller who reaches one organization, with the same parameters */
  text_of_one: string
  /** the names of `$1` and those after it */
  parameters: readonly string[]
  // Properties and not methods, so that no statement passes for a read.
  rows: {
    (scope: By, ...values: ValuesOf<Name>): Promise<TypesOf<Name>['gives'][]>
    <Row extends RowClaim<Name, Row>>(scope: By, ...values: ValuesOf<Name>): Promise<Row[]>
  }
  /** The first row, or undefined. */
  row: {
    (scope: By, ...values: ValuesOf<Name>): Promise<TypesOf<Name>['gives'] | undefined>
    <Row extends RowClaim<Name, Row>>(scope: By, ...values: ValuesOf<Name>): Promise<Row | undefined>
  }
  /** The first column of the first row as text: JSON that PostgreSQL built, ready to be sent. */
  json: (scope: By, ...values: ValuesOf<Name>) => Promise<string | undefined>
}

/** A statement that names what its caller reaches: the only kind that answers a request to read. */
export type Read<Name extends string = string> = Statement<Name, ReadScope>

type Values = Record<string, unknown>

/** Every statement by its name, in the order in which they were declared. */
export const statements = new Map<string, Statement>()

const in_reach_of_any = /\((\$\d+)::text\[\] is null or (\$?[\w.]+) = any\(\1\)\)/g

/**
 * A compiled text for a caller who reaches one organization, as all do once a resource is located: an equality with a
 * value, by which a divided database sees which server has all rows that are asked for.
 */
const ofOne = (text: string, parameters: string[]): string => {
  const reach = `$${parameters.indexOf('reach_organization_ids') + 1}`
  return text.replaceAll(in_reach_of_any, (found, parameter: string, organization: string) =>
    parameter === reach ? `${organization} = (${reach}::text[])[1]` : found,
  )
}

/** SQL: the organization whose rows a statement is about, as a value; undefined where it is about several. */
function organizationOf(parameters: string[], is_of_one: boolean): string | undefined {
  const given = parameters.indexOf('organization_id')
  if (given >= 0) return `$${given + 1}`
  const reach = parameters.indexOf('reach_organization_ids')
  return is_of_one && reach >= 0 ? `($${reach + 1}::text[])[1]` : undefined
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

/** Rows of two tables that are of the same organization. */
const same_organization = /((?:\w+\.)?organization_id) = (\w+\.organization_id)\b/g

/** A table that is read, by a name of its own if it has one; not the one that rows are deleted from. */
const read_table = new RegExp(
  `(?<!\\bdelete )(\\b(?:from|join) )(organizations|${by_organization.join('|')})\\b(?! *\\()(?: as (\\w+))?`,
  'g',
)

/** Rows of which only their number matters: it hands on none without a column. */
const no_columns = /\bselect\s+from\b/g

const divided_table = new RegExp(`\\b(?:${by_organization.join('|')})\\b`)

/** Rows that a statement at last inserts from a select, and nothing comes back. */
function insertsFromSelect(text: string): boolean {
  const at = text.lastIndexOf('insert into ')
  const inserted = text.slice(at)
  return (
    /(?:^|\))\s*$/.test(text.slice(0, at)) &&
    /\bselect\b/.test(inserted) &&
    !/\bon conflict\b|\breturning\b/.test(inserted)
  )
}

/** A statement that locks an organization, and so reads the row itself. */
const locks_organization = /\bfor (?:no key )?(?:update|share)\b(?! of (?!organizations?\b))/

/** A text for a divided database; `takes_organization`: and it takes the row of the organization, after all else. */
type DividedText = { text: string; takes_organization: boolean }

/**
 * A compiled text for a divided database. It sees no equality through another row: each table that is read is that of
 * the organization, and each row that is written says it itself. And what is inserted from a select goes through a copy
 * there, which row-level security bars, unless it gives something back.
 */
function divided(text: string, organization: string | undefined, parameters: readonly string[]): DividedText {
  const asked = text.replaceAll(no_columns, 'select 1 from')
  const handed_over = organization && !locks_organization.test(asked) ? `$${parameters.length + 1}` : undefined
  const told = organization ? ofOrganization(asked, organization, handed_over) : asked
  return {
    text: insertsFromSelect(told) ? `${told} returning true as written` : told,
    takes_organization: handed_over !== undefined && told.includes(`${handed_over}::jsonb`),
  }
}

/**
 * SQL in which each table that is divided is read as that of one organization, which `organization` says. The row of
 * the organization is that which is handed over as `row`, or read. By functions, since what begins with a dollar sign
 * would stand for what was found.
 */
export function ofOrganization(text: string, organization: string, row?: string): string {
  if (!divided_table.test(text)) return text
  const its_row =
    row === undefined
      ? `select * from organizations where id = ${organization} offset 0`
      : `select * from jsonb_to_recordset(${row}::jsonb) as organizations (${organization_columns.join(', ')})`
  return text
    .replaceAll(same_organization, (found, of: string) => `(${found} and ${of} = ${organization})`)
    .replaceAll(read_table, (_, before: string, table: string, alias = table) =>
      table === 'organizations'
        ? `${before}(${its_row}) as ${alias}`
        : `${before}(select * from ${table} where organization_id = ${organization}) as ${alias}`,
    )
}

/** The row of an organization as JSON, for a statement that takes it. */
const organization_row = `
  /* statement.handOver */ select coalesce(json_agg(organization), '[]')::text as json
                             from organizations as organization where id = $1`

/** Strings, quoted names and comments, in which nothing is a parameter; then `:name`, but not the `::` of a cast. */
const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|::|:([a-z_]\w*)/g

/** The text with `$n` for each `:name`, and the names in the order of their numbers. */
export function compile(text: string): { text: string; parameters: string[] } {
  const parameters: string[] = []
  const compiled = text.replaceAll(token, (found, name: string | undefined) => {
    if (name === undefined) return found
    const at = parameters.indexOf(name)
    return `$${at < 0 ? parameters.push(name) : at + 1}`
  })
  return { text: compiled, parameters }
}

/**
 * Declares a statement, once, where a module is loaded. `name`: the module and what it does, `employees.findEmployee`.
 * `text`: SQL with `:name` where a value belongs. Throws when the name is taken.
 */
export function statement<const Name extends string>(name: Name, text: string): Statement<Name> {
  if (statements.has(name)) throw new Error(`There are two statements named ${name}.`)
  const { text: compiled, parameters } = compile(text)
  const sentAs = (compiled_text: string) => `/* ${name} */ ${compiled_text.trim()}`
  const sent = sentAs(compiled)
  // Made when they are asked for: most databases are not divided, and a process has hundreds of statements.
  const dividedAs = (is_of_one: boolean) =>
    once(() => {
      const asked = is_of_one ? ofOne(compiled, parameters) : compiled
      const made = divided(asked, organizationOf(parameters, is_of_one), parameters)
      return { ...made, text: sentAs(made.text) }
    })
  const sentOfOne = dividedAs(true)
  const sentDivided = dividedAs(false)
  const known = parameters.map((parameter) => from_context[parameter])
  const bind = (scope: Scope, values: Values = {}) =>
    parameters.map((parameter, at) => {
      const value = known[at] ? known[at](scope) : values[parameter]
      if (value === undefined) throw new Error(`${name} takes :${parameter}, and got nothing for it.`)
      return value
    })
  const askDivided = async (kind: 'rows' | 'row' | 'json', scope: Scope, values: Values | undefined) => {
    const organization_ids = scope.caller?.reach.organization_ids
    const { text, takes_organization } = organization_ids?.length === 1 ? sentOfOne() : sentDivided()
    const bound = bind(scope, values)
    if (!takes_organization) return scope.db[kind](text, bound)
    const organization_id = values?.organization_id ?? organization_ids?.[0] ?? null
    return scope.db[kind](text, [...bound, await scope.db.json(organization_row, [organization_id])])
  }
  const ask = (kind: 'rows' | 'row' | 'json') => (scope: Scope, values?: Values) =>
    scope.db.divided ? askDivided(kind, scope, values) : scope.db[kind](sent, bind(scope, values))
  const declared = {
    name,
    text: sent,
    get text_of_one() {
      return sentOfOne().text
    },
    parameters,
    rows: ask('rows'),
    row: ask('row'),
    json: ask('json'),
  } as unknown as Statement<Name>
  statements.set(name, declared as Statement)
  return declared
}

/** What a read has to name: the three by `inReach`, or instead of organizations the user, by `ofCaller`. */
const namesCaller = ({ parameters }: Statement): boolean =>
  parameters.includes('reach_employer_id') &&
  parameters.includes('reach_employee_id') &&
  (parameters.includes('reach_organization_ids') || parameters.includes('caller_user_id'))

function requireCaller<Name extends string>(declared: Statement<Name>): Read<Name> {
  if (!namesCaller(declared as unknown as Statement))
    throw new Error(`${declared.name} is a read and names no reach of its caller: narrow its rows by inReach().`)
  return declared as unknown as Read<Name>
}

/**
 * How a read is asked. `together`: how many requests of one caller go in one statement while others before them are
 * under way, or how many rows where `rows` names the value that says for how many each asks. Of such a read what comes
 * from outside is text, or cast where it is used.
 */
export type ReadOptions = { together?: number; rows?: string }

/** What the statement is called that asks a read for several requests. */
const together = ' together'

/** Whether a statement asks a read for several requests. It is not sent where tenants are divided. */
export const isTogether = ({ name }: Statement): boolean => name.endsWith(together)

function declareTogether({ name, text: sent, parameters }: Statement, text: string, most: number, rows?: string): void {
  const isOwn = (parameter: string) => !(parameter in from_context)
  const places = [...parameters.keys()]
  const own = places.filter((at) => isOwn(parameters[at]!))
  const nameOwn = (named: (parameter: string) => string) =>
    text.replaceAll(token, (found, parameter?: string) =>
      parameter !== undefined && isOwn(parameter) ? named(parameter) : found,
    )
  const names = own.map((at) => parameters[at]!)
  const asked = statement(`${name}${together}`, togetherText(names, nameOwn))
  const common = places.filter((at) => !own.includes(at))
  const rows_at = rows === undefined ? undefined : parameters.indexOf(rows)
  if (rows_at === -1) throw new Error(`${name} counts by ${rows}, which is no value of it.`)
  askTogether(sent, { text: asked.text, own, common, most, rows_at })
}

/**
 * Declares a statement that answers whoever asks: what locates what a path names, and what a GET answers with. Throws
 * when it does not name what the caller reaches, by `inReach` or `ofCaller`.
 */
export function read<const Name extends string>(name: Name, text: string, options: ReadOptions = {}): Read<Name> {
  const declared = requireCaller(statement(name, text))
  const { together: most, rows } = options
  if (most !== undefined) declareTogether(declared as unknown as Statement, text, most, rows)
  return declared
}

/** What a statement is built from: each choice by its name, with everything that may be chosen. */
export type VariantChoices = Record<string, readonly (string | boolean | null)[]>
export type ChosenVariant<C extends VariantChoices> = { [name in keyof C]: C[name][number] }

/** Declares each variant, and finds one by what was chosen. */
function declareVariants<C extends VariantChoices, Declared>(
  choices: C,
  declare: (variant: string, chosen: ChosenVariant<C>) => Declared,
): (chosen: ChosenVariant<C>) => Declared {
  const keyOf = (chosen: ChosenVariant<C>) =>
    Object.keys(choices)
      .flatMap((choice) => {
        const value = chosen[choice]
        return value === null || value === false ? [] : [value === true ? choice : String(value)]
      })
      .join(', ')
  const combinations = Object.entries(choices).reduce<Record<string, unknown>[]>(
    (all, [choice, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [choice]: value }))),
    [{}],
  ) as ChosenVariant<C>[]
  const declared = new Map(combinations.map((chosen) => [keyOf(chosen), declare(keyOf(chosen), chosen)]))
  return (chosen) => declared.get(keyOf(chosen))!
}

/**
 * Declares a statement that is built from filters, in all its variants: `name(active, search)`. They take and give what
 * all of them together do; a value that a variant has no use for is not sent.
 */
export const variants = <const Name extends string, const C extends VariantChoices>(
  name: Name,
  choices: C,
  build: (chosen: ChosenVariant<C>) => string,
) =>
  declareVariants(
    choices,
    (variant, chosen) => statement(`${name}(${variant})`, build(chosen)) as unknown as Statement<Name>,
  )

/** Declares a read that is built from filters, in all its variants, each of which is asked as `optionsOf` says. */
export const readVariants = <const Name extends string, const C extends VariantChoices>(
  name: Name,
  choices: C,
  build: (chosen: ChosenVariant<C>) => string,
  optionsOf: (chosen: ChosenVariant<C>) => ReadOptions = () => ({}),
) =>
  declareVariants(
    choices,
    (variant, chosen) => read(`${name}(${variant})`, build(chosen), optionsOf(chosen)) as unknown as Read<Name>,
  )
