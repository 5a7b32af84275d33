/** The shop in a process of its own, with whatever storefront it is given. */

import { readSettings } from '#platform/settings.ts'
import { startServer } from '#server/server.ts'

const { STOREFRONT_DIR: storefrontDir = '', ...env } = process.env
const server = await startServer({ settings: readSettings(env), storefrontDir })
const stop = () => void server.stop().then(() => process.exit(0))
process.on('SIGTERM', stop)
process.on('disconnect', stop)
process.send?.({ url: server.url, metricsPort: server.metricsPort })
