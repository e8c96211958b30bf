import { data, dataOf, endpoint, roles_to } from '../../../http/endpoint.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { refuse } from '../../../kernel/refusal.ts'
import {
  appointOperator,
  changeRole,
  dismissOperator,
  handOutOperatorKey,
  revokeOperatorKey,
  type HandedKey,
} from './actions.ts'
import {
  findOperator,
  findOperatorKey,
  findOperatorSelf,
  listOperatorKeys,
  listOperators,
  locateOperator,
  locateOperatorKey,
} from './queries.ts'
import { refusals, whyNotHandleKeys } from './rules.ts'
import {
  KeyPage,
  MadeOperator,
  NewOperator,
  NewOperatorKey,
  Operator,
  OperatorChanges,
  OperatorCredential,
  OperatorFilter,
  OperatorKey,
  OperatorKeyList,
  OperatorList,
  ShownOperatorKey,
} from './schemas.ts'

const all = { tag: 'Operators', allows: ['operator'], organization: 'none', path: '/operator/v1/operators' } as const
const one = {
  ...all,
  path: '/operator/v1/operators/{operator_id}',
  params: { operator_id: 'usr' },
  locate: locateOperator,
} as const
const keys = { ...one, path: '/operator/v1/operators/{operator_id}/keys', roles: roles_to.read } as const
const one_key = {
  ...all,
  path: '/operator/v1/operators/{operator_id}/keys/{operator_key_id}',
  params: { operator_id: 'usr', operator_key_id: 'opkey' },
  locate: locateOperatorKey,
  roles: roles_to.read,
} as const

/** A key as it is shown the one time. */
const shownOnce = async (ctx: Ctx, { id, operator_key }: HandedKey) => ({
  ...JSON.parse((await findOperatorKey(ctx, id))!),
  operator_key,
})

export const endpoints = [
  endpoint({
    ...all,
    operation: 'operator_get_token',
    sdk: 'authentication.getToken',
    roles: roles_to.read,
    method: 'GET',
    path: '/operator/v1/auth/token',
    summary: 'Say what a credential is',
    description: 'Tells of the credential that is sent: whose it is, in which role, which key, and until when.',
    returns: { 200: dataOf(OperatorCredential) },
    handle: async (ctx) => data(await findOperatorSelf(ctx)),
  }),
  endpoint({
    ...all,
    operation: 'operator_list_operators',
    roles: roles_to.read,
    method: 'GET',
    summary: 'List the operators',
    description: 'Who operates the installation, and in which role.',
    query: OperatorFilter,
    returns: { 200: OperatorList },
    handle: (ctx, { query }) => listOperators(ctx, query),
  }),
  endpoint({
    ...all,
    operation: 'operator_create_operator',
    hands_out: true,
    roles: [...roles_to.own, 'bootstrap'],
    method: 'POST',
    summary: 'Make somebody an operator',
    description:
      'With a first key, which is shown in this answer and never again: hand it over on a safe way. The bootstrap ' +
      'key of the settings makes the first operator, who is an owner, and is refused from then on.',
    body: NewOperator,
    returns: { 201: dataOf(MadeOperator) },
    refuses: [refusals.owner_exists],
    repeats: 'briefly',
    example: { name: 'Olive Marsh', email: 'olive@example.com', role: 'operations' },
    handle: async (ctx, { body }) => {
      const { operator_id, key } = await appointOperator(ctx, body)
      const operator = JSON.parse((await findOperator(ctx, operator_id))!)
      return {
        resource_id: operator_id,
        body: data(JSON.stringify({ ...operator, key: await shownOnce(ctx, key) }))!,
      }
    },
  }),
  endpoint({
    ...one,
    operation: 'operator_change_operator',
    sdk: 'operators.update',
    hands_out: true,
    roles: roles_to.own,
    method: 'PATCH',
    summary: 'Give an operator another role',
    description: 'Their keys go on with it, within 5 seconds in every process.',
    body: OperatorChanges,
    returns: { 200: dataOf(Operator) },
    refuses: [refusals.last_owner],
    changes_reach: true,
    example: { role: 'support' },
    handle: async (ctx, { located, body }) => {
      await changeRole(ctx, located, body.role)
      return data(await findOperator(ctx, located.operator_id))
    },
  }),
  endpoint({
    ...one,
    operation: 'operator_dismiss_operator',
    roles: roles_to.own,
    method: 'DELETE',
    summary: 'Dismiss an operator',
    description: 'Ends their role and all their keys, within 5 seconds in every process, for good.',
    returns: { 200: dataOf(Operator) },
    refuses: [refusals.last_owner],
    changes_reach: true,
    handle: async (ctx, { located }) => {
      await dismissOperator(ctx, located)
      return data(await findOperator(ctx, located.operator_id))
    },
  }),
  endpoint({
    ...keys,
    operation: 'operator_list_operator_keys',
    method: 'GET',
    summary: 'List the keys of an operator',
    description: 'The newest first, the ended and revoked among them: of oneself, and for an owner of all.',
    query: KeyPage,
    returns: { 200: OperatorKeyList },
    handle: (ctx, { params, query }) => {
      refuse(whyNotHandleKeys(ctx.caller, params.operator_id))
      return listOperatorKeys(ctx, params.operator_id, query)
    },
  }),
  endpoint({
    ...keys,
    operation: 'operator_create_operator_key',
    hands_out: true,
    method: 'POST',
    summary: 'Create an operator key',
    description:
      'For oneself; an owner for any operator. It may what the operator may, is shown in this answer and never ' +
      'again, and ends.',
    body: NewOperatorKey,
    returns: { 201: dataOf(ShownOperatorKey) },
    repeats: 'briefly',
    example: { name: 'Laptop' },
    handle: async (ctx, { located, body }) => {
      const key = await handOutOperatorKey(ctx, located, body)
      return { resource_id: key.id, body: data(JSON.stringify(await shownOnce(ctx, key)))! }
    },
  }),
  endpoint({
    ...one_key,
    operation: 'operator_revoke_operator_key',
    method: 'DELETE',
    summary: 'Revoke an operator key',
    description: 'Of oneself; an owner of any operator. Ends it within 5 seconds in every process.',
    returns: { 200: dataOf(OperatorKey) },
    changes_reach: true,
    handle: async (ctx, { located }) => {
      await revokeOperatorKey(ctx, located)
      return data(await findOperatorKey(ctx, located.operator_key_id))
    },
  }),
]
