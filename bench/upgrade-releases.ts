import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { API_FLAGS } from '../scripts/api-process.ts'
import { buildPages } from '../scripts/build-pages.ts'
import { type Child, startChild } from './child.ts'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true })

const OTHER_BRAND = 'Hedgerow B'

/** A version in a folder of its own, as an operator has it: the same program, with the pages that are built now. */
const install = async (folder: string): Promise<string> => {
  for (const part of ['apps/api/src', 'apps/api/migrations', 'apps/api/package.json', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true })
  for (const app of ['storefront', 'console'])
    await cp(join(ROOT, 'apps', app, 'dist'), join(folder, 'apps', app, 'dist'), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

export type Releases = { a: string; b: string }

const BUILT = ['storefront', 'console'].flatMap((app) =>
  ['dist', 'dist-ssr'].map((built) => join('apps', app, built)),
)

/** Two versions, whose pages' files have other names. What the project had built is there again afterwards. */
export const installReleases = async (folder: string): Promise<Releases> => {
  await mkdir(folder, { recursive: true })
  await buildPages(ROOT)
  const a = await install(join(folder, 'a'))
  const kept = join(folder, 'kept')
  for (const built of BUILT) await cp(join(ROOT, built), join(kept, built), { recursive: true })
  const { BRAND_NAME } = process.env
  process.env.BRAND_NAME = OTHER_BRAND
  try {
    await buildPages(ROOT)
    return { a, b: await install(join(folder, 'b')) }
  } finally {
    if (BRAND_NAME === undefined) delete process.env.BRAND_NAME
    else process.env.BRAND_NAME = BRAND_NAME
    for (const built of BUILT) {
      await removeFolder(join(ROOT, built))
      await cp(join(kept, built), join(ROOT, built), { recursive: true })
    }
  }
}

export const assetsOf = async (release: string): Promise<string[]> =>
  (await readdir(join(release, 'apps/storefront/dist/assets'))).filter((name) => /\.(?:js|css)$/.test(name))

/** One process of the shop, which is restarted on the same port. */
export class ShopProcess {
  readonly port: number
  readonly #env: NodeJS.ProcessEnv
  #child: Child | undefined

  private constructor(port: number, env: NodeJS.ProcessEnv) {
    this.port = port
    this.#env = env
  }

  static async start(release: string, env: NodeJS.ProcessEnv): Promise<ShopProcess> {
    const shop = new ShopProcess(await freePort(), env)
    await shop.start(release)
    return shop
  }

  /** Resolves when it listens. */
  async start(release: string): Promise<void> {
    const env = { ...this.#env, PORT: String(this.port), METRICS_PORT: '0', CONSOLE_PORT: 'off' }
    this.#child = await startChild(join(release, 'apps/api/src/main.ts'), env, API_FLAGS)
  }

  async stop(): Promise<void> {
    await this.#child?.stop()
    this.#child = undefined
  }

  async restart(release: string): Promise<void> {
    await this.stop()
    await this.start(release)
  }
}
