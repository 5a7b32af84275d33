import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What is built, what it is called, and a file that is there when it is whole. */
type App = { folder: string; name: string; last: string }

const STOREFRONT: App = { folder: 'apps/storefront', name: 'storefront', last: 'spa-paths.json' }
const CONSOLE: App = { folder: 'apps/console', name: 'console', last: 'index.html' }

const SOURCES = ['src', 'public', 'prerender']
const SINGLE_FILES = ['index.html', 'package.json', 'preact.ts', 'prerender.ts', 'vite.config.ts']

/** Tests are no part of any page. */
const NOT_BUILT = /\/(?:node_modules|testing)\/|\.test\.tsx?$/

const filesBelow = async (folder: string): Promise<string[]> =>
  existsSync(folder)
    ? (await readdir(folder, { recursive: true, withFileTypes: true }))
        .map((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : ''))
        .filter((path) => path && !NOT_BUILT.test(path))
    : []

/** Whether the pages say that the legal texts are not reviewed: in development, until they are. */
const hasSampleLegalTexts = ({ env } = process): boolean =>
  env.NODE_ENV !== 'production' &&
  !env.LEGAL_REVIEWED?.trim() &&
  !(env.LEGAL_TERMS_FILE?.trim() && env.LEGAL_PRIVACY_FILE?.trim())

/** Whether a setting is built into the pages. None of them is a secret. */
export const isBuiltIn = (name: string): boolean => name.startsWith('BRAND_') || name === 'PUBLIC_URL'

/** What the builds are told by their environment. What is not for customers is compressed quickly. */
const forBuilds = (): NodeJS.ProcessEnv => ({
  SAMPLE_LEGAL_TEXTS: hasSampleLegalTexts() ? '1' : '',
  COMPRESS_QUICKLY: process.env.NODE_ENV === 'production' ? '' : '1',
})

/** For Vite's configuration, which writes it into the pages. */
export const setSampleLegalTexts = (): void => {
  Object.assign(process.env, forBuilds())
}

/** Everything that the built pages are made of: their sources, the locked packages, the brand, the public address. */
const fingerprint = async (root: string, { folder }: App): Promise<string> => {
  const sources = [...SOURCES.map((source) => join(root, folder, source)), join(root, 'packages')]
  const below = await Promise.all(sources.map(filesBelow))
  const single = [...SINGLE_FILES.map((file) => join(root, folder, file)), join(root, 'package-lock.json')]
  const hash = createHash('sha256')
  for (const file of [...below.flat(), ...single.filter(existsSync)].sort()) {
    hash.update(file.slice(root.length)).update(await readFile(file))
  }
  const settings = Object.entries(process.env).filter(([name]) => isBuiltIn(name))
  return hash.update(JSON.stringify([...settings.sort(), forBuilds()])).digest('hex')
}

const run = (root: string, args: string[], signal?: AbortSignal): Promise<string> =>
  new Promise((done, failed) => {
    const env = { ...process.env, ...forBuilds() }
    // In a group of its own, which is ended as one: npm would leave behind what it started.
    const detached = signal !== undefined
    const child = spawn('npm', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], detached })
    const end = () => child.pid && process.kill(-child.pid, 'SIGTERM')
    signal?.addEventListener('abort', end)
    child.on('exit', () => signal?.removeEventListener('abort', end))
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('error', failed)
    child.on('exit', (code) => (code === 0 ? done(output) : failed(new Error(output))))
  })

/** Builds an app, unless what is built was made of these very sources. Returns why it could not be built. */
const buildApp = async (root: string, app: App, signal?: AbortSignal): Promise<string | undefined> => {
  const { folder, name, last } = app
  const stamp = join(root, folder, 'dist-ssr', 'built-from')
  const wanted = await fingerprint(root, app)
  const built = existsSync(stamp) ? await readFile(stamp, 'utf8') : ''
  if (built === wanted && existsSync(join(root, folder, 'dist', last))) return
  console.log(`Building the ${name} …`)
  await rm(stamp, { force: true })
  try {
    await run(root, ['run', 'build', '--silent', '--workspace', folder], signal)
  } catch (error) {
    return `The ${name} could not be built:\n${(error as Error).message}`
  }
  await mkdir(join(root, folder, 'dist-ssr'), { recursive: true })
  await writeFile(stamp, wanted)
}

/**
 * The shop's pages and the operators', at once. Ends the process where they cannot be built; the signal ends the builds, and
 * with them this process.
 */
export const buildPages = async (root: string, signal?: AbortSignal): Promise<void> => {
  const faults = await Promise.all([STOREFRONT, CONSOLE].map((app) => buildApp(root, app, signal)))
  if (signal?.aborted) process.exit(0)
  const said = faults.filter((fault) => fault !== undefined)
  if (said.length === 0) return
  console.error(said.join('\n'))
  process.exit(1)
}
