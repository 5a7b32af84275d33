import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@hedgerow/embedded-postgres/ports'
import { startPostgres } from '@hedgerow/embedded-postgres/start'
import { startBenchShop } from '../../bench/shop.ts'
import { buildPages } from '../build-pages.ts'
import { startShippedNginx } from '../shipped-nginx.ts'

export type SecurityShop = {
  /** Without TLS, straight to the shop. */
  url: string
  /** The port where TLS would end; nginx listens there once it is started. */
  tlsPort: number
  /** A session of a customer who has nothing yet. */
  token: string
  startProxy: () => Promise<void>
  stop: () => Promise<void>
}

/** The whole shop as it stands behind its proxy: an https address, real database, sandbox, pages. */
export const startSecurityShop = async (root: string, scratch: string): Promise<SecurityShop> => {
  await buildPages(root)
  const folder = join(scratch, 'shop')
  await mkdir(folder, { recursive: true })
  const [tlsPort, httpPort] = [await freePort(), await freePort()]
  const postgres = await startPostgres({ dataDir: folder })
  const env = { PUBLIC_URL: `https://127.0.0.1:${tlsPort}`, TRUSTED_PROXIES: '127.0.0.1' }
  const shop = await startBenchShop(postgres.url, folder, 1, env)
  let stopNginx: (() => Promise<void>) | undefined
  return {
    url: `http://127.0.0.1:${shop.port}`,
    tlsPort,
    token: shop.tokens[0] ?? '',
    startProxy: async () => {
      stopNginx ??= await startShippedNginx({ root, folder, ports: [shop.port], tlsPort, httpPort })
    },
    stop: async () => {
      await stopNginx?.()
      await shop.stop()
      await postgres.stop()
    },
  }
}
