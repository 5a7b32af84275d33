/** `npm run sbom`: every package that the shop is made of, by the lockfile, as CycloneDX. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `npm run -s sbom -- [--omit-dev] [--out FILE]
  --omit-dev  only what runs in production, and what builds its pages
  --out FILE  into a file instead of the standard output`

type Manifest = { version?: string; dev?: boolean }
type Lockfile = { packages: Record<string, Manifest> }

const readJson = async <T>(file: string): Promise<T> =>
  JSON.parse(await readFile(join(ROOT, file), 'utf8')) as T

/** npm names no package without a version, and our own have none: they get the shop's, in a copy. */
const copyManifests = async (folder: string): Promise<void> => {
  const root = await readJson<Manifest>('package.json')
  const lockfile = await readJson<Lockfile>('package-lock.json')
  const own = Object.keys(lockfile.packages).filter((path) => path && !path.includes('node_modules/'))
  for (const path of own) {
    const manifest = { ...(await readJson<Manifest>(join(path, 'package.json'))), version: root.version }
    await mkdir(join(folder, path), { recursive: true })
    await writeFile(join(folder, path, 'package.json'), JSON.stringify(manifest))
    Object.assign(lockfile.packages[path] ?? {}, { version: root.version })
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify(root))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lockfile))
}

type Component = { 'bom-ref': string; name: string }
type Sbom = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] }

const describe = (folder: string): Sbom => {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error']
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  })
  if (status !== 0) throw new Error(`npm could not write the list: ${stderr.trim()}`)
  const { components, ...rest } = JSON.parse(stdout) as Sbom
  // npm calls our own by their folders.
  const named = components.map((one) => ({ ...one, name: one['bom-ref'].replace(/@[^@]*$/, '') }))
  return { ...rest, components: named }
}

/** Not npm's own `--omit dev`: it also leaves out what development and the shop both need, zod and React among them. */
const withoutDev = ({ components, dependencies, ...rest }: Sbom, { packages }: Lockfile): Sbom => {
  const refs = (isDev: boolean) =>
    Object.entries(packages)
      .filter(([, { dev }]) => Boolean(dev) === isDev)
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`)
  const dropped = new Set(refs(true)).difference(new Set(refs(false)))
  return {
    ...rest,
    components: components.filter((one) => !dropped.has(one['bom-ref'])),
    dependencies: dependencies
      .filter(({ ref }) => !dropped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => !dropped.has(on)) })),
  }
}

const folder = await mkdtemp(join(tmpdir(), 'hedgerow-sbom-'))
try {
  const { values } = parseArgs({ options: { 'omit-dev': { type: 'boolean' }, out: { type: 'string' } } })
  // npm names the whole by its folder otherwise.
  const copy = join(folder, 'hedgerow')
  await mkdir(copy)
  await copyManifests(copy)
  const all = describe(copy)
  const listed = values['omit-dev'] ? withoutDev(all, await readJson<Lockfile>('package-lock.json')) : all
  const text = `${JSON.stringify(listed, null, 2)}\n`
  if (values.out === undefined) process.stdout.write(text)
  else await writeFile(values.out, text)
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException
  console.error(code?.startsWith('ERR_PARSE_ARGS') ? `${message.split('\n')[0]}\n${USAGE}` : message)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
