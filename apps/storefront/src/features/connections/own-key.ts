import type { Connection } from '@hedgerow/contract/connections'
import { useEffect, useState } from 'react'

/** A private key that this page has made. The preshared key says which of the connection's keys it is. */
export type HeldKey = { privateKey: string; presharedKey: string }

/**
 * The connection with the private key that was made on this page, for as long as the page is open: it is kept in memory, and
 * nowhere else. The browser asks before it leaves as long as the file was not saved.
 */
export const useHeldKey = (connection: Connection) => {
  const [held, hold] = useState<HeldKey>()
  const [isSaved, setIsSaved] = useState(false)
  const isOurs =
    held !== undefined && connection.hasOwnKey === true && held.presharedKey === connection.presharedKey
  useEffect(() => {
    if (!isOurs) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!isSaved) event.preventDefault()
    }
    // A browser may keep the whole page, to go back to it.
    const forget = () => hold(undefined)
    addEventListener('beforeunload', ask)
    addEventListener('pagehide', forget)
    return () => {
      removeEventListener('beforeunload', ask)
      removeEventListener('pagehide', forget)
    }
  }, [isOurs, isSaved])
  return {
    shown: isOurs ? { ...connection, clientPrivateKey: held.privateKey } : connection,
    isHeld: isOurs,
    hold: (key: HeldKey | undefined) => {
      setIsSaved(false)
      hold(key)
    },
    onSaved: () => setIsSaved(true),
  }
}

/** Nobody but the customer can show its code and file. */
export const isKeyMissing = ({ hasOwnKey, clientPrivateKey }: Connection): boolean =>
  hasOwnKey === true && clientPrivateKey === ''
