import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { InvalidArgumentError, type Command } from 'commander'
import { UsageError } from './failures.ts'
import type { Io } from './io.ts'
import { isOperatorKey, namedProfile, readProfiles, type Profile } from './profiles.ts'

/** Options that every command has that asks the service. */
export type ConnectionOptions = {
  profile?: string
  url?: string
  apiKey?: string
  organization?: string
  json?: boolean
}

/** With whom a command speaks, and as whom; `from` says where that was found. */
export type Connection = Profile & { from: string }

const sandbox_url = 'http://127.0.0.1:8080'

/** The address of a service or of a receiver; tells what is wrong with another text. */
export function address(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('It must be an address such as http://localhost:3000/hooks.')
}

/** Adds the options that say with whom a command speaks, and in which form it answers. */
export const connected = (command: Command): Command =>
  command
    .option('--profile <name>', 'a profile that login made; else OPENBENEFITS_PROFILE, or the current one')
    .option('--url <address>', 'the service, instead of a profile; else OPENBENEFITS_URL', address)
    .option('--api-key <key>', 'your key there; better OPENBENEFITS_API_KEY, which no list of processes shows')
    .option('--organization <id>', 'the organization to act as, for a key that reaches several')
    .option('--json', 'JSON for programs instead of text for people')

/**
 * Finds out with whom to speak. The key and the address come from one place, so that no key is sent to an address that
 * it was not made for: what is said, the environment, a profile, or the sandbox of this folder, in this order.
 */
export function connectionOf(options: ConnectionOptions, env: Io['env']): Connection {
  const found = foundFor(options, env)
  const organization = options.organization ?? found.organization
  return { ...found, ...(organization && { organization }) }
}

function foundFor({ profile, url, apiKey }: ConnectionOptions, env: Io['env']): Connection {
  const { OPENBENEFITS_URL, OPENBENEFITS_API_KEY, OPENBENEFITS_PROFILE } = env
  if (profile !== undefined) return onlyProfile(profile, { url, apiKey }, env)
  const api_key = apiKey ?? OPENBENEFITS_API_KEY
  if (api_key) return { url: url ?? OPENBENEFITS_URL ?? sandbox_url, api_key, from: 'the environment' }
  if (url !== undefined)
    throw new UsageError('api_key: a key for this address is missing; OPENBENEFITS_API_KEY or --api-key.')
  const name = OPENBENEFITS_PROFILE || readProfiles(env).current
  if (name) return profileNamed(name, env)
  const sandbox = sandboxOf(env)
  if (sandbox) return sandbox
  throw new UsageError('No profile and no sandbox is here: openbenefits login, or OPENBENEFITS_URL and _API_KEY.')
}

function onlyProfile(name: string, { url, apiKey }: ConnectionOptions, env: Io['env']): Connection {
  if ((url ?? apiKey) !== undefined) throw new UsageError('profile: name a profile, or --url and --api-key, not both.')
  return profileNamed(name, env)
}

const profileNamed = (name: string, env: Io['env']): Connection => ({
  ...namedProfile(readProfiles(env), name),
  from: `profile ${name}`,
})

/** The sandbox of this folder, which `npm start` tells of; `key`: which of its keys is meant. */
function sandboxOf({ DATA_DIR = '.data' }: Io['env'], key: 'api_key' | 'operator_key' = 'api_key') {
  try {
    const told = JSON.parse(readFileSync(join(DATA_DIR, 'sandbox.json'), 'utf8')) as Record<string, string>
    return { url: told.base_url!, api_key: told[key]!, from: 'the sandbox of this folder' }
  } catch {
    return undefined
  }
}

/** A client of the interface for a connection. */
export const clientOf = ({ url, api_key, organization }: Profile): OpenBenefits =>
  new OpenBenefits({ baseUrl: url, apiKey: api_key, ...(organization && { organization }) })

/** A client of the operator interface for a connection. */
export const operatorClientOf = ({ url, api_key }: Profile): OpenBenefitsOperator =>
  new OpenBenefitsOperator({ baseUrl: url, apiKey: api_key })

/** The same for what an operator says: the key of the environment, a profile, or the sandbox of this folder. */
export const operatorOf = (options: ConnectionOptions, env: Io['env']): OpenBenefitsOperator =>
  operatorClientOf(operatorFor(options, env))

/** With whom an operator speaks; each key goes to its own address. */
function operatorFor({ url, apiKey, profile }: ConnectionOptions, env: Io['env']): Connection {
  const { OPENBENEFITS_URL, OPENBENEFITS_OPERATOR_KEY, OPENBENEFITS_PROFILE = '' } = env
  if (profile !== undefined) {
    const named = onlyProfile(profile, { url, apiKey }, env)
    if (isOperatorKey(named.api_key)) return named
    throw new UsageError('profile: it has no key of an operator.')
  }
  const api_key = apiKey ?? OPENBENEFITS_OPERATOR_KEY
  if (api_key) return { url: url ?? OPENBENEFITS_URL ?? sandbox_url, api_key, from: 'the environment' }
  const { operator, profiles } = readProfiles(env)
  const name = isOperatorKey(profiles[OPENBENEFITS_PROFILE]?.api_key ?? '') ? OPENBENEFITS_PROFILE : operator
  const found = name === null ? sandboxOf(env, 'operator_key') : profileNamed(name, env)
  if (url === undefined && found) return found
  throw new UsageError(
    'api_key: an operator key is missing: openbenefits login, or OPENBENEFITS_OPERATOR_KEY with OPENBENEFITS_URL.',
  )
}
