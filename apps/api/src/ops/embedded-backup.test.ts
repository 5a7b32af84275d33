import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { findRunning, startPostgres } from '@hedgerow/embedded-postgres/start'
import { startApiProcess } from '@hedgerow/testing/api-process'
import { aFolder } from '@hedgerow/testing/backups'
import { runOps } from '@hedgerow/testing/ops'
import { describe, expect, onTestFinished, test } from 'vitest'

describe('on the embedded database', { timeout: 120_000 }, () => {
  const dataFolder = async () => {
    const folder = await aFolder()
    onTestFinished(async () => {
      if (await findRunning(folder)) await (await startPostgres({ dataDir: folder })).stop()
    })
    return folder
  }
  const startShop = async (folder: string) =>
    startApiProcess({
      DATA_DIR: folder,
      PORT: String(await freePort()),
      METRICS_PORT: '0',
      RATE_LIMIT_SCALE: '0',
      LOG_LEVEL: 'silent',
    })

  test('a backup is taken beside the shop and without it, and becomes a shop in a new folder', async () => {
    const [old, fresh, files] = [await dataFolder(), await dataFolder(), await aFolder()]
    const shop = await startShop(old)
    const signup = {
      name: 'Ada',
      email: 'ada@example.org',
      signupPassword: 'a wren in the hedge 42',
      acceptTerms: true,
    }
    expect((await shop.call('POST', '/api/v1/user/create', { body: signup })).status).toBeLessThan(300)
    const beside = join(files, 'beside')
    expect(await runOps({ DATA_DIR: old }, 'backup', beside)).toMatchObject({ code: 0, err: '' })
    const busy = await runOps({ DATA_DIR: old }, 'restore', beside, '--yes')
    expect(busy.err).toMatch(/is in use by another running shop/)
    expect(busy.code).not.toBe(0)
    expect((await shop.call('GET', '/readyz')).status).toBe(200)
    await shop.stop()
    const without = join(files, 'without')
    expect((await runOps({ DATA_DIR: old }, 'backup', without)).code).toBe(0)
    expect(await findRunning(old)).toBeUndefined()

    await mkdir(fresh, { recursive: true })
    const keyless = await runOps({ DATA_DIR: fresh }, 'restore', without, '--yes')
    expect(keyless.err).toMatch(/there is no .*key-encryption-key/)
    expect(keyless.code).toBe(2)
    await writeFile(join(fresh, 'key-encryption-key'), await readFile(join(old, 'key-encryption-key')))
    expect(await runOps({ DATA_DIR: fresh }, 'restore', without, '--yes')).toMatchObject({ code: 0, err: '' })
    expect(await findRunning(fresh)).toBeUndefined()
    const again = await startShop(fresh)
    const taken = await again.call('POST', '/api/v1/user/create', { body: signup })
    expect(taken.status).toBe(406)
    expect(await again.stop()).toBe(0)
  })
})
