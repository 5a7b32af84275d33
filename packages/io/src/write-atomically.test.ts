import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writeAtomically, writeAtomicallySync } from './write-atomically.ts'

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-atomic-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const ways = {
  writeAtomically: (path: string, text: string) => writeAtomically(path, (handle) => handle.writeFile(text)),
  writeAtomicallySync: async (path: string, text: string) => writeAtomicallySync(path, text),
}

describe.each(Object.entries(ways))('%s', (_, write) => {
  test('makes a file and replaces it, for its owner’s eyes only', async () => {
    const folder = aFolder()
    const path = join(folder, 'state')
    for (const text of ['first', 'second']) {
      await write(path, text)
      expect(readFileSync(path, 'utf8')).toBe(text)
    }
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['state'])
  })

  test('takes the place of what a crash left unfinished', async () => {
    const folder = aFolder()
    writeFileSync(join(folder, 'state.next'), 'a half that is longer than the whole')
    await write(join(folder, 'state'), 'whole')
    expect(readFileSync(join(folder, 'state'), 'utf8')).toBe('whole')
    expect(readdirSync(folder)).toEqual(['state'])
  })

  test('leaves nothing behind where the file cannot have its name', async () => {
    const folder = aFolder()
    mkdirSync(join(folder, 'state', 'inside'), { recursive: true })
    await expect(write(join(folder, 'state'), 'whole')).rejects.toThrow()
    expect(readdirSync(folder)).toEqual(['state'])
  })
})

test('a file is the old one until the new one is whole, and stays it if that fails', async () => {
  const folder = aFolder()
  const path = join(folder, 'state')
  writeAtomicallySync(path, 'old')
  const failing = writeAtomically(path, async (handle) => {
    await handle.writeFile('half')
    expect(readFileSync(path, 'utf8')).toBe('old')
    throw new Error('the disk is full')
  })
  await expect(failing).rejects.toThrow('the disk is full')
  expect(readFileSync(path, 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['state'])
})
