import { mkdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { releaseIn } from '@hedgerow/agent-release/read-archive'
import { ArchiveFault, isNewer, isVersion } from '@hedgerow/agent-release/release'
import { readReleaseKey } from '@hedgerow/agent-release/signature'
import type { AgentUpgrade, AgentUpgradeReport } from '@hedgerow/contract/agents'
import { LONGEST_UPGRADE_REASON } from '@hedgerow/domain/node-upgrades'
import { runningVersion } from '@hedgerow/settings/running-version'
import { createBackoff, pause } from '#runtime/backoff.ts'
import type { Log } from '#runtime/log.ts'
import type { Timings } from '#runtime/timings.ts'
import type { Settings } from '#settings.ts'
import { type ShopClient, ShopRefusal } from '#shop/shop-client.ts'
import { fetchArchive } from '#upgrade/fetch-archive.ts'
import { checkRelease, readSigned } from '#upgrade/unpack-version.ts'
import {
  archiveOf,
  pruneVersions,
  readVersionState,
  saveVersionState,
  signatureFileOf,
  sizeOf,
  versionsIn,
} from '#upgrade/version-store.ts'

type Parts = {
  settings: Pick<Settings, 'stateDir' | 'releaseKey' | 'hasLauncher'>
  shop: ShopClient
  timings: Timings
  /** What does not work with the version that runs, each in a sentence. */
  faults: () => readonly string[]
  /** Ends the agent as a crash does: tunnels stay, and the launcher starts what is to run now. */
  leave: () => void
  log: Log
  signal: AbortSignal
}

/** It will not be tried; the words are for operators. */
class Refused extends Error {}
/** The shop takes the offer back. */
class Withdrawn extends Error {}

type Offer = Extract<AgentUpgrade, { kind: 'archive' }>

/** An archive, what is unpacked of it, and some room for everything else. */
const DISK_FACTOR = 6

/** Each call until it is answered; a shop that does not know the upgrade any more has taken it back. */
const untilAnswered = async <T>({ timings, log, signal }: Parts, call: () => Promise<T>): Promise<T> => {
  const backoff = createBackoff(timings.longestPauseMs)
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (signal.aborted) throw error
      if (error instanceof ShopRefusal && error.status < 500 && error.status !== 429) throw new Withdrawn()
      if ((error as NodeJS.ErrnoException).syscall) throw error
      log.warn({ err: error }, 'An upgrade waits for the shop')
      await pause(backoff.next(), signal)
    }
  }
}

const report = (parts: Parts, said: AgentUpgradeReport): Promise<void> =>
  untilAnswered(parts, () => parts.shop.upgradeReport(said))

const incomingIn = (versionsDir: string, id: string): string => join(versionsDir, `${id}.incoming`)

/** Whether it may be tried at all, before anything is fetched. */
const judge = async (
  { settings }: Parts,
  versionsDir: string,
  { version, arch, bytes }: Offer,
): Promise<void> => {
  const runs = runningVersion().version
  if (arch !== process.arch)
    throw new Refused(`the archive is for ${arch}, and this server is ${process.arch}`)
  if (!isVersion(runs) || !isNewer(version, runs))
    throw new Refused(`${version} is not newer than ${runs}, which runs`)
  if (!settings.hasLauncher) throw new Refused('the agent was not started by its launcher')
  const { bavail, bsize } = await statfs(versionsDir)
  if (bavail * bsize < bytes * DISK_FACTOR) throw new Refused('there is too little room on the disk')
}

/** Fetches an archive, and puts it where the launcher looks once it has been checked as the launcher will. */
const take = async (parts: Parts, versionsDir: string, offer: Offer): Promise<void> => {
  const { releaseKey = '' } = parts.settings
  const key = readReleaseKey(releaseKey)
  if (!key) throw new Refused('this node has no release key')
  await judge(parts, versionsDir, offer)
  const { id, version, signature } = offer
  // What is left of another is of no use.
  const incoming = incomingIn(versionsDir, id)
  if ((await sizeOf(incoming)) === 0) await pruneVersions(versionsDir, readVersionState(versionsDir))
  await report(parts, { upgrade: id, state: 'downloading', reason: null })
  await untilAnswered(parts, () => fetchArchive(parts.shop, offer, incoming))
  try {
    const release = await releaseIn(await readSigned(incoming, signature, key))
    checkRelease(release, version)
  } catch (error) {
    await rm(incoming, { force: true })
    throw error instanceof ArchiveFault ? new Refused(`the archive cannot be used: ${error.message}`) : error
  }
  await writeFile(signatureFileOf(versionsDir, version), `${signature}\n`, { mode: 0o600, flush: true })
  await rename(incoming, archiveOf(versionsDir, version))
}

const begin = async (
  parts: Parts,
  versionsDir: string,
  id: string,
  version: string | null,
): Promise<void> => {
  const { current, former } = readVersionState(versionsDir)
  await report(parts, { upgrade: id, state: 'installing', reason: null })
  const trial = { id, version, starts: 0, faults: [...parts.faults()] }
  await saveVersionState(versionsDir, { current, ...(former === undefined ? {} : { former }), trial })
  parts.log.info({ version }, 'The agent leaves, for another version of it to be tried')
  parts.leave()
}

const goBack = async (parts: Parts, versionsDir: string, id: string): Promise<void> => {
  const { former } = readVersionState(versionsDir)
  if (!parts.settings.hasLauncher) throw new Refused('the agent was not started by its launcher')
  if (former === undefined) throw new Refused('it has no version to go back to')
  await begin(parts, versionsDir, id, former)
}

/** Takes what the shop offers, one at a time, and each once. */
export const createUpgrader = (parts: Parts) => {
  const { settings, log, signal } = parts
  const versionsDir = versionsIn(settings.stateDir)
  const { trial, outcome } = readVersionState(versionsDir)
  /** One that is on trial, or that the shop has not heard the end of, is not begun again. */
  let known = trial?.id ?? outcome?.id
  let isBusy = false

  const handle = async (upgrade: AgentUpgrade): Promise<void> => {
    try {
      await mkdir(versionsDir, { recursive: true, mode: 0o700 })
      if (upgrade.kind === 'back') return await goBack(parts, versionsDir, upgrade.id)
      await take(parts, versionsDir, upgrade)
      await begin(parts, versionsDir, upgrade.id, upgrade.version)
    } catch (error) {
      if (signal.aborted) return
      // It is not gone on with; on a full disk its room is wanted.
      await rm(incomingIn(versionsDir, upgrade.id), { force: true })
      if (error instanceof Withdrawn) return log.info('The shop has taken an upgrade back')
      const isRefusal = error instanceof Refused
      const reason = (error as Error).message.slice(0, LONGEST_UPGRADE_REASON)
      log.error({ reason }, 'An upgrade is not tried')
      await report(parts, { upgrade: upgrade.id, state: isRefusal ? 'refused' : 'failed', reason })
    }
  }

  return {
    /** What a question to the shop says of the agent. */
    about: (): Record<string, string> => ({
      version: runningVersion().version,
      arch: process.arch,
      upgrades: settings.releaseKey && settings.hasLauncher ? 'on' : 'off',
      ...(known ? { upgrade: known } : {}),
    }),
    offer: (upgrade: AgentUpgrade): void => {
      if (isBusy || upgrade.id === known || signal.aborted) return
      known = upgrade.id
      isBusy = true
      handle(upgrade)
        .catch((error) => {
          if (!signal.aborted && !(error instanceof Withdrawn))
            log.error({ err: error }, 'An upgrade has failed')
        })
        .finally(() => {
          isBusy = false
        })
    },
  }
}
