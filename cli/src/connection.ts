import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OpenBenefits } from 'openbenefits'
import { OpenBenefitsOperator } from 'openbenefits/operator'
import { type Command, InvalidArgumentError } from 'commander'
import { UsageError } from './failures.ts'
import type { Io } from './output.ts'
import { isOperatorKey, namedProfile, type Profile, readProfiles } from './profiles.ts'

/** Options of every command that calls the service. */
export type ConnectionOptions = {
  profile?: string
  url?: string
  apiKey?: string
  organization?: string
  json?: boolean
}

/** The service and credential of a command. `from` is the source of the setting. */
export type Connection = Profile & { from: string }

const sandbox_url = 'http://127.0.0.1:8080'

/** Parses the URL of a service or receiver. */
export function address(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, '')
  throw new InvalidArgumentError('Must be a URL such as http://localhost:3000/hooks.')
}

/** Collects the values of an option that may be repeated. */
export const collectValues = (text: string, former: string[] = []): string[] => [...former, text]

/** The help text with examples of a command: `examples('employers', 'employers --json')`. */
export const examples = (...commands: string[]): string =>
  ['', 'Examples:', ...commands.map((command) => `  $ openbenefits ${command}`)].join('\n')

/** The heading of the options that all commands share. */
export const shared_options = 'Connection and output:'

/** Adds the options for connection and output format. */
export const connected = (command: Command): Command =>
  command
    .optionsGroup(shared_options)
    .option('--profile <name>', 'a profile created by login (default: OPENBENEFITS_PROFILE, or the current one)')
    .option('--url <address>', 'the service, instead of a profile (default: OPENBENEFITS_URL)', address)
    .option('--api-key <key>', 'your API key; prefer OPENBENEFITS_API_KEY, which process lists do not show')
    .option('--organization <id>', 'the organization to act for, if the key has access to several')
    .option('--json', 'print JSON')
    .optionsGroup('Options:')

/**
 * Resolves the connection from arguments, the environment, a profile, or the sandbox of this folder, in this order. Key
 * and URL come from the same source, so that a key is never sent to another service.
 */
export function connectionOf(options: ConnectionOptions, env: Io['env']): Connection {
  const found = resolveConnection(options, env)
  const organization = options.organization ?? found.organization
  return { ...found, ...(organization && { organization }) }
}

function resolveConnection({ profile, url, apiKey }: ConnectionOptions, env: Io['env']): Connection {
  const { OPENBENEFITS_URL, OPENBENEFITS_API_KEY, OPENBENEFITS_PROFILE } = env
  if (profile !== undefined) return onlyProfile(profile, { url, apiKey }, env)
  const api_key = apiKey ?? OPENBENEFITS_API_KEY
  if (api_key) return { url: url ?? OPENBENEFITS_URL ?? sandbox_url, api_key, from: 'the environment' }
  if (url !== undefined) throw new UsageError('api_key: missing for this URL. Set OPENBENEFITS_API_KEY or --api-key.')
  const name = OPENBENEFITS_PROFILE || readProfiles(env).current
  if (name) return profileNamed(name, env)
  const sandbox = sandboxOf(env)
  if (sandbox) return sandbox
  throw new UsageError(
    'No profile or sandbox found. Run openbenefits login, or set OPENBENEFITS_URL and OPENBENEFITS_API_KEY.',
  )
}

function onlyProfile(name: string, { url, apiKey }: ConnectionOptions, env: Io['env']): Connection {
  if ((url ?? apiKey) !== undefined) throw new UsageError('profile: use either --profile or --url with --api-key.')
  return profileNamed(name, env)
}

const profileNamed = (name: string, env: Io['env']): Connection => ({
  ...namedProfile(readProfiles(env), name),
  from: `profile ${name}`,
})

/** The sandbox of this folder, from the file that `npm start` writes. `key` selects one of its keys. */
function sandboxOf({ DATA_DIR = '.data' }: Io['env'], key: 'api_key' | 'operator_key' = 'api_key') {
  try {
    const settings = JSON.parse(readFileSync(join(DATA_DIR, 'sandbox.json'), 'utf8')) as Record<string, string>
    return { url: settings.base_url!, api_key: settings[key]!, from: 'the sandbox of this folder' }
  } catch {
    return undefined
  }
}

/** An SDK client for a connection. */
export const clientOf = ({ url, api_key, organization }: Profile): OpenBenefits =>
  new OpenBenefits({ baseUrl: url, apiKey: api_key, ...(organization && { organization }) })

/** An operator SDK client for a connection. */
export const operatorClientOf = ({ url, api_key }: Profile): OpenBenefitsOperator =>
  new OpenBenefitsOperator({ baseUrl: url, apiKey: api_key })

/** Resolves an operator's connection from the environment, a profile, or the sandbox of this folder. */
export const operatorOf = (options: ConnectionOptions, env: Io['env']): OpenBenefitsOperator =>
  operatorClientOf(operatorFor(options, env))

/** The service and credential of an operator. A key is only sent to its own service. */
function operatorFor({ url, apiKey, profile }: ConnectionOptions, env: Io['env']): Connection {
  const { OPENBENEFITS_URL, OPENBENEFITS_OPERATOR_KEY, OPENBENEFITS_PROFILE = '' } = env
  if (profile !== undefined) {
    const named = onlyProfile(profile, { url, apiKey }, env)
    if (isOperatorKey(named.api_key)) return named
    throw new UsageError('profile: has no operator key.')
  }
  const api_key = apiKey ?? OPENBENEFITS_OPERATOR_KEY
  if (api_key) return { url: url ?? OPENBENEFITS_URL ?? sandbox_url, api_key, from: 'the environment' }
  const { operator, profiles } = readProfiles(env)
  const name = isOperatorKey(profiles[OPENBENEFITS_PROFILE]?.api_key ?? '') ? OPENBENEFITS_PROFILE : operator
  const found = name === null ? sandboxOf(env, 'operator_key') : profileNamed(name, env)
  if (url === undefined && found) return found
  throw new UsageError(
    'api_key: operator key missing. Run openbenefits login, or set OPENBENEFITS_OPERATOR_KEY and OPENBENEFITS_URL.',
  )
}

/** Finds a client method by its name, such as `employers.create` or `operator.invoices.runDay`. */
export function methodOf(client: object, name: string): (...given: unknown[]) => Promise<unknown> {
  const [group = '', method = ''] = name.replace('operator.', '').split('.')
  return (client as Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>)[group]![method]!
}
