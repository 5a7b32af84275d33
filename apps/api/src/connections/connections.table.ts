import type { ColumnType, Generated, Selectable } from 'kysely'

/** A VPN server. `ipv4` and `ipv6` are the networks that its connections' addresses come from. */
export type NodesTable = {
  id: string
  name: string
  endpoint: string
  public_key: string
  ipv4: string
  ipv6: string
  is_open: Generated<boolean>
  /** Positions of the pool up to here were put on the free list. */
  filled_to: Generated<number>
  created_at: ColumnType<Date, Date | undefined, never>
}

/** Free positions in a node's pool; a position is the distance from the first address of its networks. */
export type FreeAddressesTable = {
  node_id: string
  position: number
  /** A position that was in use rests until then. */
  available_at: ColumnType<Date, Date | undefined, never>
}

/** One bought connection; unique by its payment and its number within that. */
export type ConnectionsTable = {
  id: string
  customer_id: string
  payment_id: string
  ordinal: number
  node_id: string
  position: number
  name: string
  public_key: string
  private_key_encrypted: Buffer
  preshared_key_encrypted: Buffer
  priority_bandwidth: boolean
  ad_filter: boolean
  malware_filter: boolean
  family_filter: boolean
  /** Null: never. */
  expires_at: Date | null
  created_at: ColumnType<Date, Date | undefined, never>
}

export type ConnectionsTables = {
  nodes: NodesTable
  free_addresses: FreeAddressesTable
  connections: ConnectionsTable
}

export type NodeRow = Selectable<NodesTable>
export type ConnectionRow = Selectable<ConnectionsTable>
