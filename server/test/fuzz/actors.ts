import type { Story } from '../../sandbox/story.ts'
import type { Dice } from './dice.ts'
import type { People } from './errands.ts'
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
  /** whether it is of an operator */
  operates: boolean
}

/** The words by which names tell whose they are. Nobody else writes them. */
const harbors_mark = 'Quillon'
const rivals_mark = 'Vantor'

/** What a cast is made of. */
export type Casting = {
  story: Story
  /** of Harbor, with a limit */
  limited_key: string
  people: People
  known_ids: KnownIds
  dice: Dice
  /** Issues a token of a key. */
  issue: (key: string, bound_entity?: { type: string; id: string }) => Promise<string>
  /** Signs a user in, and answers a token. */
  signIn: (user_id: string, as: string) => Promise<string>
}

export type Cast = (readonly [weight: number, actor: Actor])[]

/** The cast of a while: keys last, tokens are issued anew since the clock moves on. */
export async function castOf(casting: Casting): Promise<Cast> {
  const token = await casting.issue(casting.story.api_key)
  return [
    ...withKeys(casting, token),
    ...(await withBoundTokens(casting)),
    ...(await signedIn(casting)),
    ...strangers(casting, token),
  ]
}

const of = (organization_id: string, mark: string) => ({
  organizations: [organization_id],
  sees: organization_id,
  mark,
  is_known: true,
  operates: false,
})

const sidesOf = ({ organization_id, rival_organization_id }: Story) => ({
  harbor: of(organization_id, harbors_mark),
  rival: of(rival_organization_id, rivals_mark),
  both: [organization_id, rival_organization_id],
})

const wide = { sees: null, mark: 'Anybody', is_known: true, operates: false }

function withKeys({ story, limited_key, known_ids, dice }: Casting, token: string): Cast {
  const { harbor, rival, both } = sidesOf(story)
  const made = known_ids.aMadeKey(dice)
  const by_made = { ...wide, name: 'a made key', organizations: both }
  return [
    [34, { ...harbor, name: "Harbor's key", credential: story.api_key }],
    [12, { ...rival, name: "Rival's key", credential: story.rival_api_key }],
    [8, { ...harbor, name: "Harbor's token", credential: token }],
    [3, { ...harbor, name: 'a key with a limit', credential: limited_key }],
    [4, { ...wide, name: 'a key of several', organizations: both, credential: story.multi_organization_api_key }],
    [4, { ...wide, name: 'a super key', organizations: null, credential: story.super_api_key }],
    [1, { ...wide, name: 'a newcomer', organizations: both, credential: story.newcomer_api_key }],
    [16, { ...wide, name: 'the operator', organizations: null, credential: story.operator_key, operates: true }],
    ...(made === undefined ? [] : [[2, { ...by_made, credential: made }] as const]),
  ]
}

async function withBoundTokens({ story, known_ids, issue }: Casting): Promise<Cast> {
  const { harbor, rival } = sidesOf(story)
  const employer = known_ids.take('empr', harbor.organizations)!
  const employee = known_ids.take('empl', harbor.organizations)!
  const rivals_employer = known_ids.take('empr', rival.organizations)!
  const tokenOf = (key: string, type: 'employee' | 'employer', id: string) => issue(key, { type, id })
  return [
    [
      7,
      {
        ...harbor,
        name: 'an employee',
        credential: await tokenOf(story.api_key, 'employee', employee.id),
        bound: { kind: 'employee_id', id: employee.id },
      },
    ],
    [
      6,
      {
        ...harbor,
        name: 'an employer',
        credential: await tokenOf(story.api_key, 'employer', employer.id),
        bound: { kind: 'employer_id', id: employer.id },
      },
    ],
    [
      2,
      {
        ...rival,
        name: 'an employer of Rival',
        credential: await tokenOf(story.rival_api_key, 'employer', rivals_employer.id),
        bound: { kind: 'employer_id', id: rivals_employer.id },
      },
    ],
  ]
}

async function signedIn({ story, people, signIn }: Casting): Promise<Cast> {
  const { harbor } = sidesOf(story)
  const member = await signIn(people.member, story.organization_id)
  const operator = await signIn(people.operator, 'operator')
  return [
    [3, { ...harbor, name: 'a member, signed in', credential: member }],
    [2, { ...wide, name: 'an operator, signed in', organizations: null, credential: operator, operates: true }],
  ]
}

function strangers({ story, dice }: Casting, token: string): Cast {
  const { both } = sidesOf(story)
  const nobody = { ...wide, organizations: both, mark: 'Nobody', is_known: false }
  const typo = story.api_key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const babble = dice.pick(['x', 'obat_x.y.z', 'obop_x', 'obk_live_', 'é', '%00'])
  return [
    [0.6, { ...nobody, name: 'nobody', credential: null }],
    [0.6, { ...nobody, name: 'a typo', credential: typo }],
    [0.6, { ...nobody, name: 'a liar', credential: `${token.slice(0, -3)}AAA` }],
    [0.6, { ...nobody, name: 'a babbler', credential: babble }],
  ]
}
