import type { Connection } from '@hedgerow/contract/connections'
import { configFileName } from '@hedgerow/wireguard/config-text'
import { configOf } from '#features/connections/config-of.ts'
import { saveFile } from '#lib/save-file.ts'

/** Made here, so that a private key does not travel once more. The type keeps browsers from adding '.txt'. */
export const downloadConfig = (connection: Connection) =>
  saveFile(configFileName(connection.name), configOf(connection), 'application/octet-stream')
