import { fileURLToPath } from 'node:url'
import type { Namespace } from '@hedgerow/testing/namespaces'

const SENDER = fileURLToPath(new URL('sender.ts', import.meta.url))

/** What a customer does at their end of the tunnel. */
export const customerIn = ({ attempt }: Pick<Namespace, 'attempt'>, resolver: string) => {
  const rate = async (what: 'download' | 'upload', address: string, port: number, seconds: number) =>
    Number((await attempt(process.execPath, SENDER, what, address, String(port), String(seconds))).out.trim())
  return {
    run: attempt,
    /** The addresses that a name has, 'NXDOMAIN' or another status, or '' without an answer. */
    ask: async (host: string, server = resolver, ...options: string[]): Promise<string> => {
      const { out } = await attempt('dig', '+time=2', '+tries=2', `@${server}`, host, ...options)
      const answers = [...out.matchAll(/^[^;\n].*\sIN\s+(?:A{1,4}|HTTPS)\s+(.+)$/gm)].map(
        ([, address]) => address,
      )
      return answers.join(' ') || (/status: (\w+)/.exec(out)?.[1] ?? '')
    },
    /** Asks five times a second until one answer comes, or for 3 s: on a busy machine one may come late. */
    pings: async (address: string): Promise<boolean> =>
      (await attempt('ping', '-c', '1', '-i', '0.2', '-w', '3', address)).code === 0,
    /** The page at an address, after redirects. */
    fetch: async (url: string, ...options: string[]): Promise<string> =>
      (await attempt('curl', '-sSgL', '-m', '4', ...options, url)).out,
    /** True: a TCP connection came about. */
    connects: async (address: string, port: number): Promise<boolean> => {
      const script = `require('net').connect(${port}, '${address}').setTimeout(3000, () => process.exit(2)).on('connect', () => process.exit(0)).on('error', () => process.exit(1))`
      return (await attempt(process.execPath, '-e', script)).code === 0
    },
    /** Mbit/s that pass in so many seconds. */
    downloads: (address: string, port: number, seconds: number) => rate('download', address, port, seconds),
    uploads: (address: string, port: number, seconds: number) => rate('upload', address, port, seconds),
  }
}
