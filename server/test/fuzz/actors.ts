import type { Story } from '../../sandbox/story.ts'
import type { Dice } from './dice.ts'
import type { KnownIds } from './known-ids.ts'

/** Somebody who calls. */
export type Actor = {
  name: string
  credential: string | null
  /** the organizations whose things it knows by their ids; null: of all */
  organizations: readonly string[] | null
  /** the one organization whose things it may be shown; null: not known to us, or several */
  sees: string | null
  /** the one employee or employer it is bound to */
  bound?: { kind: 'employee_id' | 'employer_id'; id: string }
  /** a word in every name that it writes, by which we know who is shown it */
  mark: string
  /** whether anybody is let in by it */
  is_known: boolean
}

/** The words by which names tell whose they are. Nobody else writes them. */
const harbors_mark = 'Quillon'
const rivals_mark = 'Vantor'

export type Issue = (key: string, bound_entity?: { type: string; id: string }) => Promise<string>

/** The cast of a while: keys last, tokens are issued anew since the clock moves on. */
export async function castOf(
  story: Story,
  { limited_key }: { limited_key: string },
  known_ids: KnownIds,
  dice: Dice,
  issue: Issue,
): Promise<(readonly [weight: number, actor: Actor])[]> {
  const { organization_id, rival_organization_id, api_key, rival_api_key, operator_key } = story
  const both = [organization_id, rival_organization_id]
  const harbor = { organizations: [organization_id], sees: organization_id, mark: harbors_mark, is_known: true }
  const rival = {
    organizations: [rival_organization_id],
    sees: rival_organization_id,
    mark: rivals_mark,
    is_known: true,
  }
  const wide = { sees: null, mark: 'Anybody', is_known: true }
  const nobody = { organizations: both, sees: null, mark: 'Nobody', is_known: false }

  const employer = known_ids.take('empr', [organization_id])!
  const employee = known_ids.take('empl', [organization_id])!
  const rivals_employer = known_ids.take('empr', [rival_organization_id])!
  const token = await issue(api_key)
  return [
    [34, { ...harbor, name: "Harbor's key", credential: api_key }],
    [12, { ...rival, name: "Rival's key", credential: rival_api_key }],
    [8, { ...harbor, name: "Harbor's token", credential: token }],
    [3, { ...harbor, name: 'a key with a limit', credential: limited_key }],
    [
      7,
      {
        ...harbor,
        name: 'an employee',
        credential: await issue(api_key, { type: 'employee', id: employee.id }),
        bound: { kind: 'employee_id', id: employee.id },
      },
    ],
    [
      6,
      {
        ...harbor,
        name: 'an employer',
        credential: await issue(api_key, { type: 'employer', id: employer.id }),
        bound: { kind: 'employer_id', id: employer.id },
      },
    ],
    [
      2,
      {
        ...rival,
        name: 'an employer of Rival',
        credential: await issue(rival_api_key, { type: 'employer', id: rivals_employer.id }),
        bound: { kind: 'employer_id', id: rivals_employer.id },
      },
    ],
    [4, { ...wide, name: 'a key of several', organizations: both, credential: story.multi_organization_api_key }],
    [4, { ...wide, name: 'a super key', organizations: null, credential: story.super_api_key }],
    [1, { ...wide, name: 'a newcomer', organizations: both, credential: story.newcomer_api_key }],
    [18, { ...wide, name: 'the operator', organizations: null, credential: operator_key }],
    [0.6, { ...nobody, name: 'nobody', credential: null }],
    [0.6, { ...nobody, name: 'a typo', credential: api_key.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }],
    [0.6, { ...nobody, name: 'a liar', credential: `${token.slice(0, -3)}AAA` }],
    [
      0.6,
      { ...nobody, name: 'a babbler', credential: dice.pick(['x', 'obat_x.y.z', 'obop_x', 'obk_live_', 'é', '%00']) },
    ],
  ]
}
