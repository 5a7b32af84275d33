import { changeText, type Elements, elementsOf } from '#network/elements.ts'
import { readKernelTable } from '#network/kernel-table.ts'
import type { PeerPolicy } from '#network/network.ts'
import { runCommand } from '#runtime/run-command.ts'

export const loadRules = (text: string) => runCommand('nft', ['-f', '-'], text)

/** Changes the customers' elements in the kernel. The text of a change names the old marks, so they are known here. */
export const createElementWriter = (table: string, now: () => Date) => {
  let held = new Map<string, number>()
  const note = (elements: Elements): void => {
    held = new Map([...elements].map(([address, { mark }]) => [address, mark]))
  }
  const change = async (wanted: Elements, gone: readonly string[]): Promise<void> => {
    const attempt = async () => {
      const text = changeText(table, held, wanted, gone, now())
      if (text !== '') await loadRules(text)
    }
    try {
      await attempt()
    } catch (error) {
      // Someone else changed an element: what the kernel really holds is looked up once.
      const kernel = await readKernelTable(table, now())
      if (!kernel) throw error
      note(kernel.elements)
      await attempt()
    }
    for (const address of gone) held.delete(address)
    for (const [address, { mark }] of wanted) held.set(address, mark)
  }
  return {
    /** The kernel is known to hold these, and no others. */
    note,
    change,
    addresses: (): Iterable<string> => held.keys(),
    /** Sets these customers' elements, and takes those addresses away. Returns the addresses that have none now. */
    apply: async (
      set: readonly PeerPolicy[],
      gone: readonly Pick<PeerPolicy, 'ipv4' | 'ipv6'>[],
    ): Promise<string[]> => {
      const wanted = elementsOf(set, now())
      const addresses = [...gone, ...set].flatMap(({ ipv4, ipv6 }) => [ipv4, ipv6])
      const without = addresses.filter((address) => !wanted.has(address))
      await change(wanted, without)
      return without
    },
  }
}

/** Clocks of two readings differ, and seconds are rounded. */
const TOLERANCE_MS = 5_000

const endOf = (date: Date | null | undefined) => date?.getTime() ?? Number.POSITIVE_INFINITY

const isSameEnd = (a: Date | null | undefined, b: Date | null): boolean =>
  endOf(a) === endOf(b) || Math.abs(endOf(a) - endOf(b)) < TOLERANCE_MS

/** What differs in the kernel from what the customers are to have. */
export const planRepairs = (policies: readonly PeerPolicy[], kernel: Elements, now: Date) => {
  const wanted = elementsOf(policies, new Date(now.getTime() + TOLERANCE_MS))
  const wrong = new Map(
    [...wanted].filter(([address, { mark, expiresAt }]) => {
      const found = kernel.get(address)
      return found?.mark !== mark || !isSameEnd(found.expiresAt, expiresAt)
    }),
  )
  const due = elementsOf(policies, now)
  const tooMany = [...kernel.keys()].filter((address) => !wanted.has(address) && !due.has(address))
  return { wrong, tooMany }
}
