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
import type { ParamKind } from '../kernel/ids.ts'
import type { Outbound } from '../integrations/outbound/outbound.ts'
import type { Detail, Refusal, RefusalKind } from '../kernel/refusal.ts'
import type { StagedRows } from '../kernel/staged-rows.ts'
import type { KeyScope, Role } from '../runtime/permissions.ts'

export type Params = Record<string, ParamKind>

/**
 * The resource that a path names: known to exist and to be in reach. Few belong to no organization, such as an unbound
 * key.
 */
export type Located = { organization_id: string | null; employer_id?: string | null }

/**
 * A ready body; undefined when there is no such resource. With the status when it is not the operation's first, and
 * with
 * `resource_id` when that is not the last that the path names, such as of what was made: what the audit is to speak of.
 */
export type Reply = string | { status?: number; resource_id?: string | undefined; body: string } | undefined

/**
 * How a repeat with the same Idempotency-Key is answered, unless by the stored answer for 24 hours. `anew`: it is done
 * again, since what was answered does not last. `briefly`: by the stored answer for 10 minutes, since it holds a
 * secret.
 */
export type Repeats = 'anew' | 'briefly'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Input<
  P extends Params,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  M extends Method = Method,
  L = any,
> = {
  params: { [name in keyof P]: string }
  /**
   * What the path names, as `locate` found it: of a write, whose organization is locked by then. A read is one
   * statement.
   */
  located: M extends 'GET' ? undefined : L
  query: z.output<Query>
  body: z.output<Body>
  /** Of a body whose rows wait (`staged`): those, which are not in the body. */
  staged?: StagedRows | undefined
  /** Of a read that has waited: the position up to which it has looked already, and found nothing. */
  seen?: number | undefined
}

/** What is wrong with a row, at its place, beside those before it. */
export type FindFault = (row: any, at: number) => Detail | undefined

/**
 * What comes in the body of an operation, and how much of it. Where it has many rows or is large, it stands with the
 * schemas, and is named in checking-thread.ts.
 */
export type SentBody<Body extends z.ZodType = z.ZodType> = {
  body?: Body
  /**
   * The field of the body that holds many rows, and how many at most: those of more than 8 KiB are checked beside other
   * requests. `staged`: they wait for a job, in chunks of this size, once nothing is wrong among them, for which it has
   * them looked at one after the other; the operation gets them in words.
   */
  rows?: { field: string; most: number; staged?: { size: number; faultFinder: () => FindFault } }
  /** The body is about one thing, and is large: as with many rows, it is checked beside other requests. */
  large?: boolean
  /**
   * Those may also be sent as text/csv, in UTF-8 or in any encoding in which spreadsheets save it: the same field names
   * in a header line, then a line each.
   */
  csv?: 'utf-8' | 'any'
  /** Columns of those that hold whole numbers: what JSON says as a number, a CSV can only say as text. */
  csv_numbers?: readonly string[]
  /** Bytes; 64 KiB unless said. */
  body_limit?: number
}

/**
 * One operation of the interface, whole: where it is, who may, what it takes, what it answers. Everything
 * that is alike for all operations is decided once around it, in http/server.ts and http/handle.ts.
 */
export type Endpoint<
  P extends Params = Params,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  M extends Method = Method,
  L extends Located = any,
> = SentBody<Body> & {
  /** The published operation id. */
  operation: string
  /** The group and the method by which clients call it, where its id, path and section don't tell: `census.submit`. */
  sdk?: `${string}.${string}`
  method: M
  /** `/v1/employers/{employer_id}` */
  path: string
  tag: string
  summary: string
  description?: string
  allows: readonly CallerKind[]
  /**
   * Which members of an organization may, by their roles in it; of the operator interface, which operators. Declared by
   * every operation.
   */
  roles: readonly (Role | OperatorRole | 'bootstrap')[]
  /** What a key must be for, all of it; of each operation of the partner interface. */
  scopes?: readonly KeyScope[]
  organization: OrganizationRule
  /** What the path names: ids by their prefix, or `text` for what others gave a name; malformed, it is a 404. */
  params?: P
  /** Finds what the path names within the caller's reach. Required where the path names something. */
  locate?: (ctx: ReadCtx, params: { [name in keyof P]: string }) => Promise<L | undefined>
  query?: Query
  /** Answers by status; a reply without a status has the lowest. */
  returns: Record<number, z.ZodType>
  /** Named refusals beyond those that every operation may answer. */
  refuses?: readonly RefusalKind[]
  repeats?: Repeats
  /**
   * Makes what outlasts a session, such as a key: whoever is signed in with a browser signs in again for it, unless
   * they did within the last hour.
   */
  hands_out?: boolean
  /**
   * Writes at the employer of what its path names and nowhere else in the organization: that is locked, and others
   * write at other employers meanwhile (decision 169). The whole organization unless said.
   */
  locks?: 'employer'
  /** Changes what credentials reach or by which clock: this process forgets what it read of them. */
  changes_reach?: boolean
  /**
   * Why a body can't be taken, for what is found out elsewhere: asked before the transaction, which waits for nobody
   * outside.
   */
  precheck?: (outbound: Outbound, body: z.output<Body>) => Promise<Refusal | undefined>
  /** An example body for the documentation. It works in the sandbox. */
  example?: unknown
  /**
   * For how many seconds the answer may wait for an event when the page would be empty; of a read of one organization.
   */
  waits?: (query: z.output<Query>) => number
  /** The context of a GET runs no statement that forgets what the caller reaches, and changes nothing. */
  handle: (ctx: M extends 'GET' ? ReadCtx : Ctx, input: Input<P, Query, Body, M, L>) => Promise<Reply>
}

/** Whose rows an operation may touch: of those whom its caller reaches, unless it is about the caller in person. */
export const rowsFor = ({ organization }: Endpoint, caller: Caller): RowsOf =>
  organization === 'none' ? every_organization : rowsOf(caller)

/** Declares an operation; the types of its input follow from its schemas. */
export const endpoint = <
  const P extends Params = {},
  Query extends z.ZodObject = z.ZodObject<{}>,
  Body extends z.ZodType = z.ZodUndefined,
  const M extends Method = Method,
  L extends Located = never,
>(
  record: Endpoint<P, Query, Body, M, L>,
): Endpoint => record as unknown as Endpoint

/** Who acts for an organization in person: by a key, or signed in with a browser. */
export const in_person = ['api_key', 'session_token'] as const

/** The same, and what an API key issued without a binding. */
export const partner = [...in_person, 'access_token'] as const

/** Which operators may: to look at anything, to administer, to move money, and to say who operates. */
export const roles_to = {
  read: operator_roles,
  administer: ['owner', 'operations'],
  bill: ['owner', 'billing'],
  own: ['owner'],
} as const

/** `{ data: … }` as a schema. */
export const dataOf = <Shape extends z.ZodType>(shape: Shape) => z.object({ data: shape })

/** `{ data: … }` around a ready resource; undefined stays undefined. */
export const data = (resource: string | undefined): string | undefined => resource && `{"data":${resource}}`

/** The answer to a creation: what was made, as it is shown. */
export async function made(id: string, show: (id: string) => Promise<string | undefined>): Promise<Reply> {
  const body = data(await show(id))
  return body && { resource_id: id, body }
}

/** A query parameter that may be sent several times, as `key[]=` or as a comma list. Case-insensitive. */
export const several = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.string().toLowerCase().pipe(z.enum(values))).default([])

/** A boolean query parameter. */
export const flag = z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).default(false)
