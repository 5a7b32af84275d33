import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const LAUNCHER = fileURLToPath(new URL('launcher.ts', import.meta.url))

/** Starts it where a version was tried so often, and ended so. There is no installed one beside the sources. */
const launch = (starts: number, lastEnd: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const versions = join(folder, 'versions')
  mkdirSync(versions)
  const trial = { id: 'an-upgrade', version: '1.2.0', starts, faults: [] }
  writeFileSync(join(versions, 'state.json'), JSON.stringify({ current: null, trial }))
  writeFileSync(join(versions, 'last-end'), lastEnd)
  spawnSync(process.execPath, [LAUNCHER], { env: { ...process.env, AGENT_STATE_DIR: folder } })
  const { outcome } = JSON.parse(readFileSync(join(versions, 'state.json'), 'utf8'))
  return outcome?.reason
}

test('a version on trial that ended three times is not started again', () => {
  expect(launch(3, 'TypeError: broken')).toBe('it ended 3 times: TypeError: broken')
})

test('one that hung is not started a second time', () => {
  const why = 'it did not prove itself in time, and did not say why'
  expect(launch(1, why)).toBe(why)
})
