/** `npm run release`: what is installed in production, of one commit, so that making it again gives the same bytes. */
import { spawnSync } from 'node:child_process'
import { constants, rmSync } from 'node:fs'
import { access, copyFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { versionLine } from '@hedgerow/settings/running-version'
import { ARCHITECTURES, type Architecture, checkProgram, makeAgentFolder } from './release/agent.ts'
import { packFolder, sha256Of } from './release/archive.ts'
import { makeImage, missingForImage } from './release/image.ts'
import { installAll, installForProduction, run } from './release/npm.ts'
import { writeParts } from './release/parts.ts'
import { bundlePrograms } from './release/programs.ts'
import { makeShopFolder } from './release/shop.ts'
import { makeSigningKey, readSigningKey, signFile } from './release/signing.ts'
import { ReleaseFault, readSource, type Source } from './release/source.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const USAGE = `npm run release -- [--sign KEYFILE] [--out FOLDER] [--node-x64 FILE --node-arm64 FILE]
npm run release -- --trial …
npm run release -- --new-key KEYFILE
  --trial          of a commit without a tag; the version says so
  --sign KEYFILE   writes a signature beside each file
  --new-key FILE   makes a key for that, and prints the public one
  --out FOLDER     instead of release/VERSION
  --node-x64, --node-arm64 FILE  the Node.js to pack, instead of the lockfile's
  --version        of this clone`

const OPTIONS = {
  trial: { type: 'boolean', default: false },
  sign: { type: 'string' },
  'new-key': { type: 'string' },
  out: { type: 'string' },
  'node-x64': { type: 'string' },
  'node-arm64': { type: 'string' },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const readArguments = () => {
  try {
    return parseArgs({ options: OPTIONS }).values
  } catch (error) {
    throw new ReleaseFault(`${(error as Error).message.split('\n')[0]}\n${USAGE}`)
  }
}

/** The commit's files and nothing of the working copy. */
const takeSources = async (source: Source, folder: string): Promise<string> => {
  await mkdir(folder)
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', source.commit, folder],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new ReleaseFault(`git archive failed: ${stderr.trim()}`)
  return folder
}

const buildPages = async (sources: string, source: Source): Promise<void> => {
  const env = { SOURCE_DATE_EPOCH: String(Math.floor(source.date.getTime() / 1000)) }
  await run('npm', ['run', 'build', '--silent'], { cwd: sources, env })
}

type Built = {
  /** The commit's files with all packages, and the pages built. */
  sources: string
  /** With what production needs, for each architecture. */
  installed: Record<Architecture, string>
  programs: Record<Architecture, string>
}

const build = async (
  work: string,
  source: Source,
  given: Partial<Record<Architecture, string>>,
): Promise<Built> => {
  const sources = await takeSources(source, join(work, 'sources'))
  const installed = { x64: join(work, 'x64'), arm64: join(work, 'arm64') }
  const programs = { ...installed }
  console.log('Installing what production needs, from the lockfile …')
  for (const architecture of ARCHITECTURES) {
    await takeSources(source, installed[architecture])
    await installForProduction(installed[architecture], architecture)
    const pinned = join(installed[architecture], 'node_modules', `node-linux-${architecture}`, 'bin/node')
    programs[architecture] = given[architecture] ? resolve(given[architecture]) : pinned
    await checkProgram(programs[architecture], architecture)
  }
  console.log('Installing what builds the pages …')
  await installAll(sources)
  console.log('Building the pages …')
  await buildPages(sources, source)
  return { sources, installed, programs }
}

const packAll = async (work: string, folder: string, source: Source, built: Built): Promise<void> => {
  const { version, commit, date } = source
  console.log('Packing the shop …')
  const release = {
    name: 'hedgerow',
    version,
    commit,
    date: date.toISOString(),
    builtWith: { node: process.versions.node },
  }
  const shop = join(work, `hedgerow-${version}`)
  await makeShopFolder({ ...built, folder: shop, release })
  await bundlePrograms(shop)
  await writeParts(built.sources, source, join(shop, 'sbom.cdx.json'))
  await packFolder(shop, join(folder, `hedgerow-${version}.tar.gz`), date)
  await copyFile(join(built.sources, 'deploy/install-shop.sh'), join(folder, 'install-shop.sh'))
  await writeParts(built.sources, source, join(folder, `hedgerow-${version}.cdx.json`))
  for (const architecture of ARCHITECTURES) {
    console.log(`Packing the agent for ${architecture} …`)
    const agent = join(work, `hedgerow-agent-${version}-linux-${architecture}`)
    const running = { version, commit }
    await makeAgentFolder({
      root: built.sources,
      folder: agent,
      node: built.programs[architecture],
      architecture,
      running,
    })
    await packFolder(agent, join(folder, `hedgerow-agent-${version}-linux-${architecture}.tar.gz`), date)
  }
}

const writeSums = async (folder: string): Promise<void> => {
  const names = (await readdir(folder)).sort()
  const lines: string[] = []
  for (const name of names) lines.push(`${await sha256Of(join(folder, name))}  ${name}\n`)
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''))
}

const signAll = async (folder: string, keyFile: string): Promise<void> => {
  const key = await readSigningKey(keyFile)
  for (const name of await readdir(folder)) await signFile(join(folder, name), key)
}

/** An empty folder that can be written to, before there is something to lose. */
const makeTarget = async (target: string): Promise<void> => {
  const names = await mkdir(target, { recursive: true })
    .then(() => access(target, constants.W_OK))
    .then(() => readdir(target))
    .catch((error: Error) => {
      throw new ReleaseFault(`The release cannot be written there: ${error.message}`)
    })
  if (names.length > 0)
    throw new ReleaseFault(`${target} is not empty. Move it away, or choose another by --out FOLDER.`)
}

type Wanted = ReturnType<typeof readArguments>

const makeRelease = async (wanted: Wanted, work: string): Promise<void> => {
  const { trial: isTrial, sign, out } = wanted
  // What stands in the way is said before anything takes minutes.
  const source = readSource(ROOT, { isTrial })
  const target = resolve(out ?? join(ROOT, 'release', source.version))
  if (sign) await readSigningKey(sign)
  const given = { x64: wanted['node-x64'], arm64: wanted['node-arm64'] }
  for (const architecture of ARCHITECTURES)
    if (given[architecture]) await checkProgram(given[architecture], architecture)
  await makeTarget(target)
  const { version } = source
  console.log(`Hedgerow ${versionLine(source)}`)

  const folder = join(work, 'release')
  await mkdir(folder)
  const built = await build(work, source, given)
  await packAll(work, folder, source, built)
  const missing = missingForImage()
  const node = built.programs[process.arch as Architecture]
  if (missing === undefined) {
    console.log('Building the image …')
    const name = `hedgerow-${version}-image-${process.arch}.tar`
    await makeImage({
      work: await mkdtemp(join(work, 'image-')),
      folder,
      containerfile: join(built.sources, 'deploy/Containerfile'),
      node,
      source,
      name,
    })
  }
  await writeSums(folder)
  if (sign) await signAll(folder, sign)

  await cp(folder, target, { recursive: true })
  console.log((await readdir(target)).map((name) => join(target, name)).join('\n'))
  if (missing) console.log(`No image was made. ${missing}.`)
}

// Else a folder of the image could be closed to the process that runs in it.
process.umask(0o022)
const work = await mkdtemp(join(tmpdir(), 'hedgerow-release-'))
// Ctrl-C must not leave some gigabytes behind.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    rmSync(work, { recursive: true, force: true })
    process.exit(1)
  })
try {
  const wanted = readArguments()
  if (wanted.help) console.log(USAGE)
  else if (wanted.version) console.log(versionLine())
  else if (wanted['new-key']) console.log(await makeSigningKey(wanted['new-key']))
  else await makeRelease(wanted, work)
} catch (error) {
  if (!(error instanceof ReleaseFault)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  await rm(work, { recursive: true, force: true })
}
