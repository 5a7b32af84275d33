import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onRunningDatabase } from '@hedgerow/testing/running-database'

const OPS = fileURLToPath(new URL('../apps/api/src/ops.ts', import.meta.url))

const dataDir = () => process.env.SHOP_DATA_DIR ?? ''

/** Runs the operator's tool beside the running shop, on its embedded database. Returns what it prints. */
export const ops = (...args: string[]): Promise<string> => opsWith({}, ...args)

/** The same, with settings of its own. */
export const opsWith = async (settings: Record<string, string>, ...args: string[]): Promise<string> => {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir(), ...settings }
  return (await promisify(execFile)(process.execPath, [OPS, ...args], { env })).stdout
}

/** As if the days had passed for which this partner's earnings are held. */
export const endHolds = (email: string): Promise<void> =>
  onRunningDatabase(
    dataDir(),
    'update earnings set available_at = now() where partner_id = (select id from customers where email = $1)',
    [email],
  )

const OF_CUSTOMER = '(select id from customers where email = $1)'

/** As if so many days had passed since this customer logged in and bought. */
export const letDaysPass = async (email: string, days: number): Promise<void> => {
  const time = "$2::float * interval '24 hours'"
  for (const statement of [
    `update sessions set created_at = created_at - ${time}, proved_at = proved_at - ${time} where customer_id = ${OF_CUSTOMER}`,
    `update payments set created_at = created_at - ${time}, ended_at = ended_at - ${time},
      delivered_at = delivered_at - ${time} where customer_id = ${OF_CUSTOMER}`,
    `update connections set created_at = created_at - ${time}, expires_at = expires_at - ${time}
      where customer_id = ${OF_CUSTOMER}`,
  ])
    await onRunningDatabase(dataDir(), statement, [email, days])
}

/** As if this customer had last shown so many minutes ago who they are, in every session. */
export const letProofsAge = (email: string, minutes = 16): Promise<void> =>
  onRunningDatabase(
    dataDir(),
    `update sessions set proved_at = now() - make_interval(mins => $2) where customer_id = ${OF_CUSTOMER}`,
    [email, minutes],
  )
