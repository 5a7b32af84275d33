import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const read = (path: string) => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** Processes that were started with this setting, and what they are. */
const startedWith = (setting: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).split('\0').includes(setting))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' '))

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux).concurrent.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s to npm ends all that it started, the database too',
  async (signal, { expect, onTestFinished }) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hedgerow-stop-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const env = {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: String(await freePort()),
      GATE_URL: '',
      SMTP_URL: '',
    }
    const npm = spawn('npm', ['run', 'demo', '--', '--customers', '20', '--days', '2'], {
      cwd: root,
      env,
      stdio: 'ignore',
      detached: true,
    })
    const server = join(dataDir, 'postgres/cluster/postmaster.pid')
    await expect.poll(() => existsSync(server)).toBe(true)
    const ended = once(npm, 'exit')
    npm.kill(signal)
    await ended
    await expect.poll(() => startedWith(`DATA_DIR=${dataDir}`)).toEqual([])
    expect(existsSync(server)).toBe(false)
  },
)
