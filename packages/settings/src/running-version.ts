import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type RunningVersion = {
  version: string
  /** In full; null where neither a release nor git says it. */
  commit: string | null
}

/** What `npm run release` puts in the place of the name in a program of one file. */
declare const BUILT_IN_VERSION: RunningVersion | undefined

const ROOT = new URL('../../../', import.meta.url)

const readJson = (url: URL): unknown => JSON.parse(readFileSync(url, 'utf8'))

/** Of the clone that the process runs in. */
const commitOfClone = (): string | null => {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--verify', 'HEAD'], {
    cwd: fileURLToPath(ROOT),
    encoding: 'utf8',
    timeout: 5_000,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return status === 0 ? stdout.trim() : null
}

const readVersion = (): RunningVersion => {
  if (typeof BUILT_IN_VERSION !== 'undefined') return BUILT_IN_VERSION
  const release = new URL('release.json', ROOT)
  if (existsSync(release)) {
    const { version, commit } = readJson(release) as RunningVersion
    return { version, commit }
  }
  const { version } = readJson(new URL('package.json', ROOT)) as RunningVersion
  return { version, commit: existsSync(new URL('.git', ROOT)) ? commitOfClone() : null }
}

let known: RunningVersion | undefined

/** What runs: a release says so in its release.json, a clone by its package.json and git. */
export const runningVersion = (): RunningVersion => (known ??= readVersion())

const SHORT_COMMIT = 8

/** For people: `1.0.0 (1cf34a1e)`. */
export const versionLine = ({ version, commit }: RunningVersion = runningVersion()): string =>
  commit ? `${version} (${commit.slice(0, SHORT_COMMIT)})` : version
