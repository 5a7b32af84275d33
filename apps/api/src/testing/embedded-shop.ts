import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import { freePort } from '@hedgerow/testing/free-port'
import { oncePerRun } from '@hedgerow/testing/once-per-run'
import { onTestFinished } from 'vitest'
import { startApiProcess } from '#testing/api-process.ts'
import { openDataFolder } from '#testing/template-database.ts'

const run = promisify(execFile)

/** For the data of a shop on the embedded database, which is ended with the test, no matter who began it. */
export const aDataFolder = async (): Promise<string> => {
  const { dataDir, remove } = await openDataFolder()
  onTestFinished(remove)
  onTestFinished(async () => {
    if (await findRunning(dataDir)) await (await startPostgres({ dataDir })).stop()
  })
  return dataDir
}

/** With what belongs to the database's own user. */
const copy = (from: string, to: string) =>
  run('cp', ['-a', `${from}/postgres`, `${from}/key-encryption-key`, to])

/** The same of a shop that has been started before: a first start takes longer than all that follows. */
export const aUsedDataFolder = async (): Promise<string> => {
  const used = await oncePerRun('used-data', async (kept) => {
    const folder = await aDataFolder()
    await (await startEmbeddedShop(folder)).stop()
    await copy(folder, kept)
  })
  const folder = await aDataFolder()
  await copy(used, folder)
  return folder
}

/** A shop in a process of its own, on the database in its folder. */
export const startEmbeddedShop = async (folder: string) =>
  startApiProcess({
    DATA_DIR: folder,
    PORT: String(await freePort()),
    METRICS_PORT: '0',
    CONSOLE_PORT: 'off',
    RATE_LIMIT_SCALE: '0',
    LOG_LEVEL: 'silent',
  })
