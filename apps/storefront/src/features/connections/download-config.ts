import { configFileName } from '@hedgerow/wireguard/config-text'
import { configOf, type NamedConfig } from '#features/connections/config-of.ts'
import { saveFile } from '#lib/save-file.ts'

/** Made here, so that a private key does not travel once more. The type keeps browsers from adding '.txt'. */
export const downloadConfig = (config: NamedConfig) =>
  saveFile(configFileName(config.name), configOf(config), 'application/octet-stream')
