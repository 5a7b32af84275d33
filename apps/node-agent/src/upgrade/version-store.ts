import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isNewer, isVersion } from '@hedgerow/agent-release/release'
import { LONGEST_UPGRADE_REASON } from '@hedgerow/domain/node-upgrades'
import { writeAtomically } from '@hedgerow/io/write-atomically'
import * as z from 'zod/mini'

/** Null: what install-agent.sh put in place. */
const Kept = z.nullable(z.string().check(z.refine(isVersion)))

const Trial = z.object({
  /** Of the upgrade. */
  id: z.string(),
  version: Kept,
  starts: z.int(),
  /** What the version before it could not do either. */
  faults: z.array(z.string()),
})
export type Trial = z.infer<typeof Trial>

const Outcome = z.object({
  id: z.string(),
  state: z.enum(['done', 'failed']),
  reason: z.nullable(z.string()),
})
export type Outcome = z.infer<typeof Outcome>

const VersionState = z.object({
  /** What runs when nothing is on trial. */
  current: Kept,
  /** What ran before, and was well. */
  former: z.optional(Kept),
  trial: z.optional(Trial),
  /** What has not been reported to the shop yet. */
  outcome: z.optional(Outcome),
})
export type VersionState = z.infer<typeof VersionState>

export const versionsIn = (stateDir: string): string => join(stateDir, 'versions')
const stateFileIn = (versionsDir: string): string => join(versionsDir, 'state.json')
/** Why a version on trial ended, in its own words or those of its guard. */
export const endFileIn = (versionsDir: string): string => join(versionsDir, 'last-end')
export const archiveOf = (versionsDir: string, version: string): string =>
  join(versionsDir, `${version}.tar.gz`)
export const signatureFileOf = (versionsDir: string, version: string): string =>
  `${archiveOf(versionsDir, version)}.sig`

/** One that is damaged leads back to what install-agent.sh put in place. */
export const readVersionState = (versionsDir: string): VersionState => {
  try {
    return VersionState.parse(JSON.parse(readFileSync(stateFileIn(versionsDir), 'utf8')))
  } catch {
    return { current: null }
  }
}

export const saveVersionState = async (versionsDir: string, state: VersionState): Promise<void> => {
  await mkdir(versionsDir, { recursive: true, mode: 0o700 })
  await writeAtomically(stateFileIn(versionsDir), (handle) => handle.writeFile(`${JSON.stringify(state)}\n`))
}

/** What is started next is a later version than the one that runs. */
export const leadsOn = ({ trial }: VersionState, runs: string): boolean =>
  typeof trial?.version === 'string' && isVersion(runs) && isNewer(trial.version, runs)

/** Ends a trial: what ran before it runs again. */
export const withFailure = ({ trial, ...rest }: VersionState, why: string): VersionState =>
  trial
    ? { ...rest, outcome: { id: trial.id, state: 'failed', reason: why.slice(0, LONGEST_UPGRADE_REASON) } }
    : rest

export const withSuccess = ({ trial, ...rest }: VersionState): VersionState =>
  trial
    ? {
        current: trial.version,
        former: rest.current,
        outcome: { id: trial.id, state: 'done', reason: null },
      }
    : rest

/** Deletes what is neither run nor gone back to. */
export const pruneVersions = async (
  versionsDir: string,
  { current, former }: VersionState,
): Promise<void> => {
  const kept = new Set([stateFileIn(versionsDir)])
  for (const version of [current, former])
    if (version) {
      kept.add(join(versionsDir, version))
      kept.add(archiveOf(versionsDir, version))
      kept.add(signatureFileOf(versionsDir, version))
    }
  for (const name of await readdir(versionsDir)) {
    const path = join(versionsDir, name)
    if (!kept.has(path)) await rm(path, { recursive: true, force: true })
  }
}

/** Bytes of a file that may not be there. */
export const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Why this process ends, for the launcher that starts the next. Only a version on trial is asked. */
export const noteEnd = (error: unknown): void => {
  const { AGENT_VERSIONS_DIR } = process.env
  if (!AGENT_VERSIONS_DIR || !readVersionState(AGENT_VERSIONS_DIR).trial) return
  try {
    const why = error instanceof Error ? error.message : String(error)
    writeFileSync(endFileIn(AGENT_VERSIONS_DIR), why.split('\n')[0] ?? '', { mode: 0o600, flag: 'wx' })
  } catch {
    // There is one, or none can be written.
  }
}
