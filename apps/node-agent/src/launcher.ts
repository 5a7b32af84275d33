import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveFault } from '@hedgerow/agent-release/release'
import { readReleaseKey } from '@hedgerow/agent-release/signature'
import { NOT_IN_TIME } from '#upgrade/not-in-time.ts'
import { unpackVersion } from '#upgrade/unpack-version.ts'
import {
  endFileIn,
  readVersionState,
  saveVersionState,
  type VersionState,
  versionsIn,
  withFailure,
} from '#upgrade/version-store.ts'

/**
 * What the unit starts. It lies, with the version that was installed, where only root can write, and becomes the agent: that
 * version, or a later one that the agent has fetched, once it has checked the signature again. A version on trial that has
 * ended too often is not started any more; what ran before it is.
 */
const MOST_STARTS = 3
const ANSWERS_WITHIN_MS = 20_000

const { AGENT_STATE_DIR = '/var/lib/hedgerow-agent', AGENT_RELEASE_KEY = '' } = process.env
const HERE = import.meta.dirname
const versionsDir = versionsIn(AGENT_STATE_DIR)

type Program = { node: string; script: string }
const INSTALLED: Program = { node: process.execPath, script: join(HERE, 'agent.mjs') }

const say = (text: string): void => console.error(`launcher: ${text}`)

/** Throws an ArchiveFault. */
const prepare = async (version: string | null): Promise<Program> => {
  if (version === null) return INSTALLED
  const key = readReleaseKey(AGENT_RELEASE_KEY)
  if (!key) throw new ArchiveFault('there is no AGENT_RELEASE_KEY to check it by')
  const folder = await unpackVersion(versionsDir, version, key)
  const node = join(folder, 'node')
  const { status, error } = spawnSync(node, ['--version'], { timeout: ANSWERS_WITHIN_MS })
  if (status !== 0)
    throw new ArchiveFault(
      `its Node.js does not run on this server${error && 'code' in error ? ` (${error.code})` : ''}`,
    )
  return { node, script: join(folder, 'agent.mjs') }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const lastEnd = (): string => {
  try {
    return readFileSync(endFileIn(versionsDir), 'utf8')
  } catch {
    return 'it gave no reason'
  }
}

const becomes = ({ node, script }: Program, isOnTrial: boolean, notTried?: string): never => {
  const guard = isOnTrial ? ['--import', join(HERE, 'trial-guard.mjs')] : []
  return process.execve?.(node, [node, ...guard, script], {
    ...process.env,
    AGENT_LAUNCHER: 'on',
    ...(notTried === undefined ? {} : { AGENT_NOT_TRIED: notTried }),
    AGENT_VERSIONS_DIR: versionsDir,
  }) as never
}

/** Becomes the version on trial, if there is one that may be tried once more. Returns what stands when it may not. */
const tryNew = async (state: VersionState): Promise<VersionState> => {
  const { trial } = state
  if (!trial) return state
  const giveUp = async (why: string): Promise<VersionState> => {
    say(`${trial.version ?? 'the installed version'} is given up: ${why}`)
    const rest = withFailure(state, why)
    await saveVersionState(versionsDir, rest)
    return rest
  }
  if (trial.starts >= MOST_STARTS) return giveUp(`it ended ${trial.starts} times: ${lastEnd()}`)
  if (trial.starts > 0 && lastEnd() === NOT_IN_TIME) return giveUp(NOT_IN_TIME)
  // What cannot be counted is not tried.
  await saveVersionState(versionsDir, { ...state, trial: { ...trial, starts: trial.starts + 1 } })
  const program = await prepare(trial.version).catch((error: unknown) => wordsOf(error))
  return typeof program === 'string' ? giveUp(program) : becomes(program, true)
}

const known = readVersionState(versionsDir)
// On a full disk nothing can be noted: what runs instead is told, lest it take the trial for its own.
let notTried: string | undefined
const state = await tryNew(known).catch((error: unknown) => {
  notTried = wordsOf(error)
  say(`nothing new is tried: ${notTried}`)
  return known
})
const program = await prepare(state.current).catch((error: unknown) => {
  say(`${state.current} cannot be started, the installed version is: ${wordsOf(error)}`)
  return INSTALLED
})
becomes(program, false, notTried)
