export type RulesOptions = {
  interfaceName: string
  ipv4: string
  ipv6: string
  /** WireGuard's. */
  listenPort: number
  /** Those that it listened on before. */
  oldPorts: readonly number[]
}

/** What the rules allow a customer, which depends on how much there is for all. */
export type Limits = {
  /** Over IPv4, and as many over IPv6. */
  connectionsAtOnce: number
  piecesASecond: number
}
