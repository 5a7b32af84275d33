import { KEEPALIVE_SECONDS } from '@hedgerow/domain/connections'
import { configFileName, configText, type TunnelConfig } from '@hedgerow/wireguard/config-text'
import { saveFile } from '#lib/save-file.ts'

/** A configuration, and the name that its file gets. */
export type NamedConfig = TunnelConfig & { name: string }

/** What the QR code and the downloaded file carry: the bytes that are mailed, too. */
export const connectionConfig = (config: TunnelConfig): string => configText(config, KEEPALIVE_SECONDS)

/** Made here, so that a private key does not travel once more. The type keeps browsers from adding '.txt'. */
export const downloadConfig = (config: NamedConfig) =>
  saveFile(configFileName(config.name), connectionConfig(config), 'application/octet-stream')
