import { z } from 'zod'
import {
  operator_roles,
  rowsOf,
  type Caller,
  type CallerKind,
  type OperatorRole,
  type OrganizationRule,
} from '../runtime/caller.ts'
import type { Ctx, ReadCtx } from '../runtime/ctx.ts'
import { every_organization, type RowsOf } from '../database/query/rows-of.ts'
import { path_params, type ParamKind } from '../kernel/ids.ts'
import type { Outbound } from '../integrations/outbound/outbound.ts'
import type { Detail, Refusal, RefusalKind } from '../kernel/refusal.ts'
import type { StagedRows } from '../kernel/concurrency/staged-rows.ts'
import type { KeyScope, Role } from '../runtime/permissions.ts'

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** The ids that a path such as `/v1/employers/{employer_id}` contains, by name. */
type Params<Path extends string> = { [name in NamesIn<Path>]: string }

/**
 * The resource of a path, which exists and is in reach. Some resources have no organization, such as an unbound key.
 */
export type Located = { organization_id: string | null; employer_id?: string | null }

/**
 * A finished JSON body, or undefined if the resource does not exist. `status` is needed if it is not the lowest of
 * `returns`. `resource_id` is the resource for the audit log if it is not the last id of the path, as in a creation.
 * `organization_id` is its organization if neither the path nor the credential determines it.
 */
export type Reply =
  | string
  | { status?: number; resource_id?: string | undefined; organization_id?: string | null | undefined; body: string }
  | undefined

/**
 * The response to a repetition with the same Idempotency-Key, by default the stored response. `rerun`: the operation
 * runs again, because its result is short-lived. `briefly`: the stored response contains a secret.
 */
export type Repeats = 'rerun' | 'briefly'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Input<
  Path extends string,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  M extends Method = Method,
  L = any,
> = {
  params: Params<Path>
  /** The resource that `locate` found, for a write, which has locked its organization by then. Undefined for a read. */
  located: M extends 'GET' ? undefined : L
  query: z.output<Query>
  body: z.output<Body>
  /** The rows of a body with `staged` rows. They are not in `body`. */
  staged?: StagedRows | undefined
  /** For a long poll that runs again: the event position up to which it found nothing. */
  seen?: number | undefined
}

/** Returns the fault of the row at an index, which may depend on earlier rows. */
export type FindFault = (row: any, index: number) => Detail | undefined

/**
 * The body of an operation and its limits. Bodies with many rows and large bodies are declared in `schemas.ts` and
 * listed in validation-thread.ts.
 */
export type SentBody<Body extends z.ZodType = z.ZodType> = {
  body?: Body
  /**
   * The field with many rows and their maximum. Bodies over 8 KiB are validated in a worker thread. `staged`: the rows
   * are stored for a job in chunks of `size`, after a fault finder has checked them one after the other.
   */
  rows?: { field: string; most: number; staged?: { size: number; faultFinder: () => FindFault } }
  /** A large body without rows. It is validated in a worker thread like one with many rows. */
  large?: boolean
  /**
   * The rows may also be sent as text/csv with the field names in a header line. `any` accepts every encoding in which
   * spreadsheets save CSV.
   */
  csv?: 'utf-8' | 'any'
  /** CSV columns with numbers, which JSON sends as numbers and CSV can only send as text. */
  csv_numbers?: readonly string[]
  /** In bytes. The default is 64 KiB. */
  body_limit?: number
}

/**
 * One operation of the interface: its path, permissions, input, responses and handler. http/server.ts and
 * http/handle.ts handle everything that all operations have in common.
 */
export type Endpoint<
  Path extends string = string,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  M extends Method = Method,
  L extends Located = any,
> = SentBody<Body> & {
  /** The published operation id. */
  operation: string
  /** The SDK method, such as `census.submit`, if it does not follow from the id, path and tag. */
  sdk?: `${string}.${string}`
  method: M
  /** `/v1/employers/{employer_id}` */
  path: Path
  tag: string
  summary: string
  description?: string
  allows: readonly CallerKind[]
  /** The roles that may perform it: of organization members, or of operators for the operator interface. */
  roles: readonly (Role | OperatorRole | 'bootstrap')[]
  /** The scopes that an API key needs, all of them. Every operation of the partner interface declares them. */
  scopes?: readonly KeyScope[]
  /** By default, the located resource determines the organization. */
  organization: OrganizationRule
  /** The kinds of the ids in the path, which follow from their names. A malformed id returns 404. */
  params?: Record<string, ParamKind>
  /** Finds the resource of the path within the caller's reach. Required if the path has parameters. */
  locate?: (ctx: ReadCtx, params: Params<Path>) => Promise<L | undefined>
  query?: Query
  /** Response schemas by status. A reply without a status gets the lowest. */
  returns: Record<number, z.ZodType>
  /** Refusals beyond those that every operation may return. */
  refuses?: readonly RefusalKind[]
  repeats?: Repeats
  /**
   * The operation creates a credential that outlasts a session, such as a key. Browser sessions must have signed in
   * within the last hour.
   */
  issues_credential?: boolean
  /**
   * The lock of a write (docs/design/data/locks-and-days.md). By default the whole organization. `employer`: only the
   * employer of the path, because the write touches nothing else. `nothing`: unique indexes decide what is taken.
   */
  locks?: 'employer' | 'nothing'
  /** The write changes the reach or clock of credentials, so this process drops its credential cache. */
  changes_reach?: boolean
  /** Refuses a body after a call to an outside system. Runs before the transaction, which makes no such calls. */
  precheck?: (outbound: Outbound, body: z.output<Body>) => Promise<Refusal | undefined>
  /** An example body for the documentation. It works in the sandbox. */
  example?: unknown
  /**
   * How many seconds a request for new events waits for one if its page would be empty. Undefined if the request does
   * not wait for events.
   */
  waits?: (query: z.output<Query>) => number | undefined
  /** The context of a GET accepts only statements that read and that name the caller's reach. */
  handle: (ctx: M extends 'GET' ? ReadCtx : Ctx, input: Input<Path, Query, Body, M, L>) => Promise<Reply>
}

/** The rows that an operation may touch: those in the caller's reach, or all for operations about the caller itself. */
export const rowsFor = ({ organization }: Endpoint, caller: Caller): RowsOf =>
  organization === 'none' ? every_organization : rowsOf(caller)

/** Declares an operation. The types of its input follow from its schemas. */
export const endpoint = <
  const Path extends string,
  Query extends z.ZodObject = z.ZodObject<{}>,
  Body extends z.ZodType = z.ZodUndefined,
  const M extends Method = Method,
  L extends Located = never,
>(
  record: Omit<Endpoint<Path, Query, Body, M, L>, 'params' | 'organization'> & Partial<Pick<Endpoint, 'organization'>>,
): Endpoint => {
  if (!record.organization && !record.locate) throw new Error(`${record.operation} must declare its organization.`)
  return { organization: 'path', ...record, ...paramsOf(record.path) } as unknown as Endpoint
}

function paramsOf(path: string): Pick<Endpoint, 'params'> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof typeof path_params)
  return names.length > 0 ? { params: Object.fromEntries(names.map((name) => [name, path_params[name]])) } : {}
}

/** API keys and signed-in members. Tokens that a key has issued are not among them. */
export const keys_and_sessions = ['api_key', 'session_token'] as const

/** The callers that act for an organization: API keys, signed-in members, and access tokens without a binding. */
export const partner = [...keys_and_sessions, 'access_token'] as const

const operated = { allows: ['operator'], organization: 'none' } as const

/** The callers of the operator interface, by permission: read, administer, move money, manage operators. */
export const for_operators = {
  read: { ...operated, method: 'GET', roles: operator_roles },
  administer: { ...operated, roles: ['owner', 'operations'] },
  bill: { ...operated, roles: ['owner', 'billing'] },
  own: { ...operated, roles: ['owner'] },
} as const

/** An operation of partners that operators have too, by default under the same path below `/operator`. Returns both. */
export function alsoForOperators(
  endpoint_of_partners: Endpoint,
  changes: Pick<Endpoint, 'operation' | 'allows' | 'organization' | 'roles'> &
    Partial<Pick<Endpoint, 'path' | 'sdk' | 'tag' | 'summary' | 'description'>>,
): Endpoint[] {
  const { scopes, ...shared } = endpoint_of_partners
  const { path = `/operator${shared.path}` } = changes
  return [endpoint_of_partners, { ...shared, ...changes, path, ...paramsOf(path) }]
}

/** `{ data: … }` as a schema. */
export const dataOf = <Shape extends z.ZodType>(shape: Shape) => z.object({ data: shape })

/** `{ data: … }` around a resource, which may already be JSON. Undefined stays undefined. */
export function data(resource: object): string
export function data(resource: string | object | undefined): string | undefined
export function data(resource: string | object | undefined): string | undefined {
  return resource && `{"data":${typeof resource === 'string' ? resource : JSON.stringify(resource)}}`
}

/** The reply to a creation: the new resource as a read would show it. */
export async function made(
  id: string,
  show: (id: string) => Promise<string | undefined>,
  organization_id?: string | null,
): Promise<Reply> {
  const body = data(await show(id))
  return body && { resource_id: id, organization_id, body }
}

/** The reply to a change: the resource as a read shows it afterwards. */
export async function changed(change: Promise<unknown>, show: () => Promise<string | undefined>): Promise<Reply> {
  await change
  return data(await show())
}

/** A query parameter that may be sent several times, as `key[]=` or as a comma list. Case-insensitive. */
export const many = <Values extends z.ZodEnum<Record<string, string>>>(values: Values) =>
  z.array(z.string().toLowerCase().pipe(values)).default([])

/** A boolean query parameter. */
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).default(false)
