import { KEEPALIVE_SECONDS } from '@hedgerow/domain/connections'
import type { Disguise } from '@hedgerow/domain/disguise'
import { type FileForm, inForm, isForAmneziaWg } from '@hedgerow/domain/file-form'
import { saveFile } from '@hedgerow/web/save-file.ts'
import { configFile } from '@hedgerow/wireguard/config-file'
import type { TunnelConfig } from '@hedgerow/wireguard/config-text'
import type { Platform } from '#lib/platform.ts'

/** With what its file is to say otherwise, and the name that the plain one gets. */
type FormedConfig = TunnelConfig & {
  fileForm?: readonly FileForm[] | undefined
  secondPort?: number | undefined
  disguiseForApps?: Disguise | undefined
  fileName: string
}

/** A configuration, and whose it is. */
export type NamedConfig = FormedConfig & { name: string }

/** Commands of a router are read by no app, and scanned by none. */
export const isForRouterOs = ({ fileForm = [] }: FormedConfig): boolean => fileForm.includes('routeros')

/** Which app reads the file. */
export type App = 'WireGuard' | 'AmneziaWG'

export const appOf = (config: FormedConfig): App =>
  isForAmneziaWg(config, config.fileForm ?? []) ? 'AmneziaWG' : 'WireGuard'

/** What the QR code and the downloaded file carry: the bytes that are mailed, too. */
export const connectionFile = (config: FormedConfig): { name: string; text: string } =>
  configFile(inForm(config, config.fileForm ?? []), KEEPALIVE_SECONDS, {
    fileName: config.fileName,
    isForRouterOs: isForRouterOs(config),
  })

/** The file as AmneziaVPN takes it from a text: with the alphabet that addresses use. */
export const vpnText = (config: FormedConfig): string =>
  `vpn://${btoa(connectionFile(config).text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`

/** It keeps browsers from adding '.txt'. */
const FILE_TYPE = 'application/octet-stream'

/** Made here, so that a private key does not travel once more. */
export const downloadConfig = (config: NamedConfig) => {
  const { name, text } = connectionFile(config)
  saveFile(name, text, FILE_TYPE)
}

const fileOf = (config: NamedConfig) => {
  const { name, text } = connectionFile(config)
  return new File([text], name, { type: FILE_TYPE })
}

/**
 * Whether the device's share sheet leads into the app. On iOS the app opens files of this kind; on Android it
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
