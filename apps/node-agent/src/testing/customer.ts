import { fileURLToPath } from 'node:url'
import type { Namespace } from '@hedgerow/testing/namespaces'

const SENDER = fileURLToPath(new URL('sender.ts', import.meta.url))

/** What a customer does at their end of the tunnel. */
export const customerIn = ({ attempt }: Pick<Namespace, 'attempt'>, resolver: string) => {
  const rate = async (what: 'download' | 'upload', address: string, port: number, seconds: number) =>
    Number((await attempt(process.execPath, SENDER, what, address, String(port), String(seconds))).out.trim())
  return {
    run: attempt,
    /** The addresses that a name has, 'NXDOMAIN' or another status, or '' without an answer for 20 s. */
    ask: async (host: string, server = resolver, ...options: string[]): Promise<string> => {
      const { out } = await attempt('dig', '+time=2', '+tries=10', `@${server}`, host, ...options)
      const answers = [...out.matchAll(/^[^;\n].*\sIN\s+(?:A{1,4}|HTTPS)\s+(.+)$/gm)].map(
        ([, address]) => address,
      )
      return answers.join(' ') || (/status: (\w+)/.exec(out)?.[1] ?? '')
    },
    /** Asks five times a second until one answer comes, or for 3 s. Who is to be answered asks `until` that is so. */
    pings: async (address: string): Promise<boolean> =>
      (await attempt('ping', '-c', '1', '-i', '0.2', '-w', '3', address)).code === 0,
    /** The page at an address, after redirects. */
    fetch: async (url: string, ...options: string[]): Promise<string> =>
      (await attempt('curl', '-sSgL', '-m', '30', ...options, url)).out,
    /** True: a TCP connection came about, within 3 s. By the shell, which starts with less work than any other program. */
    connects: async (address: string, port: number): Promise<boolean> =>
      (await attempt('timeout', '3', 'bash', '-c', `: </dev/tcp/${address}/${port}`)).code === 0,
    /** Mbit/s that pass in so many seconds. */
    downloads: (address: string, port: number, seconds: number) => rate('download', address, port, seconds),
    uploads: (address: string, port: number, seconds: number) => rate('upload', address, port, seconds),
  }
}
