import { spawn } from 'node:child_process'

export const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
// Each running command adds listeners, and checks run a dozen commands at once.
process.setMaxListeners(0)
// Unwritable output, such as on a full disk or without a reader, must not end the process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

/** Runs a command to its end and forwards signals to it. `output` is its output, if it was piped. */
export async function run(command, args, options = {}) {
  const started_at = performance.now()
  const child = spawn(command, args, { stdio: 'inherit', ...options })
  const forward = (signal) => child.kill(signal)
  for (const signal of signals) process.on(signal, forward)
  const chunks = []
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  options.onStart?.(child.pid)
  const [code, signal] = await new Promise((resolve) => {
    child.on('close', (...end) => resolve(end))
    child.on('error', (error) => fail(`${command} does not run on this machine (${error.message}).`))
  })
  for (const signal of signals) process.off(signal, forward)
  return { code, signal, output: Buffer.concat(chunks).toString(), seconds: (performance.now() - started_at) / 1000 }
}

/** Ends this process like the given one. */
export async function endAs({ code, signal }) {
  if (!signal) process.exit(code)
  process.kill(process.pid, signal)
}

export function print(sentence) {
  process.stderr.write(`${sentence}\n`)
}

export function fail(sentence) {
  print(sentence)
  process.exit(1)
}
