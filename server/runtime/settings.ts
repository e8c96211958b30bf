import { readFileSync } from 'node:fs'
import { ConfigError, readConfig, settingNames, type Config } from '../kernel/config.ts'
import type { Integration } from '../kernel/integration.ts'

/**
 * Reads the settings of an environment. Each setting may be in a file instead, which `NAME_FILE` names, so that no
 * process list and no environment dump shows a secret. Throws ConfigError with one sentence.
 */
export const readSettings = (env: NodeJS.ProcessEnv, integrations: Iterable<Integration> = []): Config =>
  readConfig(withFiles(env, settingNames(integrations)), integrations)

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
