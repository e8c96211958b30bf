import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const widgets = join(import.meta.dirname, '..')

type About = { exports: Record<string, string> } & Record<string, unknown>

/**
 * Stubs for browser globals that the modules use on load. With them, a server can import the modules and render empty
 * elements, which the browser fills.
 */
const without_page = `const {
  HTMLElement = class {}, document = { createTreeWalker() {} }, customElements = { get: () => true },
} = globalThis;`

/**
 * Writes the npm package `@openbenefits/widgets` into a folder: each widget and the React wrappers as a module with
 * types, plus shared chunks. The package has no dependencies. React is the page's own.
 */
export async function build(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const {
    private: _,
    devDependencies: __,
    exports: sources,
    ...rest
  } = JSON.parse(readFileSync(join(widgets, 'package.json'), 'utf8')) as About
  const names = Object.keys(sources).map((path) => path.slice('./'.length))
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(widgets, `src/${name}.ts`)])),
    external: ['react'],
    platform: 'browser',
    moduleTypes: { '.css': 'text' },
    transform: { target: 'es2024', define: { 'process.env.NODE_ENV': '"production"', SCREENS_INTEGRITY: '""' } },
    logLevel: 'warn',
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    banner: without_page,
    chunkFileNames: 'shared-[hash].js',
  })
  await bundle.close()
  cpSync(join(widgets, 'types'), folder, { recursive: true, filter: (path) => !path.endsWith('.json') })
  for (const name of names.filter((name) => name !== 'react'))
    writeFileSync(join(folder, `${name}.d.ts`), typesOf(name))
  const exports = {
    ...Object.fromEntries(names.map((name) => [`./${name}`, { types: `./${name}.d.ts`, default: `./${name}.js` }])),
    './package.json': './package.json',
  }
  const about = {
    ...rest,
    files: ['*.js', '*.d.ts'],
    exports,
    peerDependencies: { react: '>=18' },
    peerDependenciesMeta: { react: { optional: true } },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(about, null, 2)}\n`)
  copyFileSync(join(widgets, 'README.md'), join(folder, 'README.md'))
  copyFileSync(join(widgets, '../LICENSE'), join(folder, 'LICENSE'))
}

/** The types of a widget's module, which exports its element class. */
function typesOf(name: string): string {
  const type = name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())
  return `import type { ${type}Element } from './elements.js'

/** Defines \`<ob-${name}>\`. */
export declare const ${type}: new () => ${type}Element
export type ${type} = ${type}Element
export type * from './elements.js'
`
}

if (import.meta.main) await build(join(widgets, 'package'))
