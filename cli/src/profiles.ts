import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './failures.ts'

/** An installation and a key for it. */
export type Profile = { url: string; api_key: string; organization?: string }

/** The stored profiles, with the current one for partners and for operators. */
export type Profiles = { current: string | null; operator: string | null; profiles: Record<string, Profile> }

/** Whether this is an operator key. */
export const isOperatorKey = (key: string): boolean => key.startsWith('obop_')

/** The file of the profiles: `openbenefits/profiles.json` in the system's settings folder. */
export function profilesFile({ XDG_CONFIG_HOME, APPDATA }: Record<string, string | undefined>): string {
  const settings = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config')
  return join(settings, 'openbenefits', 'profiles.json')
}

/**
 * Reads the stored profiles, or none without a file. Throws a `UsageError` for an invalid file, and if other users can
 * read it.
 */
export function readProfiles(env: Record<string, string | undefined>): Profiles {
  const path = profilesFile(env)
  const text = readIfThere(path)
  if (text === undefined) return { current: null, operator: null, profiles: {} }
  // Windows has no file modes. There the folder belongs to the user.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`${path} contains keys and other users can read it. Run chmod 600 ${path}`)
  const read = parsed(text)
  if (!read) throw new UsageError(`${path} is not a valid profiles file. Remove it and log in again.`)
  return read
}

/** Writes the profiles atomically, readable only by their owner. */
export function writeProfiles(env: Record<string, string | undefined>, profiles: Profiles): void {
  const path = profilesFile(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}.new`
  writeFileSync(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, path)
}

/** Validates a profile name such as `default` or `acme-live`. Throws a `UsageError`. */
export function profileName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/i.test(text)) return text
  throw new UsageError('profile: use at most 63 letters, digits, dots, dashes and underscores.')
}

/** Returns the profile with this name. Throws a `UsageError` that lists the existing names. */
export function namedProfile({ profiles }: Profiles, name: string): Profile {
  if (Object.hasOwn(profiles, name)) return profiles[name]!
  const known = Object.keys(profiles)
  const there = known.length > 0 ? `Profiles: ${known.join(', ')}.` : 'Create one with openbenefits login.'
  throw new UsageError(`profile: unknown profile ${JSON.stringify(name)}. ${there}`)
}

function parsed(text: string): Profiles | undefined {
  try {
    const { current, operator, profiles } = JSON.parse(text) as Profiles
    const are_whole = Object.values(profiles).every(({ url, api_key }) => URL.canParse(url) && api_key !== '')
    return are_whole ? { current: current ?? null, operator: operator ?? null, profiles } : undefined
  } catch {
    return undefined
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
