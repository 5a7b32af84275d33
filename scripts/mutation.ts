/**
 * Changes the rules of money, one place at a time, and names the changes that no test sees. Part of `npm run test:long`; fails
 * where more of them go unseen than `mutation/stryker.json` allows.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { provide } from './security/tools.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VERSION = '10.1.1'

/** Whether enough of them are seen. Throws `Skipped` where the tester cannot be installed. */
export const areChangesSeen = async (): Promise<boolean> => {
  // Tests and tester share one vitest, the project's: npm is not to bring another.
  process.env.npm_config_legacy_peer_deps = 'true'
  const tools = await provide({
    name: 'mutation',
    packages: ['core', 'vitest-runner'].map((part) => `@stryker-mutator/${part}@${VERSION}`),
  })
  const modules = join(tools, 'node_modules')
  await rm(join(modules, 'vitest'), { recursive: true, force: true })
  await symlink(join(ROOT, 'node_modules', 'vitest'), join(modules, 'vitest'))
  const stryker = join(modules, '@stryker-mutator', 'core', 'bin', 'stryker.js')
  const scratch = await mkdtemp(join(tmpdir(), 'hedgerow-mutation-'))
  const args = ['run', 'scripts/mutation/stryker.json', '--tempDirName', scratch]
  const { status } = spawnSync(process.execPath, [stryker, ...args], { cwd: ROOT, stdio: 'inherit' })
  await rm(scratch, { recursive: true, force: true })
  return status === 0
}
