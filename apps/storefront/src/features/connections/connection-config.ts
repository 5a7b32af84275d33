import { KEEPALIVE_SECONDS } from '@hedgerow/domain/connections'
import { type FileForm, inForm } from '@hedgerow/domain/file-form'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { configText, type TunnelConfig } from '@hedgerow/wireguard/config-text'
import type { Platform } from '#lib/platform.ts'

/** With what its file is to say otherwise. */
type FormedConfig = TunnelConfig & {
  fileForm?: readonly FileForm[] | undefined
  secondPort?: number | undefined
}

/** A configuration, whose it is, and the name that its file gets. */
export type NamedConfig = FormedConfig & { name: string; fileName: string }

/** What the QR code and the downloaded file carry: the bytes that are mailed, too. */
export const connectionConfig = ({ fileForm = [], secondPort, ...config }: FormedConfig): string =>
  configText(inForm(config, fileForm, secondPort), KEEPALIVE_SECONDS)

/** It keeps browsers from adding '.txt'. */
const FILE_TYPE = 'application/octet-stream'

/** Made here, so that a private key does not travel once more. */
export const downloadConfig = (config: NamedConfig) =>
  saveFile(config.fileName, connectionConfig(config), FILE_TYPE)

const fileOf = (config: NamedConfig) =>
  new File([connectionConfig(config)], config.fileName, { type: FILE_TYPE })

/**
 * Whether the device's share sheet leads into the WireGuard app. On iOS the app opens files of this kind; on Android it
 * takes none from a share sheet, so that the keys would only be offered to every other app.
 */
export const canHandOver = (platform: Platform | undefined, config: NamedConfig): boolean =>
  platform === 'ios' &&
  typeof navigator.share === 'function' &&
  navigator.canShare?.({ files: [fileOf(config)] })

/** Opens the share sheet with the file. What the browser refuses to share is downloaded. */
export const handOver = async (config: NamedConfig): Promise<'shared' | 'closed' | 'saved'> => {
  try {
    await navigator.share({ files: [fileOf(config)] })
    return 'shared'
  } catch (error) {
    const name = error instanceof DOMException ? error.name : ''
    // Closed without a choice, or still open from the press before.
    if (name === 'AbortError' || name === 'InvalidStateError') return 'closed'
    downloadConfig(config)
    return 'saved'
  }
}
