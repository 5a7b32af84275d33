import { open } from 'node:fs/promises'
import { type AgentUpgrade, ARCHIVE_PART_BYTES } from '@hedgerow/contract/agents'
import type { ShopClient } from '#shop/shop-client.ts'

type Offer = Extract<AgentUpgrade, { kind: 'archive' }>

/** Fetches what is missing of an archive, piece by piece; one that was broken off is gone on with. */
export const fetchArchive = async (
  shop: Pick<ShopClient, 'archivePart'>,
  { id, bytes }: Offer,
  file: string,
): Promise<void> => {
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    let at = size > bytes ? 0 : size - (size % ARCHIVE_PART_BYTES)
    if (size === bytes) return
    await handle.truncate(at)
    while (at < bytes) {
      const length = Math.min(ARCHIVE_PART_BYTES, bytes - at)
      await handle.appendFile(await shop.archivePart(id, at / ARCHIVE_PART_BYTES, length))
      at += length
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}
