import type { Customer, TestNode } from './test-node.ts'

/** What a customer does at their end of the tunnel. */
export const createCustomer = (node: TestNode, name: Customer) => {
  const run = (program: string, ...args: string[]) => node.run(name, program, ...args)
  return {
    run,
    /** The addresses that a name has, 'NXDOMAIN' or another status, or '' if nobody answered. */
    ask: async (host: string, server = '10.90.0.1', ...options: string[]): Promise<string> => {
      const { out } = await run('dig', '+time=2', '+tries=1', `@${server}`, host, ...options)
      const answers = [...out.matchAll(/^[^;\n].*\sIN\s+A{1,4}\s+(\S+)$/gm)].map(([, address]) => address)
      return answers.join(' ') || (/status: (\w+)/.exec(out)?.[1] ?? '')
    },
    pings: async (address: string): Promise<boolean> =>
      (await run('ping', '-c', '1', '-W', '1', address)).code === 0,
    /** The page at an address, after redirects. */
    fetch: async (url: string, ...options: string[]): Promise<string> =>
      (await run('curl', '-sSgL', '-m', '4', ...options, url)).out,
    /** True: a TCP connection came about. */
    connects: async (address: string, port: number): Promise<boolean> => {
      const script = `require('net').connect(${port}, '${address}').setTimeout(1500, () => process.exit(2)).on('connect', () => process.exit(0)).on('error', () => process.exit(1))`
      return (await run(process.execPath, '-e', script)).code === 0
    },
  }
}
