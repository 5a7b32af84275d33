import { randomUUID } from 'node:crypto'
import { generateKeyPair } from '@hedgerow/wireguard/keys'
import { drawObfuscation } from '@hedgerow/wireguard/obfuscation'
import type { TestShop } from '#testing/test-shop.ts'

type Given = { name?: string; isUp?: boolean; isOpen?: boolean; timeZone?: string; isObfuscated?: boolean }

/** Any that both ends can use. */
export const OBFUSCATION = drawObfuscation((least) => least)

let made = 0

/** A node whose agent has just asked, unless set otherwise; returns its id. */
export const aLocation = async (
  { db }: Pick<TestShop, 'db'>,
  { name = `Town ${++made}`, isUp = true, isOpen = true, timeZone, isObfuscated = false }: Given = {},
): Promise<string> => {
  const id = randomUUID()
  const pool = (made++ % 200) + 10
  await db
    .insertInto('nodes')
    .values({
      id,
      name,
      endpoint: `${id.slice(0, 8)}.example:51820`,
      public_key: generateKeyPair().publicKey,
      ipv4: `10.${pool}.0.0/16`,
      ipv6: `fd64:${pool}::/64`,
      is_open: isOpen,
      time_zone: timeZone ?? null,
      obfuscation: isObfuscated ? JSON.stringify(OBFUSCATION) : null,
      seen_at: isUp ? new Date() : null,
    })
    .execute()
  return id
}
