import { spawn } from 'node:child_process'

export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
// Each command that runs hears them, and checks run a dozen at once.
process.setMaxListeners(0)
// Output that cannot be written (a full disk, a reader that is gone) ends nothing.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** Runs a command to its end, passing on the signals we get. `output` is what it wrote, if it was piped to us. */
export async function run(command, args, options = {}) {
  const started_at = performance.now()
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const passOn = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, passOn)
  const chunks = []
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  options.onStart?.(child.pid)
  const [code, signal] = await new Promise((resolve) => {
    child.on('close', (...end) => resolve(end))
    child.on('error', (error) => fail(`${command} does not run on this machine (${error.message}).`))
  })
  for (const signal of signals) process.off(signal, passOn)
  return { code, signal, output: Buffer.concat(chunks).toString(), seconds: (performance.now() - started_at) / 1000 }
}

/** Ends this process as the given one ended. */
export async function endAs({ code, signal }) {
  if (!signal) process.exit(code)
  process.kill(process.pid, signal)
}

export function say(sentence) {
  process.stderr.write(`${sentence}\n`)
}

export function fail(sentence) {
  say(sentence)
  process.exit(1)
}
