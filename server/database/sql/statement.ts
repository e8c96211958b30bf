import type { Reach } from './reach.ts'
import type { Db } from '../query/database.ts'
import { withName, type CompiledStatement } from '../query/distribution.ts'
import type { StatementTypes } from './statement-types.ts'
import { registerBatch, batchedText } from '../query/read-batcher.ts'

/**
 * Named SQL statements. A module declares each statement once, when it loads:
 *
 *   export const findEmployee = read('employees.findEmployee', `select … where id = :employee_id and …`).json
 *   await findEmployee(ctx, { employee_id })
 *
 * `:name` is a value from the caller or, for the names of `from_context`, from the context. PostgreSQL describes every
 * statement in `npm run gen`, so parameters and columns are typed. A distributed database receives other SQL
 * (`query/distribution.ts`).
 */

/** The connection that runs a statement, and the values of a context that statements can name. */
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

/** The connection of a read. Only statements declared with `read` run over it. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- it hides what a Db can do
export interface ConnectionOfReads {}

/** The scope of a read. */
export type ReadScope = Omit<Scope, 'db'> & { db: ConnectionOfReads }

/** The values that statements take from the context, by name. Callers cannot pass them. */
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

/** The values of a statement by name, as PostgreSQL described them. */
export type ValuesOf<Name extends string> = {} extends TypesOf<Name>['takes']
  ? [values?: TypesOf<Name>['takes']]
  : [values: TypesOf<Name>['takes']]

/** Checks a row type against the columns that PostgreSQL described. */
type CheckedRow<Name extends string, Row> = TypesOf<Name>['gives'] &
  Record<Exclude<keyof Row, keyof TypesOf<Name>['gives']>, never>

/** The type of the only column of a statement. */
type ColumnOf<Name extends string> = NonNullable<TypesOf<Name>['gives'][keyof TypesOf<Name>['gives']]>

/** A statement with a name, which appears in PostgreSQL's logs. Unknown values and columns are type errors. */
export type Statement<Name extends string = string, By = Scope> = {
  name: Name
  /** as it is sent: with `$1` for its parameters, and its name as a comment */
  text: string
  /** as compiled, without its name */
  sql: string
  /** the names of its parameters, from `$1` */
  parameters: readonly string[]
  // Properties and not methods, so that a statement is not assignable to a read.
  rows: {
    (scope: By, ...values: ValuesOf<Name>): Promise<TypesOf<Name>['gives'][]>
    <Row extends CheckedRow<Name, Row>>(scope: By, ...values: ValuesOf<Name>): Promise<Row[]>
  }
  /** The first row, or undefined. */
  row: {
    (scope: By, ...values: ValuesOf<Name>): Promise<TypesOf<Name>['gives'] | undefined>
    <Row extends CheckedRow<Name, Row>>(scope: By, ...values: ValuesOf<Name>): Promise<Row | undefined>
  }
  /** The first column of the first row: JSON text that PostgreSQL built, ready to send. */
  json: (scope: By, ...values: ValuesOf<Name>) => Promise<string | undefined>
  /** The only column of every row, such as ids. */
  column: (scope: By, ...values: ValuesOf<Name>) => Promise<ColumnOf<Name>[]>
  /** The only column of the only row, such as a count. */
  value: (scope: By, ...values: ValuesOf<Name>) => Promise<ColumnOf<Name>>
  /** Whether there is a row. */
  exists: (scope: By, ...values: ValuesOf<Name>) => Promise<boolean>
}

/** A statement that is limited to the reach of its caller. A GET runs no other kind. */
export type Read<Name extends string = string> = Statement<Name, ReadScope>

type Values = Record<string, unknown>

/** Every statement by its name, in the order in which they were declared. */
export const statements = new Map<string, Statement>()

/** Strings, quoted names and comments, which contain no parameters; the `::` of a cast; then `:name`. */
const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|::|:([a-z_]\w*)/g

/** The text with `$n` for each `:name`, and the names in the order of their numbers. */
export function compile(text: string): { text: string; parameters: string[] } {
  const parameters: string[] = []
  const compiled = text.replaceAll(token, (found, name: string | undefined) => {
    if (name === undefined) return found
    const index = parameters.indexOf(name)
    return `$${index < 0 ? parameters.push(name) : index + 1}`
  })
  return { text: compiled, parameters }
}

/** Declares a statement. `name`: the module and the action. Throws if another statement has the name. */
export function statement<const Name extends string>(name: Name, text: string): Statement<Name> {
  if (statements.has(name)) throw new Error(`There are two statements named ${name}.`)
  const { text: sql, parameters } = compile(text)
  const compiled: CompiledStatement = { name, sql, parameters }
  const sent = withName(name, sql)
  const known = parameters.map((parameter) => from_context[parameter])
  const bind = (scope: Scope, values: Values = {}) =>
    parameters.map((parameter, index) => {
      const value = known[index] ? known[index](scope) : values[parameter]
      if (value === undefined) throw new Error(`${name} requires a value for :${parameter}.`)
      return value
    })
  const requestDistributed = async (kind: 'rows' | 'row' | 'json', scope: Scope, values: Values | undefined) => {
    const { db, caller } = scope
    const organization_ids = caller?.reach.organization_ids
    const { text, last_value } = db.distribution!.rewrite(compiled, organization_ids?.length === 1)
    const bound = bind(scope, values)
    if (last_value === undefined) return db[kind](text, bound)
    const organization_id = values?.organization_id ?? organization_ids?.[0] ?? null
    return db[kind](text, [...bound, await db.json(last_value, [organization_id])])
  }
  const run = (kind: 'rows' | 'row' | 'json') => (scope: Scope, values?: Values) =>
    scope.db.distribution ? requestDistributed(kind, scope, values) : scope.db[kind](sent, bind(scope, values))
  const rows = run('rows') as (scope: Scope, values?: Values) => Promise<Values[]>
  const column = async (scope: Scope, values?: Values) =>
    (await rows(scope, values)).map((row) => Object.values(row)[0])
  const declared = {
    name,
    text: sent,
    sql,
    parameters,
    rows,
    row: run('row'),
    json: run('json'),
    column,
    value: async (scope: Scope, values?: Values) => (await column(scope, values))[0],
    exists: async (scope: Scope, values?: Values) => (await rows(scope, values)).length > 0,
  } as unknown as Statement<Name>
  statements.set(name, declared as Statement)
  return declared
}

/** Whether a statement is limited by `inReach`, or by `isOfCaller` to the user instead of the organizations. */
const namesCaller = ({ parameters }: Statement): boolean =>
  parameters.includes('reach_employer_id') &&
  parameters.includes('reach_employee_id') &&
  (parameters.includes('reach_organization_ids') || parameters.includes('caller_user_id'))

function requireCaller<Name extends string>(declared: Statement<Name>): Read<Name> {
  if (!namesCaller(declared as unknown as Statement))
    throw new Error(`${declared.name} is a read that ignores the reach of its caller. Limit its rows with inReach().`)
  return declared as unknown as Read<Name>
}

/**
 * Options of a read that is batched while the service is busy. `batch`: the maximum number of requests of one caller
 * per statement. The values of a batched read are text, or are cast where they are used. No value is an array.
 */
export type ReadOptions = { batch?: number }

/** The suffix of the name of a batched query. */
const batched = ' together'

/** Whether a statement is a batched query. A distributed database never receives one. */
export const isBatched = ({ name }: Statement): boolean => name.endsWith(batched)

function declareBatched({ name, text: sent, parameters }: Statement, text: string, most: number): void {
  const isOwn = (parameter: string) => !(parameter in from_context)
  const positions = [...parameters.keys()]
  const own = positions.filter((position) => isOwn(parameters[position]!))
  const nameOwn = (named: (parameter: string) => string) =>
    text.replaceAll(token, (found, parameter?: string) =>
      parameter !== undefined && isOwn(parameter) ? named(parameter) : found,
    )
  const names = own.map((position) => parameters[position]!)
  const single_text = statement(`${name}${batched}`, batchedText(names, nameOwn))
  const common = positions.filter((position) => !own.includes(position))
  registerBatch(sent, { text: single_text.text, own, common, most })
}

/**
 * Declares a read, which locates the resource of a path or answers a GET. Throws if it is not limited to the reach of
 * the caller by `inReach` or `isOfCaller`.
 */
export function read<const Name extends string>(name: Name, text: string, options: ReadOptions = {}): Read<Name> {
  const declared = requireCaller(statement(name, text))
  const { batch: most } = options
  if (most !== undefined) declareBatched(declared as unknown as Statement, text, most)
  return declared
}

/** The choices from which a statement is built, by name, each with its possible values. */
export type VariantChoices = Record<string, readonly (string | boolean | null)[]>
export type ChosenVariant<C extends VariantChoices> = { [name in keyof C]: C[name][number] }

/** Declares each variant, and returns the variant of the chosen values. */
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
 * Declares all variants of a statement that is built from filters: `name(active, search)`. The types combine those of
 * all variants. A value that a variant does not use is not sent.
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

/** Declares all variants of a read that is built from filters. `optionsOf` returns the options of a variant. */
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
