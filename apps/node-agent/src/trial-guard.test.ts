import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const GUARD = fileURLToPath(new URL('trial-guard.ts', import.meta.url))

const guarded = (program: string, ms: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-guard-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'state.json'), '{"current":null,"trial":{}}')
  const { status, signal } = spawnSync(process.execPath, ['--import', GUARD, '-e', program], {
    env: { ...process.env, AGENT_VERSIONS_DIR: folder, AGENT_TRIAL_MS: String(ms) },
  })
  return { status, signal, said: readFileSync(join(folder, 'last-end'), 'utf8') }
}

test('a version on trial that hangs is ended', () => {
  const said = 'it did not prove itself in time, and did not say why'
  expect(guarded('for (;;);', 500)).toEqual({ status: null, signal: 'SIGKILL', said })
})

test('and one that ends says why', () => {
  expect(guarded('throw new TypeError("broken")', 60_000)).toMatchObject({
    status: 1,
    said: 'TypeError: broken',
  })
  expect(guarded('process.exit(7)', 60_000)).toMatchObject({ status: 7, said: 'it ended with code 7' })
})
