#!/usr/bin/env node
// `npx openbenefits` in the repository: the way of every npm script, which installs what is missing and changes over to
// the pinned Node. What is published is built by tools/build.ts and needs neither.
import { fileURLToPath } from 'node:url'

const run = new URL('../scripts/run.js', import.meta.url)
process.argv.splice(1, 1, fileURLToPath(run), 'cli')
await import(run.href)
