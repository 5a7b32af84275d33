import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTimeFile } from '#state/last-time.ts'

test('the time is kept, by several at once too, and what keeps it from being written is said until it is', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'hedgerow-time-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const stateDir = join(dir, 'state')
  await writeFile(stateDir, 'no folder')
  const file = createTimeFile(stateDir, { now: () => 1_234.5, isKnown: () => true })
  await file.save()
  expect(file.faults()).toEqual([expect.stringContaining(`Nothing can be written to ${stateDir} (ENOTDIR)`)])
  await rm(stateDir)
  await mkdir(stateDir)
  await Promise.all(Array.from({ length: 5 }, file.save))
  expect(file.faults()).toEqual([])
  expect(await readFile(join(stateDir, 'time'), 'utf8')).toBe('1234')
})
