import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { round } from './measure.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const GIVE_UP_S = 300

/** Seconds from `npm start` until the shop answers; the shop is stopped again. */
const secondsUntilOpen = async (folder: string): Promise<number> => {
  const port = await freePort()
  const env = {
    ...process.env,
    PORT: String(port),
    SANDBOX_PORT: String(await freePort()),
    METRICS_PORT: '0',
    CONSOLE_PORT: 'off',
  }
  const start = performance.now()
  const shop = spawn('npm', ['start'], { cwd: folder, env, stdio: 'ignore', detached: true })
  const exit = once(shop, 'exit')
  const seconds = () => (performance.now() - start) / 1000
  let isOpen = false
  while (!isOpen && seconds() < GIVE_UP_S) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    isOpen = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  const taken = seconds()
  process.kill(-(shop.pid as number), 'SIGTERM')
  await exit
  if (!isOpen) throw new Error(`the shop did not open within ${GIVE_UP_S} s`)
  return taken
}

/** From a fresh clone of the committed state, and once more in the same folder. */
export const startTimes = async (): Promise<{ what: string; seconds: number; aim: string }[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-clone-'))
  try {
    spawnSync('git', ['clone', '--quiet', root, folder])
    const first = await secondsUntilOpen(folder)
    const second = await secondsUntilOpen(folder)
    return [
      { what: 'first npm start, from a fresh clone', seconds: round(first, 1), aim: '≤ 90' },
      { what: 'second npm start', seconds: round(second, 1), aim: '≤ 5' },
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
