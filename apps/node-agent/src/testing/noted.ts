import type { Namespace } from '@hedgerow/testing/namespaces'

/**
 * The datagrams that come to a port, and the ports that they come from, as the kernel there notes them. It forgets none; a
 * program that is kept waiting would, once its socket is full.
 */
export const noteDatagrams = async ({ run }: Namespace, port: number, family: 'ipv4' | 'ipv6') => {
  const table = `noted_${family}_${port}`
  await run(
    'nft',
    `table inet ${table} {
      set ports { type inet_service; size 65536; flags dynamic; }
      chain in { type filter hook input priority 0; meta nfproto ${family} udp dport ${port} add @ports { udp sport } counter drop; }
    }`,
  )
  return {
    count: async () =>
      Number(/packets (\d+)/.exec(await run('nft', 'list', 'chain', 'inet', table, 'in'))?.[1]),
    ports: async () => {
      const [, text = ''] =
        /elements = \{([^}]*)\}/.exec(await run('nft', 'list', 'set', 'inet', table, 'ports')) ?? []
      return text.split(',').map(Number)
    },
  }
}
