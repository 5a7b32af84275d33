export type RulesOptions = {
  interfaceName: string
  uplink: string
  ipv4: string
  ipv6: string
  /** WireGuard's. */
  listenPort: number
}
