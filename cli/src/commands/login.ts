import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import type { Credential, KeyCredential } from 'openbenefits'
import {
  address,
  clientOf,
  connected,
  connectionOf,
  type ConnectionOptions,
  examples,
  operatorClientOf,
} from '../connection.ts'
import { UsageError } from '../failures.ts'
import { fieldsOf, hasColors, type Io, print, printJson, tableOf } from '../output.ts'
import {
  isOperatorKey,
  namedProfile,
  type Profile,
  profileName,
  profilesFile,
  readProfiles,
  writeProfiles,
} from '../profiles.ts'

type LoginOptions = { url: string; profile?: string; organization?: string; json?: boolean }

/** `login`, `logout`, `whoami` and `profiles`: credentials stored in a file. */
export function addLogin(program: Command, io: Io): void {
  program
    .command('login')
    .description('Verify an API key or operator key, and store it in a profile.')
    .requiredOption('--url <address>', 'the service, such as https://benefits.example.com', address)
    .option('--profile <name>', 'the profile name (default: default, or operator for an operator key)', profileName)
    .option('--organization <id>', 'the organization to act for, if the key has access to several')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The key is prompted for, or read from standard input. It is never an argument, because process lists show
arguments. Profiles are stored in ${profilesFile(io.env)}, which only you can read.

Examples:
  $ openbenefits login --url https://benefits.example.com
  $ openbenefits login --url https://benefits.example.com --profile live < key.txt
  $ openbenefits login --url https://benefits.example.com < operator-key.txt`,
    )
    .action((options: LoginOptions) => logIn(options, io))
  connected(program.command('whoami'))
    .description('Show the current key with its user, scopes, organization and expiry.')
    .addHelpText('after', examples('whoami', 'whoami --profile live --json'))
    .action(async (options: ConnectionOptions) => {
      const connection = connectionOf(options, io.env)
      if (isOperatorKey(connection.api_key)) return printOperator(io, connection, connection.from, options.json)
      const credential = await clientOf(connection).authentication.getToken()
      if (options.json) return printJson(io, { url: connection.url, from: connection.from, credential })
      print(io, described(credential, connection.url, connection.from))
    })
  program
    .command('logout')
    .description('Delete a profile and its stored key. The key stays valid until you revoke it.')
    .option('--profile <name>', 'the profile to delete (default: the current one)', profileName)
    .option('--all', 'delete all profiles')
    .addHelpText('after', examples('logout', 'logout --profile live'))
    .action((options: { profile?: string; all?: boolean }) => logOut(options, io))
  addProfiles(program, io)
}

function addProfiles(program: Command, io: Io): void {
  const profiles = program.command('profiles').description('Manage stored profiles.')
  profiles
    .command('list', { isDefault: true })
    .description('List profiles, without their keys.')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('profiles'))
    .action(({ json }: { json?: boolean }) => {
      const { current, operator, profiles: kept } = readProfiles(io.env)
      const rows = Object.entries(kept).map(([name, { url, organization = null }]) => ({ name, url, organization }))
      if (json) return printJson(io, { current, operator, data: rows })
      if (rows.length === 0) return print(io, 'No profiles. Create one with openbenefits login.')
      const columns = [
        { title: '', of: ({ name }: (typeof rows)[number]) => (name === current || name === operator ? '*' : ' ') },
        { title: 'name', of: ({ name }: (typeof rows)[number]) => name },
        { title: 'url', of: ({ url }: (typeof rows)[number]) => url },
        { title: 'organization', of: ({ organization }: (typeof rows)[number]) => organization },
      ]
      print(io, tableOf(columns, rows, { bold: hasColors(io.stdout, io.env) }))
    })
  profiles
    .command('use')
    .description('Select the current profile.')
    .argument('<name>', 'the profile name')
    .addHelpText('after', examples('profiles use live'))
    .action((name: string) => {
      const kept = readProfiles(io.env)
      const { url, api_key } = namedProfile(kept, name)
      writeProfiles(io.env, { ...kept, [isOperatorKey(api_key) ? 'operator' : 'current']: name })
      print(io, `Using profile ${name} (${url}).`)
    })
}

async function logIn(options: LoginOptions, io: Io): Promise<void> {
  const { url, organization, json } = options
  const kept = readProfiles(io.env)
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname))
    io.stderr.write('Warning: without https, others on the network can read the key.\n')
  const api_key = await readKey(io)
  const is_operator = isOperatorKey(api_key)
  const name = options.profile ?? (is_operator ? 'operator' : 'default')
  const profile: Profile = { url, api_key, ...(organization && { organization }) }
  const chosen = is_operator ? { operator: name } : { current: name }
  const keep = () => writeProfiles(io.env, { ...kept, ...chosen, profiles: { ...kept.profiles, [name]: profile } })
  if (is_operator) {
    await printOperator(io, profile, `profile ${name}`, json)
    return keep()
  }
  const credential = await clientOf(profile).authentication.getToken()
  if (credential.kind !== 'api_key')
    throw new UsageError('api_key: this is a short-lived token. Log in with an API key.')
  keep()
  if (json) return printJson(io, { profile: name, url, credential })
  print(io, described(credential, url, `profile ${name}`))
}

/** The owner of an operator key. */
async function printOperator(io: Io, profile: Profile, from: string, json: boolean | undefined): Promise<void> {
  const credential = await operatorClientOf(profile).authentication.getToken()
  if (json) return printJson(io, { url: profile.url, from, credential })
  const { user, role, operator_key, expires_at } = credential
  print(
    io,
    fieldsOf([
      ['from', from],
      ['service', profile.url],
      ['kind', 'operator'],
      ['key', operator_key && `${operator_key.name} (…${operator_key.last_four})`],
      ['user', [user.name, user.email].filter(Boolean).join(', ')],
      ['role', role],
      ['ends', expires_at],
    ]),
  )
}

function logOut({ profile, all }: { profile?: string; all?: boolean }, io: Io): void {
  const kept = readProfiles(io.env)
  const name = profile ?? kept.current ?? kept.operator
  if (all) {
    writeProfiles(io.env, { current: null, operator: null, profiles: {} })
    return print(io, 'Deleted all profiles. Their keys stay valid until you revoke them.')
  }
  if (!name) throw new UsageError('profile: you are not logged in.')
  namedProfile(kept, name)
  const { [name]: _, ...profiles } = kept.profiles
  const unless = (chosen: string | null) => (chosen === name ? null : chosen)
  writeProfiles(io.env, { current: unless(kept.current), operator: unless(kept.operator), profiles })
  print(io, `Deleted profile ${name}. Its key stays valid until you revoke it.`)
}

/** Reads the key from the terminal without echo, or from standard input. */
async function readKey({ stdin, stderr }: Io): Promise<string> {
  const quiet = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: quiet, terminal: stdin.isTTY === true })
  if (stdin.isTTY) stderr.write('API key: ')
  try {
    for await (const line of lines) if (line.trim() !== '') return line.trim()
  } finally {
    lines.close()
    if (stdin.isTTY) stderr.write('\n')
  }
  throw new UsageError('api_key: no key given. Type it, or pass it on standard input.')
}

/** The printed fields of a credential. */
function described(credential: Credential, url: string, from: string): string {
  const { organization, bound_entity } = credential
  const key = 'api_key' in credential ? credential : undefined
  return fieldsOf([
    ['from', from],
    ['service', url],
    ['kind', credential.kind],
    ...(key ? ownerOf(key) : []),
    [
      'organization',
      organization && `${organization.name} (${organization.id})${organization.sandbox ? ', sandbox' : ''}`,
    ],
    ...(bound_entity ? [['bound to', bound_entity.id] as [string, string]] : []),
    ...(key ? rightsOf(key) : []),
    ['ends', credential.expires_at ?? 'never'],
    ['today there', credential.today],
  ])
}

const ownerOf = ({ api_key, user }: KeyCredential): [string, string | null][] => [
  ['key', api_key && `${api_key.name ?? api_key.id} (…${api_key.last_four ?? ''})`],
  ['user', [user.name, user.email].filter(Boolean).join(', ')],
]

const rightsOf = ({ roles, scopes, mode }: KeyCredential): [string, string | null][] => [
  ['roles', roles.map(({ role }) => role).join(', ') || null],
  ['scopes', scopes.join(', ')],
  ['mode', mode],
]
