import { strToU8, zipSync } from 'fflate'

/** An archive of configurations, each under its file name. */
export const zipConfigs = (configs: readonly { name: string; text: string }[]): Uint8Array<ArrayBuffer> => {
  // Keys do not get smaller by packing.
  return zipSync(Object.fromEntries(configs.map(({ name, text }) => [name, strToU8(text)])), { level: 0 })
}
