import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writePages } from '#server/write-pages.ts'

test('a folder that holds anything else is left as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-pages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'photo.jpg'), '')
  await expect(writePages(folder)).rejects.toThrow(/PAGES_DIR, .*: it holds photo\.jpg/)
  await expect(writePages(join(folder, 'photo.jpg'))).rejects.toThrow('ENOTDIR')
  expect(readdirSync(folder)).toEqual(['photo.jpg'])
})
