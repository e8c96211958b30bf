import type { Story } from '../../sandbox/story.ts'
import type { Random } from './random.ts'
import type { People } from './credentials.ts'
import type { KnownIds } from './known-ids.ts'

/** A caller. */
export type Actor = {
  name: string
  credential: string | null
  /** The organizations whose ids the actor knows. Null for all. */
  organizations: readonly string[] | null
  /** The only organization whose data the actor may see. Null if unknown or several. */
  sees: string | null
  /** The employee or employer to which the actor is bound. */
  bound?: { kind: 'employee_id' | 'employer_id'; id: string }
  /** A word in every name that the actor writes, which shows whose data a response contains. */
  mark: string
  /** Whether the credential is valid. */
  is_known: boolean
  /** Whether the actor is an operator. */
  operates: boolean
}

/** The marks by which names show their owner. Only the owner writes them. */
const harbors_mark = 'Quillon'
const rivals_mark = 'Vantor'

/** The data and functions from which actors are created. */
export type ActorOptions = {
  story: Story
  /** A key of Harbor with a rate limit. */
  limited_key: string
  people: People
  known_ids: KnownIds
  random: Random
  /** Issues a token with a key. */
  issue: (key: string, bound_entity?: { type: string; id: string }) => Promise<string>
  /** Signs a user in and returns a token. */
  signIn: (user_id: string, as: string) => Promise<string>
}

export type Actors = (readonly [weight: number, actor: Actor])[]

/** The actors for a period of time. Keys remain valid, but tokens are renewed because the clock moves. */
export async function openActors(options: ActorOptions): Promise<Actors> {
  const token = await options.issue(options.story.api_key)
  return [
    ...withKeys(options, token),
    ...(await withBoundTokens(options)),
    ...(await signedIn(options)),
    ...refused_count(options, token),
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

function withKeys({ story, limited_key, known_ids, random }: ActorOptions, token: string): Actors {
  const { harbor, rival, both } = sidesOf(story)
  const made = known_ids.aMadeKey(random)
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

async function withBoundTokens({ story, known_ids, issue }: ActorOptions): Promise<Actors> {
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

async function signedIn({ story, people, signIn }: ActorOptions): Promise<Actors> {
  const { harbor } = sidesOf(story)
  const member = await signIn(people.member, story.organization_id)
  const operator = await signIn(people.operator, 'operator')
  return [
    [3, { ...harbor, name: 'a member, signed in', credential: member }],
    [2, { ...wide, name: 'an operator, signed in', organizations: null, credential: operator, operates: true }],
  ]
}

function refused_count({ story, random }: ActorOptions, token: string): Actors {
  const { both } = sidesOf(story)
  const no_one = { ...wide, organizations: both, mark: 'Nobody', is_known: false }
  const typo = story.api_key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  const babble = random.pick(['x', 'obat_x.y.z', 'obop_x', 'obk_live_', 'é', '%00'])
  return [
    [0.6, { ...no_one, name: 'nobody', credential: null }],
    [0.6, { ...no_one, name: 'a typo', credential: typo }],
    [0.6, { ...no_one, name: 'a liar', credential: `${token.slice(0, -3)}AAA` }],
    [0.6, { ...no_one, name: 'a babbler', credential: babble }],
  ]
}
