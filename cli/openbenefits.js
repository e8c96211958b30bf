#!/usr/bin/env node
// `npx openbenefits` in the repository. Like every npm script, it installs missing packages and switches to the pinned
// Node. tools/build.ts builds the published command, which needs neither.
import { fileURLToPath } from 'node:url'

const run = new URL('../scripts/run.js', import.meta.url)
process.argv.splice(1, 1, fileURLToPath(run), 'cli')
await import(run.href)
