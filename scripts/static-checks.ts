import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What reads the sources and starts nothing of them: each a sentence, a program, and its arguments. */
const CHECKS = [
  ['Formatting and lint', 'biome', 'ci', '--error-on-warnings', '--colors=force'],
  [
    'Direction of imports',
    'depcruise',
    '--config',
    'architecture.rules.mjs',
    '--output-type',
    'err-long',
    // By what the files hold. Kept in node_modules/.cache, as is what knip has read: warm, both take a third.
    '--cache',
    '--cache-strategy',
    'content',
    'apps',
    'packages',
    'bench',
    'scripts',
    'e2e',
  ],
  ['Types of the servers', 'tsc', '-p', 'tsconfig.json', '--pretty'],
  ['Types of the storefront', 'tsc', '-p', 'apps/storefront', '--pretty'],
  ['Types of the console', 'tsc', '-p', 'apps/console', '--pretty'],
  ['Code and dependencies that nothing uses', 'knip', '--cache'],
  ['Migrations beside shops of the version before', process.execPath, 'scripts/check-migrations.ts'],
  ['Requirements of the ASVS, and what meets them', process.execPath, 'scripts/asvs.ts'],
] as const

export type CheckOutcome = { what: string; hasPassed: boolean; output: string }

const run = (what: string, program: string, args: readonly string[]): Promise<CheckOutcome> =>
  new Promise((ended) => {
    let output = ''
    const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('error', (error) => ended({ what, hasPassed: false, output: error.message }))
    child.on('close', (code) => ended({ what, hasPassed: code === 0, output }))
  })

/** Runs all of them at the same time, since none uses every processor. Each is reported when it ends, with its output. */
export const runStaticChecks = (onEnd: (outcome: CheckOutcome) => void): Promise<CheckOutcome[]> =>
  Promise.all(
    CHECKS.map(async ([what, program, ...args]) => {
      const outcome = await run(what, program, args)
      onEnd(outcome)
      return outcome
    }),
  )
