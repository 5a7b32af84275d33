import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findRunning } from '@hedgerow/embedded-postgres/start'
import { describe, expect, test } from 'vitest'
import { aFolder } from '#testing/backups.ts'
import { aDataFolder, aUsedDataFolder, startEmbeddedShop } from '#testing/embedded-shop.ts'
import { runOpsProgram } from '#testing/ops.ts'

describe('on the embedded database', { timeout: 120_000 }, () => {
  test('a backup is taken beside the shop and without it, and becomes a shop in a new folder', async () => {
    const [old, fresh, files] = [await aUsedDataFolder(), await aDataFolder(), await aFolder()]
    const shop = await startEmbeddedShop(old)
    const signup = {
      name: 'Ada',
      email: 'ada@example.org',
      signupPassword: 'a wren in the hedge 42',
      acceptTerms: true,
    }
    expect((await shop.call('POST', '/api/v1/user/create', { body: signup })).status).toBeLessThan(300)
    const beside = join(files, 'beside')
    expect(await runOpsProgram({ DATA_DIR: old }, 'backup', beside)).toMatchObject({ code: 0, err: '' })
    const busy = await runOpsProgram({ DATA_DIR: old }, 'restore', beside, '--yes')
    expect(busy.err).toMatch(/is in use by another running shop/)
    expect(busy.code).not.toBe(0)
    expect((await shop.call('GET', '/readyz')).status).toBe(200)
    await shop.stop()
    const without = join(files, 'without')
    expect((await runOpsProgram({ DATA_DIR: old }, 'backup', without)).code).toBe(0)
    expect(await findRunning(old)).toBeUndefined()

    await mkdir(fresh, { recursive: true })
    const keyless = await runOpsProgram({ DATA_DIR: fresh }, 'restore', without, '--yes')
    expect(keyless.err).toMatch(/There is no .*key-encryption-key/)
    expect(keyless.code).toBe(2)
    await writeFile(join(fresh, 'key-encryption-key'), await readFile(join(old, 'key-encryption-key')))
    expect(await runOpsProgram({ DATA_DIR: fresh }, 'restore', without, '--yes')).toMatchObject({
      code: 0,
      err: '',
    })
    expect(await findRunning(fresh)).toBeUndefined()
    const again = await startEmbeddedShop(fresh)
    const taken = await again.call('POST', '/api/v1/user/create', {
      body: { ...signup, signupPassword: 'another wren in the ivy' },
    })
    expect(taken.status).toBe(406)
    expect(await again.stop()).toBe(0)
  })
})
