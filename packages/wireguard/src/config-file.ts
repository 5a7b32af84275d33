import { configText, type TunnelConfig } from './config-text.ts'
import { routerOsCommands } from './routeros.ts'

/** A tunnel's own file, by the name of its plain one. What is downloaded, zipped and mailed are these bytes. */
export const configFile = (
  tunnel: TunnelConfig,
  keepaliveSeconds: number,
  { fileName, isForRouterOs }: { fileName: string; isForRouterOs: boolean },
): { name: string; text: string } => {
  if (!isForRouterOs) return { name: fileName, text: configText(tunnel, keepaliveSeconds) }
  const name = fileName.replace(/\.conf$/, '')
  return { name: `${name}.rsc`, text: routerOsCommands(tunnel, keepaliveSeconds, name) }
}
