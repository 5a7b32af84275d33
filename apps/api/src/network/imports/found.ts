/** A device of another panel's server, as its file says it. Nothing is checked yet. */
export type FoundPeer = {
  /** Where it stands in the file, for people: 'Line 7'. */
  where: string
  name: string
  publicKey: string
  /** Some panels keep it. */
  privateKey?: string
  presharedKey?: string
  /** Its addresses in the tunnel, with or without a prefix length. */
  addresses: readonly string[]
  email?: string
  /** As it is written. */
  end?: string
}

/** The server that they connect to. Its private key stays where it is: only the public half is read out. */
export type FoundServer = {
  publicKey: string
  /** Its own addresses in the tunnel, with the prefix lengths of its networks. */
  networks: readonly string[]
  port?: number
}

export type FoundFile = {
  /** A list of peers alone says nothing of it. */
  server?: FoundServer
  peers: readonly FoundPeer[]
  /** Those that are switched off there, in words. */
  leftOut: readonly string[]
}

/** What is wrong with a file, in the operator's words: a line each. Nothing was done. */
export class ImportFault extends Error {
  override name = 'ImportFault'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

const MOST_TOLD = 20

/** Ends where anything was wrong; of very many faults the first are told. */
export const endWith = (faults: readonly string[]): void => {
  if (faults.length === 0) return
  const more = faults.length - MOST_TOLD
  throw new ImportFault([...faults.slice(0, MOST_TOLD), ...(more > 0 ? [`… and ${more} more.`] : [])])
}
