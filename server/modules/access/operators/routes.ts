import { Paging } from '../../../kernel/pages.ts'
import { changed, data, dataOf, endpoint, for_operators } from '../../../http/endpoint.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { refuse } from '../../../kernel/refusal.ts'
import {
  appointOperator,
  changeRole,
  removeOperator,
  issueOperatorKey,
  revokeOperatorKey,
  type IssuedOperatorKey,
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
  CreatedOperator,
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

const all = { tag: 'Operators', path: '/operator/v1/operators' } as const
const one_operator = {
  ...all,
  path: '/operator/v1/operators/{operator_id}',
  locate: locateOperator,
} as const
const keys = { ...one_operator, path: '/operator/v1/operators/{operator_id}/keys', ...for_operators.read } as const
const one_key = {
  ...all,
  path: '/operator/v1/operators/{operator_id}/keys/{operator_key_id}',
  locate: locateOperatorKey,
  ...for_operators.read,
} as const

/** The OperatorKey with its secret, which is shown only in this response. */
const shownOnce = async (ctx: Ctx, { id, operator_key }: IssuedOperatorKey) => ({
  ...JSON.parse((await findOperatorKey(ctx, { operator_key_id: id }))!),
  operator_key,
})

export const endpoints = [
  endpoint({
    ...all,
    operation: 'operator_get_token',
    sdk: 'authentication.getToken',
    ...for_operators.read,
    path: '/operator/v1/auth/token',
    summary: 'Describe the credential',
    description: 'Describes the credential of the request: the operator, role, key and expiry.',
    returns: { 200: dataOf(OperatorCredential) },
    handle: async (ctx) => data(await findOperatorSelf(ctx)),
  }),
  endpoint({
    ...all,
    operation: 'operator_list_operators',
    ...for_operators.read,
    summary: 'List operators',
    description: 'Returns the operators of the installation with their roles.',
    query: OperatorFilter,
    returns: { 200: OperatorList },
    handle: (ctx, { query }) => listOperators(ctx, query),
  }),
  endpoint({
    ...all,
    operation: 'operator_create_operator',
    issues_credential: true,
    ...for_operators.own,
    roles: ['owner', 'bootstrap'],
    method: 'POST',
    summary: 'Create an operator',
    description:
      'Creates an operator with a first key. The response shows the key once, so hand it over through a secure ' +
      'channel. The bootstrap key from the settings creates the first operator, who must be an owner. It is ' +
      'rejected from then on.',
    body: NewOperator,
    returns: { 201: dataOf(CreatedOperator) },
    refuses: [refusals.owner_exists],
    repeats: 'briefly',
    example: { name: 'Olive Marsh', email: 'olive@example.com', role: 'operations' },
    handle: async (ctx, { body }) => {
      const { operator_id, key } = await appointOperator(ctx, body)
      const operator = JSON.parse((await findOperator(ctx, { operator_id }))!)
      return {
        resource_id: operator_id,
        body: data({ ...operator, key: await shownOnce(ctx, key) }),
      }
    },
  }),
  endpoint({
    ...one_operator,
    operation: 'operator_change_operator',
    sdk: 'operators.update',
    issues_credential: true,
    ...for_operators.own,
    method: 'PATCH',
    summary: 'Change the role of an operator',
    description: 'The new role also applies to existing keys, within 5 seconds in every process.',
    body: OperatorChanges,
    returns: { 200: dataOf(Operator) },
    refuses: [refusals.last_owner],
    changes_reach: true,
    example: { role: 'support' },
    handle: (ctx, { located, body }) => changed(changeRole(ctx, located, body.role), () => findOperator(ctx, located)),
  }),
  endpoint({
    ...one_operator,
    operation: 'operator_dismiss_operator',
    ...for_operators.own,
    method: 'DELETE',
    summary: 'Dismiss an operator',
    description: "Permanently ends the operator's role and revokes all keys, within 5 seconds in every process.",
    returns: { 200: dataOf(Operator) },
    refuses: [refusals.last_owner],
    changes_reach: true,
    handle: (ctx, { located }) => changed(removeOperator(ctx, located), () => findOperator(ctx, located)),
  }),
  endpoint({
    ...keys,
    operation: 'operator_list_operator_keys',
    method: 'GET',
    summary: 'List the keys of an operator',
    description:
      'Returns the keys, newest first, including expired and revoked ones. Operators can list their own keys; ' +
      "owners can list any operator's keys.",
    query: Paging,
    returns: { 200: OperatorKeyList },
    handle: (ctx, { params, query }) => {
      refuse(whyNotHandleKeys(ctx.caller, params.operator_id))
      return listOperatorKeys(ctx, params, query)
    },
  }),
  endpoint({
    ...keys,
    operation: 'operator_create_operator_key',
    issues_credential: true,
    method: 'POST',
    summary: 'Create an operator key',
    description:
      "Operators create keys for themselves; owners create keys for any operator. The key has the operator's role " +
      'and always expires. The response shows it once.',
    body: NewOperatorKey,
    returns: { 201: dataOf(ShownOperatorKey) },
    repeats: 'briefly',
    example: { name: 'Laptop' },
    handle: async (ctx, { located, body }) => {
      const key = await issueOperatorKey(ctx, located, body)
      return { resource_id: key.id, body: data(await shownOnce(ctx, key)) }
    },
  }),
  endpoint({
    ...one_key,
    operation: 'operator_revoke_operator_key',
    method: 'DELETE',
    summary: 'Revoke an operator key',
    description:
      "Operators revoke their own keys; owners revoke any operator's keys. The key stops working within 5 seconds " +
      'in every process.',
    returns: { 200: dataOf(OperatorKey) },
    changes_reach: true,
    handle: (ctx, { located }) => changed(revokeOperatorKey(ctx, located), () => findOperatorKey(ctx, located)),
  }),
]
