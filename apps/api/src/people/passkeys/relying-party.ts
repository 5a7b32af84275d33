import type { Settings } from '#platform/settings.ts'

/** Where passkeys are made and asked. */
export type Place = { settings: Pick<Settings, 'publicUrl' | 'brand'> }

/** To whom passkeys are bound: the shop's host, and the very address that customers see. */
export const relyingPartyOf = ({ settings }: Pick<Place, 'settings'>) => {
  const { hostname, origin } = new URL(settings.publicUrl)
  return { rpID: hostname, origin }
}

/** As long as a ticket lasts at least. */
export const PATIENCE_MS = 240_000

/** By what passkeys know an account: the same for all of its passkeys, and telling nothing of its owner. */
export const userIdOf = (customerId: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(customerId.replaceAll('-', ''), 'hex'))
