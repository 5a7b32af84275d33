import { configFileNames } from '@hedgerow/wireguard/config-text'
import { strToU8, zipSync } from 'fflate'

/** An archive of configurations, each under a file name of its own. */
export const zipConfigs = (configs: readonly { name: string; text: string }[]): Uint8Array<ArrayBuffer> => {
  const names = configFileNames(configs.map(({ name }) => name))
  // Keys do not get smaller by packing.
  return zipSync(Object.fromEntries(configs.map(({ text }, at) => [names[at] ?? '', strToU8(text)])), {
    level: 0,
  })
}
