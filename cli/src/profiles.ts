import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { UsageError } from './failures.ts'

/** An installation and the key by which one is known there. */
export type Profile = { url: string; api_key: string; organization?: string }

/** The profiles of a person, and which of them is meant when none is named: as a partner, and as an operator. */
export type Profiles = { current: string | null; operator: string | null; profiles: Record<string, Profile> }

/** Whether a key is an operator's. */
export const isOperatorKey = (key: string): boolean => key.startsWith('obop_')

/** Where profiles are kept: `openbenefits/profiles.json` in the folder that the system has for settings. */
export function profilesFile({ XDG_CONFIG_HOME, APPDATA }: Record<string, string | undefined>): string {
  const settings = XDG_CONFIG_HOME || (process.platform === 'win32' && APPDATA) || join(homedir(), '.config')
  return join(settings, 'openbenefits', 'profiles.json')
}

/**
 * The profiles that are kept; none when there is no file. Throws a `UsageError` when it can't be read as what it should
 * be, or when others may read the keys in it.
 */
export function readProfiles(env: Record<string, string | undefined>): Profiles {
  const path = profilesFile(env)
  const text = readIfThere(path)
  if (text === undefined) return { current: null, operator: null, profiles: {} }
  // Windows has no such modes: there the folder is the user's own.
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`${path} holds keys and may be read by others: chmod 600 ${path}`)
  const read = parsed(text)
  if (!read) throw new UsageError(`${path} is not a file of profiles: remove it and log in again.`)
  return read
}

/** Writes them for their owner only, whole or not at all. */
export function writeProfiles(env: Record<string, string | undefined>, profiles: Profiles): void {
  const path = profilesFile(env)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const fresh = `${path}.${process.pid}.new`
  writeFileSync(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  renameSync(fresh, path)
}

/** The name of a profile, such as `default` or `acme-live`; throws a `UsageError` for what is none. */
export function profileName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,62}$/i.test(text)) return text
  throw new UsageError('profile: use letters, digits, dots, dashes and underscores, 63 at most.')
}

/** The profile of a name; throws a `UsageError` that says which there are when it is not one of them. */
export function namedProfile({ profiles }: Profiles, name: string): Profile {
  if (Object.hasOwn(profiles, name)) return profiles[name]!
  const known = Object.keys(profiles)
  const there = known.length > 0 ? `There are: ${known.join(', ')}.` : 'There is none: openbenefits login makes one.'
  throw new UsageError(`profile: there is no ${JSON.stringify(name)}. ${there}`)
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
