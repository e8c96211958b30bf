#!/usr/bin/env node
// `npx openbenefits`: the way of every npm script, which installs what is missing and changes over to the pinned Node.
import { fileURLToPath } from 'node:url'

const run = new URL('../scripts/run.js', import.meta.url)
process.argv[1] = fileURLToPath(run)
await import(run.href)
