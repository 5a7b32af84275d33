/**
 * `npm test`: every check there is. Installs what it needs and may, says what it could not do, and counts at the end.
 * `npm run test:long`: the same, with all cases of the tests that draw them, a walk in three browsers, shops installed on
 * bare Debians and in containers, and a mutation test of the rules of money.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { findTestBrowser, isThere, PATH, WITHOUT_WINDOWS } from './browser.ts'
import { buildPages } from './build-pages.ts'
import { missingForMachines } from './debian-machine.ts'
import { areChangesSeen } from './mutation.ts'
import { startProcessorClock } from './processor-time.ts'
import { Skipped } from './security/checker.ts'
import { runStaticChecks } from './static-checks.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const started = performance.now()
const isLong = process.argv.includes('--long')
if (isLong) process.env.TEST_LONG = '1'
const processors = startProcessorClock()
let passed = 0
let failed = 0
const notes: string[] = []
/** Printed again at the end: above them stand thousands of lines. */
const failures: string[] = []

/** How long each file of tests took, in seconds. */
const times = new Map<string, number>()
const SLOWEST = 10

const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`

const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<number> =>
  new Promise((ended) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PATH, ...env },
    })
    child.on('error', () => ended(127))
    child.on('exit', (code) => ended(code ?? 1))
  })

const announce = (what: string) => console.log(`\n— ${what} (after ${seconds()})`)

const LONGEST_LINE = 300
const MOST_LINES = 20

/** What went wrong, short enough that many failures can be read one below the other. */
const shorten = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .slice(0, MOST_LINES)
    .map((line) => `\n  ${line.slice(0, LONGEST_LINE)}`)
    .join('')

const fail = (what: string, why?: string) => {
  failed++
  failures.push(why ? what + shorten(why) : what)
}

/** A check that passes or fails as a whole. */
const check = async (what: string, command: string, args: string[]): Promise<void> => {
  announce(what)
  if ((await run(command, args)) === 0) passed++
  else fail(what)
}

/** Tools outside npm that tests use, and the Debian package of each. */
const TOOLS = {
  'wg-quick': 'wireguard-tools',
  zbarimg: 'zbar-tools',
  pdftotext: 'poppler-utils',
  qpdf: 'qpdf',
  hledger: 'hledger',
  java: 'default-jre-headless',
  'wireguard-go': 'wireguard-go',
  nft: 'nftables',
  conntrack: 'conntrack',
  setpriv: 'util-linux',
  pdns_recursor: 'pdns-recursor',
  ip: 'iproute2',
  ping: 'iputils-ping',
  dig: 'bind9-dnsutils',
  curl: 'curl',
} as const

/** What the walk in three browsers needs besides: it goes through those that are there. */
const OTHER_BROWSERS = {
  chromedriver: 'chromium-driver',
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
} as const

/** What installs a shop on a bare Debian or in containers, and what reads the scripts that do. */
const MACHINES = {
  podman: 'podman',
  'podman-compose': 'podman-compose',
  runc: 'runc',
  buildah: 'buildah',
  iptables: 'iptables',
  '/usr/lib/podman/netavark': 'netavark',
  '/usr/lib/podman/aardvark-dns': 'aardvark-dns',
  debootstrap: 'debootstrap',
  'systemd-nspawn': 'systemd-container',
  shellcheck: 'shellcheck',
} as const

/** The Debian packages of those that are not there. */
const missingOf = (tools: Record<string, string>): string[] =>
  Object.entries(tools).flatMap(([tool, name]) => (isThere(tool) ? [] : [name]))

/** The browser without windows: with it the browser tests are a third less work. */
const LEAN_BROWSER = 'chromium-headless-shell'

const HTML_CHECKER = 'node_modules/vnu-jar/build/dist/vnu.jar'

/** Installs missing tools where that is possible: as root on Debian. Returns what is still missing. */
const provideTools = async (): Promise<string[]> => {
  const missing = () => [...missingOf(TOOLS), ...(findTestBrowser() ? [] : ['chromium'])]
  const wanted = [...missing(), ...(isLong ? missingOf({ ...OTHER_BROWSERS, ...MACHINES }) : [])]
  const mayInstall = process.getuid?.() === 0 && isThere('apt-get')
  const isLean = process.env.CHROMIUM_PATH !== undefined || existsSync(WITHOUT_WINDOWS)
  if ((wanted.length > 0 || !isLean) && mayInstall) {
    announce(`Installing ${[...wanted, ...(isLean ? [] : [LEAN_BROWSER])].join(', ')}`)
    const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
    const install = (names: string[]) =>
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet)
    await run('apt-get', ['update', '-qq'], quiet)
    // By itself: not every Debian has it, and the tests can do with another.
    if (!isLean) await install([LEAN_BROWSER])
    const rest = missing()
    if (rest.length > 0) await install(rest)
    // Each by itself, for the same reason.
    if (isLong) for (const name of missingOf({ ...OTHER_BROWSERS, ...MACHINES })) await install([name])
  }
  return missing()
}

type VitestReport = {
  numPassedTests: number
  testResults: {
    name: string
    startTime: number
    endTime: number
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}
type BrowserTest = {
  projectName: string
  status: string
  results: { duration: number; error?: { message?: string } }[]
}
type Suite = {
  suites?: Suite[]
  specs?: { file: string; title: string; ok: boolean; tests: BrowserTest[] }[]
}
type PlaywrightReport = { stats: { expected: number }; suites: Suite[] }

const readReport = async <T>(file: string): Promise<T | undefined> =>
  existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as T) : undefined

const addTime = (file: string, ms: number) => times.set(file, (times.get(file) ?? 0) + ms / 1000)

const runVitest = async (folder: string): Promise<void> => {
  const what = 'Unit and API tests, on a real PostgreSQL'
  announce(what)
  const file = join(folder, 'vitest.json')
  const code = await run('vitest', ['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`])
  const report = await readReport<VitestReport>(file)
  passed += report?.numPassedTests ?? 0
  const before = failed
  for (const { name, startTime, endTime, assertionResults } of report?.testResults ?? []) {
    addTime(relative(root, name), endTime - startTime)
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') fail(`${relative(root, name)}: ${fullName}`, failureMessages.join('\n'))
    }
  }
  // A file that could not even be loaded counts no test.
  if (code !== 0 && failed === before) fail(what)
}

const runMutations = async (): Promise<void> => {
  const what = 'Changed rules of money are seen by tests'
  announce(what)
  try {
    if (await areChangesSeen()) passed++
    else fail(what)
  } catch (error) {
    if (!(error instanceof Skipped)) throw error
    notes.push(`Skipped: ${what}: ${error.message}`)
  }
}

const specsOf = (suite: Suite): NonNullable<Suite['specs']> => [
  ...(suite.specs ?? []),
  ...(suite.suites ?? []).flatMap(specsOf),
]

const runBrowser = async (folder: string): Promise<void> => {
  const what = 'The whole path in a browser, with the sandbox'
  announce(what)
  const file = join(folder, 'playwright.json')
  const code = await run(process.execPath, ['scripts/browser-tests.ts'], { E2E_REPORT: file })
  const report = await readReport<PlaywrightReport>(file)
  passed += report?.stats.expected ?? 0
  const before = failed
  for (const spec of report?.suites.flatMap(specsOf) ?? []) {
    for (const { projectName, status, results } of spec.tests) {
      for (const { duration } of results) addTime(`e2e/${spec.file}`, duration)
      if (status === 'expected') continue
      const why = results.map(({ error }) => error?.message ?? '').join('\n')
      fail(`e2e/${spec.file} [${projectName}]: ${spec.title} (${status})`, why)
    }
  }
  if (code !== 0 && failed === before) fail(what)
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-reports-'))
try {
  const missing = await provideTools()
  announce('Static checks')
  await processors.during('static', () =>
    runStaticChecks(({ what, hasPassed, output }) => {
      if (hasPassed) passed++
      else fail(what, output)
      console.log(hasPassed ? `Passed: ${what}` : `${output}\nFailed: ${what}`)
    }),
  )
  await processors.during('unit', () => runVitest(folder))
  if (isLong) await runMutations()
  await buildPages(root)
  if (isThere('java')) {
    const pages = ['--errors-only', '--skip-non-html', 'apps/storefront/dist']
    await check('The pages are valid HTML', 'java', ['-jar', HTML_CHECKER, ...pages])
  }
  if (isThere('promtool')) {
    const rules = 'deploy/prometheus'
    await check('The alert rules are valid', 'promtool', [
      'check',
      'rules',
      `${rules}/alerts.yml`,
      `${rules}/database.yml`,
    ])
    await check('The example configuration for Prometheus is valid', 'promtool', [
      'check',
      'config',
      `${rules}/prometheus.yml`,
    ])
    await check('The alert rules raise what they should', 'promtool', [
      'test',
      'rules',
      `${rules}/alerts.test.yml`,
      `${rules}/database.test.yml`,
    ])
  } else {
    notes.push(
      'Skipped: the tests of the alert rules. They need promtool, which on Debian comes with the package prometheus.',
    )
  }
  if (isThere('shellcheck'))
    await check('The scripts for servers are sound', 'shellcheck', [
      'deploy/install-shop.sh',
      'deploy/install-agent.sh',
      'deploy/compose/prepare.sh',
    ])
  else notes.push('Skipped: shellcheck of the scripts for servers. It is a package of Debian.')
  const noMachines = isLong ? missingForMachines() : undefined
  if (noMachines) notes.push(`Skipped: a shop installed on a bare Debian: ${noMachines}.`)
  if (!process.env.AMNEZIAWG_GO)
    notes.push(
      'Skipped: the tests of obfuscated nodes with AmneziaWG itself. They need amneziawg-go, which AMNEZIAWG_GO names, and awg beside it; Debian has neither.',
    )
  if (missing.length > 0) {
    notes.push(
      `Skipped: the browser tests, and some tests of documents and nodes. Missing, and could not be installed: ${missing.join(', ')}.`,
    )
    if (process.env.CI) fail('Tools that the tests need')
  } else {
    const without = isLong ? missingOf(OTHER_BROWSERS) : []
    if (without.length > 0)
      notes.push(`Skipped: the walk in the browsers that need what is missing: ${without.join(', ')}.`)
    await processors.during('browser', () => runBrowser(folder))
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

console.log('\nThe slowest files:')
for (const [file, time] of [...times].toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST))
  console.log(`${String(Math.round(time)).padStart(5)} s  ${file}`)
const used = processors.summary()
if (used) console.log(`Seconds of processor: ${used}.`)
console.log(`Took ${seconds()}.`)
for (const note of notes) console.log(note)
for (const failure of failures) console.log(`Failed: ${failure}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
