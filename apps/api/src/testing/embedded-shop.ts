import { freePort } from '@hedgerow/embedded-postgres/ports'
import { findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import { onTestFinished } from 'vitest'
import { startApiProcess } from '#testing/api-process.ts'
import { aFolder } from '#testing/backups.ts'

/** For the data of a shop on the embedded database, which is ended with the test, no matter who began it. */
export const aDataFolder = async (): Promise<string> => {
  const folder = await aFolder()
  onTestFinished(async () => {
    if (await findRunning(folder)) await (await startPostgres({ dataDir: folder })).stop()
  })
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
