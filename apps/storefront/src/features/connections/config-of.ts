import type { Connection } from '@hedgerow/contract/connections'
import { KEEPALIVE_SECONDS } from '@hedgerow/domain/connections'
import { configText } from '@hedgerow/wireguard/config-text'

/** What the QR code and the downloaded file carry: the bytes that are mailed, too. */
export const configOf = (connection: Connection): string => configText(connection, KEEPALIVE_SECONDS)
