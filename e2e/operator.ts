import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onRunningDatabase } from '@hedgerow/testing/running-database'

const OPS = fileURLToPath(new URL('../apps/api/src/ops.ts', import.meta.url))

const dataDir = () => process.env.SHOP_DATA_DIR ?? ''

/** Runs the operator's tool beside the running shop, on its embedded database. Returns what it prints. */
export const ops = async (...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir() }
  return (await promisify(execFile)(process.execPath, [OPS, ...args], { env })).stdout
}

const OF_CUSTOMER = '(select id from customers where email = $1)'

/** As if this customer had last shown so many minutes ago who they are, in every session. */
export const letProofsAge = (email: string, minutes = 16): Promise<void> =>
  onRunningDatabase(
    dataDir(),
    `update sessions set proved_at = now() - make_interval(mins => $2) where customer_id = ${OF_CUSTOMER}`,
    [email, minutes],
  )
