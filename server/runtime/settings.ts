import { readFileSync } from 'node:fs'
import { ConfigError, readConfig, settingNames, type Config } from '../kernel/config.ts'
import type { Integration } from '../kernel/integration.ts'
import { isMisspelled } from '../kernel/similar-text.ts'

/**
 * Reads the settings of an environment. Each setting may be in a file instead, which `NAME_FILE` names, so that no
 * process list and no environment dump shows a secret. Throws ConfigError with one sentence.
 */
export function readSettings(env: NodeJS.ProcessEnv, integrations: Iterable<Integration> = []): Config {
  const names = settingNames(integrations)
  refuseMisspelled(env, names)
  return readConfig(withFiles(env, names), integrations)
}

/**
 * Refuses a variable like `DATABASE_ULR`. Ignoring it would start the service with another database. A variable next to
 * the setting that it resembles belongs to another program.
 */
function refuseMisspelled(env: NodeJS.ProcessEnv, names: string[]): void {
  const missing = names.flatMap((name) => [name, `${name}_FILE`]).filter((name) => !env[name])
  const known = new Set(names.flatMap((name) => [name, `${name}_FILE`]))
  for (const given of Object.keys(env).filter((name) => env[name] && !known.has(name))) {
    const meant = missing.find((name) => isMisspelled(given, name))
    if (meant) throw new ConfigError(`The setting ${given} is unknown. Set ${meant} instead, or unset ${given}.`)
  }
}

/**
 * The variables that share the first word of an integration's settings but are not settings, such as `SMTP_HOST`. They
 * may belong to another program.
 */
export function unknownSettings(env: NodeJS.ProcessEnv, integrations: Iterable<Integration>): string[] {
  const known = new Set(settingNames(integrations).flatMap((name) => [name, `${name}_FILE`]))
  const firstWord = (name: string) => name.split('_', 1)[0]!
  const words = new Set([...integrations].flatMap(({ settings }) => Object.keys(settings).map(firstWord)))
  return Object.keys(env).filter((name) => env[name] && words.has(firstWord(name)) && !known.has(name))
}

function withFiles(env: NodeJS.ProcessEnv, names: string[]): NodeJS.ProcessEnv {
  const filled = { ...env }
  for (const name of names) {
    const path = env[`${name}_FILE`]
    if (!path) continue
    if (env[name]) throw new ConfigError(`The settings ${name} and ${name}_FILE are both set. Remove one.`)
    filled[name] = textOf(name, path)
  }
  return filled
}

function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new ConfigError(`The setting ${name}_FILE names ${path}, which cannot be read (${code}).`)
  }
}
