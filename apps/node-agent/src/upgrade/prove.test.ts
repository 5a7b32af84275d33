import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { TIMINGS } from '#runtime/timings.ts'
import { proveItself } from '#upgrade/prove.ts'
import { readVersionState, saveVersionState, versionsIn } from '#upgrade/version-store.ts'

test('the version that runs because the next could not be tried does not pass for that one', async () => {
  const stateDir = mkdtempSync(join(tmpdir(), 'hedgerow-prove-'))
  onTestFinished(() => rmSync(stateDir, { recursive: true }))
  const trial = { id: 'an-upgrade', version: '1.2.0', starts: 1, faults: [] }
  await saveVersionState(versionsIn(stateDir), { current: '1.1.0', trial })
  vi.stubEnv('AGENT_NOT_TRIED', 'ENOSPC: no space left on device, write')
  onTestFinished(() => void vi.unstubAllEnvs())
  const upgradeReport = vi.fn(async () => undefined)
  await proveItself({
    stateDir,
    shop: { upgradeReport } as never,
    timings: TIMINGS,
    isWrong: () => [],
    leave: () => undefined,
    log: { warn: vi.fn(), info: vi.fn(), error: vi.fn() } as never,
    signal: new AbortController().signal,
  })
  const reason = 'it could not be tried: ENOSPC: no space left on device, write'
  expect(upgradeReport).toHaveBeenLastCalledWith({ upgrade: 'an-upgrade', state: 'failed', reason })
  expect(readVersionState(versionsIn(stateDir))).toEqual({ current: '1.1.0' })
})
