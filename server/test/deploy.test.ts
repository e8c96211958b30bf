import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { settingNames } from '../kernel/config.ts'
import { integrations } from '../modules.ts'
import { useApi } from './harness.ts'
import { blockOf } from './guides/code-blocks.ts'

/** Checks the deployment files against the service: its settings, its metrics, and the tools that read the files. */
const deploy = join(import.meta.dirname, '../../deploy')
const read = (path: string) => readFileSync(join(deploy, path), 'utf8')
const api = useApi()

const known = new Set(settingNames(integrations).flatMap((name) => [name, `${name}_FILE`]))
/** Variables of Node and the C library. */
const of_others = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_']
const unknown = (names: string[]) => names.filter((name) => !known.has(name) && !of_others.includes(name))

/** The metrics in a Prometheus expression: names before a brace or bracket, or alone. */
const metricsIn = (expression: string): string[] =>
  [
    ...expression
      .replaceAll(/"[^"]*"/g, '')
      .replaceAll(/\b(?:by|without)\s*\([^)]*\)/g, '')
      .matchAll(/[a-z]\w*_\w+|\b(?:up|jobs)\b/g),
  ]
    .map(([name]) => name)
    .filter((name) => !['histogram_quantile', 'min_over_time', 'rate_interval'].includes(name))

async function existingMetrics(): Promise<Set<string>> {
  const { text } = await api.get('/metrics', { key: api.operator_key })
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
  )
  // A process that only serves has no metrics of jobs. `up` is a metric of Prometheus.
  return new Set([...names, 'up', 'job_runs_total', 'job_run_duration_seconds_bucket'])
}

it('uses only existing metrics in the dashboard and alerts', async () => {
  await api.get('/v1/organizations')
  await api.act((ctx) => ctx.enqueue('run_days', {}))
  const dashboard = JSON.parse(read('grafana/openbenefits.json')) as { panels: { targets: { expr: string }[] }[] }
  const alerts = parse(read('prometheus/alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ]
  expect(expressions.length).toBeGreaterThan(20)
  const used_metrics = new Set(expressions.flatMap(metricsIn))
  expect(used_metrics.size).toBeGreaterThan(12)
  // The delay of the event loop exists after its first tick.
  await expect.poll(async () => [...used_metrics.difference(await existingMetrics())]).toEqual([])
  const names = alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
  expect(new Set(names).size).toBe(names.length)
})

const has_systemd = spawnSync('systemd-analyze', ['--version']).status === 0

it.runIf(has_systemd)('has a unit that systemd accepts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openbenefits-unit-'))
  try {
    const unit = read('systemd/openbenefits.service')
    const set = [...unit.matchAll(/^Environment=([A-Z_]+)=/gm)].map(([, name]) => name!)
    expect(unknown(set)).toEqual([])
    // Uses this machine's node, because systemd checks that the program exists.
    const here = unit
      .replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`)
      .replace(/^WorkingDirectory=.*$/m, 'WorkingDirectory=/')
    writeFileSync(join(folder, 'openbenefits.service'), here)
    const input = execFileSync('systemd-analyze', ['verify', join(folder, 'openbenefits.service')], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    expect(input).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('uses existing settings in the compose file, and secrets as files', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string>; secrets: string[]; read_only?: boolean }>
    secrets: Record<string, unknown>
  }
  const { database, ...own } = compose.services
  expect(Object.keys(own)).toEqual(['api', 'worker'])
  for (const { environment, secrets, read_only } of Object.values(own)) {
    expect(unknown(Object.keys(environment))).toEqual([])
    expect(read_only).toBe(true)
    const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))
    expect(files.map(([, path]) => path)).toEqual(secrets.map((name) => `/run/secrets/${name}`))
  }
  expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining([...own.api!.secrets, ...database!.secrets]))
})

it('uses existing files and values in the commands of the guide', () => {
  const commands = blockOf('docs/operating/installing.md', 'docker build')
  const files = [...commands.matchAll(/ deploy(\/\S+)/g)].map(([, path]) => path!)
  expect(files.map((path) => [path, existsSync(join(deploy, path))])).toEqual(files.map((path) => [path, true]))
  const values = parse(read('helm/openbenefits/values.yaml')) as Record<string, unknown>
  for (const [, name] of commands.matchAll(/--set (\w+)=/g)) expect(Object.keys(values)).toContain(name)
  expect(files).toHaveLength(2)
})

it('runs the image as an ordinary user with a health check', () => {
  const lines = read('Containerfile').split('\n')
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM')))
  expect(last).toContain('USER node')
  expect(last.some((line) => line.startsWith('HEALTHCHECK'))).toBe(true)
  const set = lines.filter((line) => line.startsWith('ENV ')).flatMap((line) => [...line.matchAll(/([A-Z_]+)=/g)])
  expect(unknown(set.map(([, name]) => name!))).toEqual([])
})

type Values = { [name: string]: unknown }

/**
 * Renders the part of Helm's template language that the chart uses: fields, `if`, `range` over a map, `include` and
 * `toYaml`, followed by `quote` and `nindent`. Throws at anything else.
 */
function render(template: string, context: Values, defined: Map<string, string>): string {
  const tokens = template.split(/(\{\{-?.*?-?\}\})/s)
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]!.startsWith('{{-')) tokens[at - 1] = tokens[at - 1]!.replace(/\s+$/, '')
    if (tokens[at]!.endsWith('-}}')) tokens[at + 1] = tokens[at + 1]!.replace(/^\s+/, '')
  }
  let position = 0
  const fieldOf = (path: string, scope: Values): unknown =>
    path.startsWith('$')
      ? scope[path]
      : path
          .slice(1)
          .split('.')
          .reduce<unknown>((found, name) => (found as Values | undefined)?.[name], scope)
  const valueOf = (expression: string, scope: Values): string => {
    const [first = '', ...pipes] = expression.split('|').map((part) => part.trim())
    const [word = '', argument = ''] = first.split(/\s+/)
    let value: unknown
    if (word === 'include') value = render(defined.get(JSON.parse(argument))!, context, defined)
    else if (word === 'toYaml') value = JSON.stringify(fieldOf(argument, scope))
    else if (/^[.$]/.test(word) && argument === '') value = fieldOf(word, scope)
    else throw new Error(`The chart uses ${expression}, which this test cannot render.`)
    if (value === undefined) throw new Error(`The chart has no value for ${expression}.`)
    for (const pipe of pipes) {
      const indent = /^nindent (\d+)$/.exec(pipe)?.[1]
      if (pipe === 'quote') value = JSON.stringify(String(value))
      else if (indent) value = `\n${String(value).replaceAll(/^(?=.)/gm, ' '.repeat(Number(indent)))}`
      else throw new Error(`The chart uses ${pipe}, which this test cannot render.`)
    }
    return String(value)
  }
  const block = (scope: Values, shown: boolean): string => {
    let text = ''
    for (; position < tokens.length; position++) {
      const token = tokens[position]!
      const action = /^\{\{-?\s*(.*?)\s*-?\}\}$/s.exec(token)?.[1]
      if (action === undefined) text += shown ? token : ''
      else if (action === 'end') return text
      else if (action.startsWith('if ')) {
        position++
        text += block(scope, shown && Boolean(fieldOf(action.slice(3), scope)))
      } else if (action.startsWith('define ')) {
        const start = ++position
        block(scope, false)
        defined.set(JSON.parse(action.slice(7)), tokens.slice(start, position).join(''))
      } else if (action.startsWith('range ')) {
        const [, name = '', value = '', path = ''] = /^range (\$\w+), (\$\w+) := (\S+)$/.exec(action) ?? []
        const body = ++position
        const rows = Object.entries(fieldOf(path, scope) as Values)
        for (const [key, each] of rows) {
          position = body
          text += block({ ...scope, [name]: key, [value]: each }, shown)
        }
        if (rows.length === 0) block(scope, false)
      } else text += shown ? valueOf(action, scope) : ''
    }
    return text
  }
  return block(context, true)
}

type Workload = {
  strategy?: object
  selector?: { matchLabels: Values }
  template: {
    metadata: { labels: Values }
    spec: { containers: Container[]; terminationGracePeriodSeconds?: number }
  }
}

type Container = {
  env: { name: string }[]
  securityContext: Record<string, unknown>
  ports?: { name: string }[]
  readinessProbe?: { httpGet: { port: string } }
}

it.each([
  ['with default values', {}],
  [
    'with all values set',
    { twoRoles: true, serviceMonitor: { enabled: true }, settings: { TRUSTED_PROXIES: '10.0.0.0/8' } },
  ],
])('renders the chart as valid Kubernetes resources, %s', (_, input) => {
  const chart = 'helm/openbenefits'
  const about = parse(read(`${chart}/Chart.yaml`)) as { name: string; appVersion: string }
  const values = { ...(parse(read(`${chart}/values.yaml`)) as Values), ...input }
  const context = {
    Values: values,
    Release: { Name: 'ours', Service: 'Helm' },
    Chart: { AppVersion: about.appVersion },
  }
  const defined = new Map<string, string>()
  render(read(`${chart}/templates/_names.tpl`), context, defined)
  const things = readdirSync(join(deploy, chart, 'templates'))
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(render(read(`${chart}/templates/${name}`), context, defined)))
    .filter((document) => document.contents !== null)
    .map((document) => {
      expect([document.errors, document.warnings]).toEqual([[], []])
      return document.toJS() as { kind: string; spec: Workload }
    })
  const kinds = things.map(({ kind }) => kind)
  const monitors = 'serviceMonitor' in input ? ['PodMonitor'] : []
  expect(kinds.toSorted()).toEqual(
    ['Deployment', 'Deployment', 'Job', 'PodDisruptionBudget', 'Service', ...monitors].toSorted(),
  )
  for (const { spec } of things.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')) {
    const pod = spec.template.spec
    const [container] = pod.containers as [Container]
    expect(unknown(container.env.map(({ name }) => name))).toEqual([])
    expect(container.securityContext).toMatchObject({ runAsNonRoot: true, readOnlyRootFilesystem: true })
    const { port } = container.readinessProbe?.httpGet ?? {}
    if (port !== undefined) expect(container.ports!.map(({ name }) => name)).toContain(port)
    const drain = Number((container.env.find(({ name }) => name === 'DRAIN_SECONDS') as { value?: string })?.value ?? 5)
    if (spec.strategy) expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(drain + 10)
    if (spec.selector) expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
  }
})
