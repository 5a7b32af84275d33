/** Part of `npm run check`: every requirement of the ASVS is answered once, and what answers it is there. */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { faultsOf, type ReadFile } from './security/asvs-page.ts'
import { REQUIREMENTS } from './security/asvs-requirements.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PAGE = 'docs/security/asvs.md'
const USAGE = `node scripts/asvs.ts [--no-pending]
  --no-pending  refuse rows that are marked as not written to the end`

const readFile: ReadFile = (path) => {
  const file = join(ROOT, path)
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, 'utf8') : undefined
}

const readArguments = () => {
  try {
    return parseArgs({ options: { 'no-pending': { type: 'boolean' } } }).values
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    return process.exit(2)
  }
}

const mayPend = !readArguments()['no-pending']
const faults = faultsOf(readFile(PAGE) ?? '', { requirements: REQUIREMENTS, readFile, mayPend })
for (const fault of faults) console.error(`${PAGE}: ${fault}`)
process.exit(faults.length === 0 ? 0 : 1)
