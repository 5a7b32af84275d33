import type { Connection } from '@hedgerow/contract/connections'
import { configFileName } from '@hedgerow/wireguard/config-text'
import { configOf } from '#features/connections/config-of.ts'

/** Made here, so that a private key does not travel once more. The type keeps browsers from adding '.txt'. */
export const downloadConfig = (connection: Connection) => {
  const url = URL.createObjectURL(new Blob([configOf(connection)], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = url
  link.download = configFileName(connection.name)
  link.click()
  // Some browsers read the file only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
