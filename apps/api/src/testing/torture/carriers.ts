import type { Db } from '#platform/database/client.ts'
import { setRunningSetting } from '#platform/running-settings/running-settings.ts'
import { sleep } from '#testing/torture/shop-door.ts'

const BY_STRIPE_MS = 3_000
const BY_GATE_MS = 4_000

/** Bitcoin is taken from the start. */
export const takeCrypto = (db: Db): Promise<void> => setRunningSetting(db, 'crypto-gateway', 'btcpay', null)

/** Has cards carried by Stripe, then by the Gate, and so on until the run is over. */
export const changeCarriers = async (db: Db, isOver: () => boolean): Promise<void> => {
  for (let isStripe = true; !isOver(); isStripe = !isStripe) {
    // The database may be away at the moment.
    await setRunningSetting(db, 'card-gateway', isStripe ? 'stripe' : 'gate', null).catch(() => undefined)
    await sleep(isStripe ? BY_STRIPE_MS : BY_GATE_MS)
  }
}
