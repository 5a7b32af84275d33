/** `npm run security`: checkers by others. Installs them apart, and ends by what they find. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Bench, type Checker, Skipped } from './security/checker.ts'
import { DOCUMENT_CHECKERS } from './security/document-checkers.ts'
import { type Exception, readExceptions, sift } from './security/exceptions.ts'
import { type SecurityShop, startSecurityShop } from './security/shop.ts'
import { SOURCE_CHECKERS } from './security/source-checkers.ts'
import { provide, TOOLS } from './security/tools.ts'
import { WEB_CHECKERS } from './security/web-checkers.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const CHECKERS: readonly Checker[] = [...SOURCE_CHECKERS, ...DOCUMENT_CHECKERS, ...WEB_CHECKERS]
const NAMES = CHECKERS.map(({ name }) => name)

const USAGE = `npm run security -- [--only NAME]… [--list]
  --only NAME  run one checker; repeat it for several
  --list       list the checkers
Checkers are installed in ${TOOLS} (SECURITY_TOOLS sets another folder).`

const stop = (message: string): never => {
  console.error(message)
  process.exit(2)
}

/** Which are to run, or a line that says what is wrong with how they were asked for. */
const chosen = (): readonly Checker[] => {
  const options = { only: { type: 'string', multiple: true }, list: { type: 'boolean' } } as const
  try {
    const { values } = parseArgs({ options })
    if (values.list) {
      for (const { name, what } of CHECKERS) console.log(`${name.padEnd(14)} ${what}`)
      process.exit(0)
    }
    const unknown = values.only?.find((name) => !NAMES.includes(name))
    if (unknown !== undefined) stop(`There is no checker ${unknown}. Choose from: ${NAMES.join(', ')}.`)
    return values.only ? CHECKERS.filter(({ name }) => values.only?.includes(name)) : CHECKERS
  } catch (error) {
    return stop(`${(error as Error).message.split('\n')[0]}\n${USAGE}`)
  }
}

type Tally = { found: number; excepted: number; skipped: string[]; failed: number }

/** Runs one and says what it found. */
const check = async (
  checker: Checker,
  bench: Omit<Bench, 'tools'>,
  exceptions: readonly Exception[],
  tally: Tally,
) => {
  const { name, what } = checker
  console.log(`\n— ${name}: ${what}`)
  try {
    const findings = await checker.run({ ...bench, tools: await provide(checker) })
    const { found, excepted, stale } = sift(name, findings, exceptions)
    for (const finding of found)
      console.log(`  ${finding.where}${finding.line ? `:${finding.line}` : ''}\n    ${finding.what}`)
    for (const { where } of stale)
      console.log(`  security/exceptions.json: nothing is found at "${where}" any more`)
    console.log(`  ${found.length} found, ${excepted} excepted with a reason`)
    tally.found += found.length + stale.length
    tally.excepted += excepted
  } catch (error) {
    const { message } = error as Error
    const isSkipped = error instanceof Skipped
    console.log(`  ${isSkipped ? 'Skipped' : 'Failed'}: ${message}`)
    if (isSkipped) tally.skipped.push(`${name} (${message})`)
    else tally.failed++
  }
}

const checkers = chosen()
const exceptions = (() => {
  try {
    return readExceptions(join(ROOT, 'security/exceptions.json'), NAMES)
  } catch (error) {
    return stop((error as Error).message)
  }
})()
const scratch = await mkdtemp(join(tmpdir(), 'hedgerow-security-'))
let running: Promise<SecurityShop> | undefined
const shop = () => {
  running ??= startSecurityShop(ROOT, scratch)
  return running
}
const tally: Tally = { found: 0, excepted: 0, skipped: [], failed: 0 }
try {
  for (const checker of checkers) await check(checker, { root: ROOT, scratch, shop }, exceptions, tally)
} finally {
  await (await running?.catch(() => undefined))?.stop()
  await rm(scratch, { recursive: true, force: true })
}
for (const line of tally.skipped) console.log(`\nSkipped: ${line}`)
console.log(
  `\n${tally.found} found, ${tally.excepted} excepted, ${tally.skipped.length} skipped, ${tally.failed} failed`,
)
process.exit(tally.found + tally.failed === 0 ? 0 : 1)
