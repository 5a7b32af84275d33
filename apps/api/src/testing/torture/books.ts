const PAGE = 500

export type BookOperation = {
  id: number
  type: string
  status: string
  amount: number
  requestId: string
  merchantRefundId: string | null
}

/** A payment as the gateway's own books have it. */
export type BookEntry = {
  id: string
  method: string
  status: string
  amount: number
  settled: number
  refunded: number
  currency: string
  waitsFor: string | null
  callbacks: { tried: number; delivered: number }
  operations: BookOperation[]
}

/** The whole of the gateway's books, page by page. */
export const readBooks = async (sandboxUrl: string): Promise<BookEntry[]> => {
  const all: BookEntry[] = []
  for (;;) {
    const last = all.at(-1)
    const before = last ? `&before=${last.id}` : ''
    const response = await fetch(`${sandboxUrl}/gate/payments?limit=${PAGE}${before}`)
    const page = (await response.json()) as BookEntry[]
    all.push(...page)
    if (page.length < PAGE) return all
  }
}
