import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { checkProgram, makeAgentFolder } from './agent.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'hedgerow-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a packed agent knows its version, wherever it is unpacked', async () => {
  const folder = join(aFolder(), 'agent')
  const node = join(folder, '../node')
  writeFileSync(node, 'a program')
  const running = { version: '1.2.0', commit: 'c0ffee0000000000000000000000000000000000' }
  await makeAgentFolder({ root: ROOT, folder, node, architecture: 'arm64', running })
  const said = execFileSync(process.execPath, [join(folder, 'agent.mjs'), '--version'], { encoding: 'utf8' })
  expect(said).toBe('1.2.0 (c0ffee00)\n')
  expect(JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8'))).toEqual({
    name: 'hedgerow-agent',
    ...running,
    platform: 'linux',
    arch: 'arm64',
  })
})

test('a Node.js for another architecture, an older one, or none at all, is refused', async () => {
  const file = join(aFolder(), 'node')
  const head = Buffer.alloc(64)
  head.write('\x7fELF', 'latin1')
  head.writeUInt16LE(183, 18)
  const write = (version: string) =>
    writeFileSync(
      file,
      Buffer.concat([head, Buffer.from(`https://nodejs.org/download/release/${version}/node`)]),
    )
  write('v24.21.0')
  await expect(checkProgram(file, 'arm64')).resolves.toBeUndefined()
  await expect(checkProgram(file, 'x64')).rejects.toThrow(`${file} is no program for Linux on x64.`)
  for (const other of ['v22.11.0', 'of another program']) {
    write(other)
    await expect(checkProgram(file, 'arm64')).rejects.toThrow(`${file} is no Node.js 24 or newer.`)
  }
  writeFileSync(file, '#!/bin/sh\n')
  await expect(checkProgram(file, 'x64')).rejects.toThrow(/is no program/)
  for (const unreadable of ['/nowhere', aFolder()])
    await expect(checkProgram(unreadable, 'x64')).rejects.toThrow(/^The Node\.js for x64 cannot be read: E/)
})
