/**
 * `npm run check:upgrade`: the last release's tests of the API, run by that release's own code on the database of this
 * version, as its processes meet it in the middle of an upgrade. Part of making a release (docs/releasing.md).
 */
import { spawn, spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TEMPLATE = 'apps/api/src/testing/template-database.ts'
const MIGRATE_BY = 'apps/api/src/testing/migrate-template.ts'
const USAGE = `npm run check:upgrade [-- [--from COMMIT] [file …]]
  --from COMMIT  instead of the last release, the last tag v* before this commit
  file …         only these tests, instead of all of the API's`

/** They are about what a version does to its own database, or reads of its own files, not about an upgrade's. */
const OF_ONE_VERSION = [
  'apps/api/src/platform/database/**',
  'apps/api/src/care/backup/**',
  'apps/api/src/desk/commands/{backup,restore,damaged-backup,signed-backup,embedded-backup}.test.ts',
  'apps/api/src/demo/**',
  // These look at all tables there are.
  'apps/api/src/desk/profile/export-everything.test.ts',
]

const readArguments = () => {
  try {
    return parseArgs({ options: { from: { type: 'string' } }, allowPositionals: true })
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`)
    return process.exit(2)
  }
}

const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })

/** Not a tag of this very commit: that would be the release which is being made. */
const lastRelease = (): string | undefined => {
  const { status, stdout } = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^')
  return status === 0 ? stdout.trim() : undefined
}

const run = (cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  new Promise<number>((ended) => {
    const child = spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => ended(127))
    child.on('exit', (code) => ended(code ?? 1))
  })

/** A release from before it could be asked for another version's database gets how that is done from this one. */
const letMigrate = async (folder: string): Promise<void> => {
  const text = await readFile(join(folder, TEMPLATE), 'utf8')
  if (!text.includes('TEST_MIGRATE_BY')) await copyFile(join(ROOT, TEMPLATE), join(folder, TEMPLATE))
}

const testIn = async (folder: string, files: readonly string[]): Promise<number> => {
  const install = ['ci', '--include=dev', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  if ((await run(folder, 'npm', install)) !== 0) return 1
  await letMigrate(folder)
  const tests = files.length > 0 ? files : ['apps/api']
  const excluded = OF_ONE_VERSION.map((pattern) => `--exclude=${pattern}`)
  const vitest = [
    'scripts/with-node.mjs',
    'node_modules/.bin/vitest',
    'run',
    '--project=node',
    ...excluded,
    ...tests,
  ]
  return run(folder, process.execPath, vitest, { TEST_MIGRATE_BY: join(ROOT, MIGRATE_BY) })
}

const { values, positionals } = readArguments()
const release = values.from ?? lastRelease()
if (release === undefined) {
  console.log(
    'There is no release before this one (no tag v*), so there is nothing to try. --from takes a commit.',
  )
  process.exit(0)
}
const parent = await mkdtemp(join(tmpdir(), 'hedgerow-upgrade-'))
const folder = join(parent, 'release')
// Ctrl-C reaches what runs by itself; what it leaves is tidied up here.
process.on('SIGINT', () => undefined)
try {
  const { status, stderr } = git('worktree', 'add', '--detach', folder, release)
  if (status !== 0) {
    console.error(`${release} cannot be checked out: ${stderr.trim()}`)
    process.exitCode = 2
  } else {
    console.log(`The tests of ${release}, on the database of this version:`)
    process.exitCode = await testIn(folder, positionals)
    console.log(
      process.exitCode === 0
        ? `Passed: ${release} runs on the database of this version.`
        : `Failed: ${release} does not run on the database of this version as it did on its own.`,
    )
  }
} finally {
  git('worktree', 'remove', '--force', folder)
  await rm(parent, { recursive: true, force: true })
}
