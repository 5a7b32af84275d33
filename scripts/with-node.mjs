// Runs a script under the Node.js that the project pins, after installing what is missing.
// The only file that an older Node.js reads: plain JavaScript, nothing from npm.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PINNED_MAJOR = 24
const root = fileURLToPath(new URL('..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const [script, ...args] = process.argv.slice(2)

const stop = (message) => {
  console.error(message)
  process.exit(1)
}

const packagesOf = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {})
const present = packagesOf(join(root, 'node_modules', '.package-lock.json'))

/** What the project is tested with is a third of it all, and left out until something else than the programs is run. */
const PROGRAMS = ['scripts/start.ts', 'apps/api/src/ops.ts', 'apps/node-agent/src/main.ts']
const isForTests = !PROGRAMS.includes(script) || Object.values(present).some(({ dev }) => dev)

/** Whether what is installed is what the lockfile says; what belongs to another platform may be missing. */
const isInstalled = () =>
  Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, optional, devOptional, dev }]) =>
      !path.startsWith('node_modules/') ||
      (present[path]
        ? present[path].version === version
        : Boolean(optional || devOptional || (dev && !isForTests))),
  )

const install = () => {
  console.log('Installing dependencies from the lockfile; the first time takes about a minute …')
  const npm = process.env.npm_execpath
  const command = npm ? [process.execPath, [npm]] : ['npm', []]
  // Said either way: npm's own choice follows NODE_ENV.
  const tests = isForTests ? '--include=dev' : '--omit=dev'
  const quiet = ['ci', tests, '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync(command[0], [...command[1], ...quiet], { cwd: root, stdio: 'inherit' })
  if (status !== 0) stop('The installation failed. See npm’s messages above.')
}

const findNode = () => {
  const pinned = join(bin, 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= PINNED_MAJOR) return process.execPath
  return stop(
    `npm has no Node.js ${PINNED_MAJOR} for ${process.platform}-${process.arch}: install Node.js ${PINNED_MAJOR} or newer.`,
  )
}

if (!isInstalled()) install()
const child = spawn(findNode(), [join(root, script), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
})
// Ctrl-C reaches the child by itself, and a tool takes the second for "at once"; the shop takes it as often as it comes.
const isShop = script === 'scripts/start.ts'
process.on('SIGINT', () => isShop && child.kill('SIGINT'))
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
// npm hands two signals on. Ended by another, it leaves behind what it started.
const parent = process.ppid
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 1000).unref()
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
