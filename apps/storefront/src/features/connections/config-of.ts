import { KEEPALIVE_SECONDS } from '@hedgerow/domain/connections'
import { configText, type TunnelConfig } from '@hedgerow/wireguard/config-text'

/** A configuration, and the name that its file gets. */
export type NamedConfig = TunnelConfig & { name: string }

/** What the QR code and the downloaded file carry: the bytes that are mailed, too. */
export const configOf = (config: TunnelConfig): string => configText(config, KEEPALIVE_SECONDS)
