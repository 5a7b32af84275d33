import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import type { DemoAgent } from '#demo/places.ts'
import { StartError } from '#platform/start-error.ts'

/** What is written of a demonstration shop beside its data. */
export type DemoFile = { seed: number; customers: number; days: number; madeAt: string; agents: DemoAgent[] }

const MADE = 'demo.json'
const UNFINISHED = 'demo-unfinished.json'

export const isMade = (dataDir: string): boolean => existsSync(join(dataDir, MADE))

const isOurs = (dataDir: string) =>
  !existsSync(dataDir) || readdirSync(dataDir).length === 0 || existsSync(join(dataDir, UNFINISHED))

/**
 * An empty folder to make it in. What an interrupted start has left goes; anything else that is there is someone's shop, and
 * is not touched.
 */
export const beginFolder = async (dataDir: string): Promise<void> => {
  if (!isOurs(dataDir))
    throw new StartError(
      `${dataDir} holds something other than a demonstration shop. Leave DATA_DIR out, or set it to another folder.`,
    )
  // A process that was killed has left its server running.
  if (await findRunning(dataDir).catch(() => undefined)) await (await startPostgres({ dataDir })).stop()
  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFile(join(dataDir, UNFINISHED), '{}')
}

export const noteMaking = (dataDir: string, made: DemoFile): Promise<void> =>
  writeFile(join(dataDir, UNFINISHED), JSON.stringify(made), { mode: 0o600 })

export const readMaking = async (dataDir: string): Promise<DemoFile> =>
  JSON.parse(await readFile(join(dataDir, UNFINISHED), 'utf8'))

export const readMade = async (dataDir: string): Promise<DemoFile> =>
  JSON.parse(await readFile(join(dataDir, MADE), 'utf8'))

/** From now on a start only opens it. */
export const endFolder = (dataDir: string): Promise<void> =>
  rename(join(dataDir, UNFINISHED), join(dataDir, MADE))
