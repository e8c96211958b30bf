import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import type { Sandbox } from '../sandbox/open.ts'
import { verifyAudit, type VerifyOptions } from './audit.ts'
import { listen } from './listen.ts'
import { makeOwner } from './owner.ts'
import { readConfig } from '../kernel/config.ts'
import { Email, text } from '../kernel/fields.ts'
import { newSecret } from '../modules/webhooks/rules.ts'

const { DATA_DIR = '.data', OPENBENEFITS_URL, OPENBENEFITS_API_KEY } = process.env

/** Where the sandbox of this folder is, and its key: what one means without saying more. */
function sandbox(): Partial<Sandbox> {
  try {
    return JSON.parse(readFileSync(join(DATA_DIR, 'sandbox.json'), 'utf8')) as Sandbox
  } catch {
    return {}
  }
}

function address(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text
  throw new InvalidArgumentError('It must be an address such as http://localhost:3000/hooks.')
}

/** What is wrong with a value is told as of a field of the interface. */
const checkedBy = (field: typeof Email) => (value: string) => {
  const { data, error } = field.safeParse(value)
  if (error) throw new InvalidArgumentError(`It ${error.issues[0]!.message}.`)
  return data
}

const say = (line: string) => process.stdout.write(`${line}\n`)

type ListenOptions = {
  forwardTo: string
  url?: string
  apiKey?: string
  organization?: string
  events?: string
  secret?: string
}

const program = new Command('openbenefits').description('Tools for those who integrate with OpenBenefits or run it.')

program
  .command('listen')
  .description('Forwards live events, signed like webhooks, to a server on this machine while you develop it.')
  .requiredOption('--forward-to <address>', 'where to post them, such as http://localhost:3000/hooks', address)
  .option('--url <address>', 'the service; OPENBENEFITS_URL, or else the sandbox of this folder', address)
  .option('--api-key <key>', 'your key; OPENBENEFITS_API_KEY, or else that of the sandbox')
  .option('--organization <id>', 'the organization, for a key that reaches several')
  .option('--events <names>', 'only these, such as employee.created,invoice.issued')
  .option('--secret <whsec_…>', 'the secret that signs; a new one unless said')
  .action(async (options: ListenOptions) => {
    const url = options.url ?? OPENBENEFITS_URL ?? sandbox().base_url
    const api_key = options.apiKey ?? OPENBENEFITS_API_KEY ?? sandbox().api_key
    if (!url || !api_key) throw new Error('Name the service and your key, --url and --api-key: no sandbox is here.')
    const secret = options.secret ?? newSecret()
    const stopping = new AbortController()
    process.once('SIGINT', () => stopping.abort())
    say(`Forwarding events of ${url} to ${options.forwardTo}`)
    say(`Signing secret: ${secret}`)
    const { forwardTo: forward_to, organization: organization_id, events } = options
    await listen({ url, api_key, organization_id, events, forward_to, secret }, say, stopping.signal)
  })

const day = (text: string): string => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a day such as 2026-03-10.')
}
const seal = (text: string, former: string[] = []): string[] => {
  if (/^\d{4}-\d{2}-\d{2}:[0-9a-f]{64}$/.test(text)) return [...former, text]
  throw new InvalidArgumentError('It must be a day and its seal, as the log and this command tell them.')
}

program
  .command('audit')
  .description('The audit trail of the service whose settings are in the environment.')
  .command('verify')
  .description('Finds every entry that was changed, removed or put in. Only reads; ends with 1 when it found any.')
  .option('--from <day>', 'the first day', day)
  .option('--to <day>', 'the last day', day)
  .option('--seal <day:hash>', 'a seal that was noted elsewhere; again for more', seal)
  .action(async (options: VerifyOptions) => {
    process.exitCode = (await verifyAudit(process.env, options, say)) ? 0 : 1
  })

program
  .command('owner')
  .description('Makes an owner of this installation with an operator key, when all others are lost.')
  .requiredOption('--name <name>', 'who it is', checkedBy(text()))
  .requiredOption('--email <address>', 'their e-mail address', checkedBy(Email))
  .action(async (owner: { name: string; email: string }) => {
    say(await makeOwner(readConfig(process.env), owner))
  })

try {
  await program.parseAsync()
} catch (error) {
  program.error((error as Error).message)
}
