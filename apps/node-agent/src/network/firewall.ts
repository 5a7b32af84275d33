import { createTurns } from '#turns.ts'
import { runCommand } from '../run-command.ts'
import { changeText, type Elements, elementsOf } from './elements.ts'
import { readKernelRules, readKernelTable } from './kernel-table.ts'
import type { PeerPolicy } from './network.ts'
import type { Bank } from './own-addresses.ts'
import { otherBank, type RulesOptions, tableOf, wholeTable } from './rules.ts'

/** Clocks of two readings differ, and seconds are rounded. */
const TOLERANCE_MS = 5_000

const load = (text: string) => runCommand('nft', ['-f', '-'], text)

/** The table of rules and the customers' elements in it. */
export const createFirewall = ({
  now: clock = Date.now,
  ...options
}: RulesOptions & { now?: () => number }) => {
  const now = () => new Date(clock())
  const table = tableOf(options.interfaceName)
  let bank: Bank = 0
  /** The marks that the kernel holds, as far as this process knows: the text of a change names the old one. */
  let held = new Map<string, number>()
  let rules = ''
  const believed = new Map<Bank, string>()
  let suspect: string | undefined

  /**
   * What was loaded, as the kernel tells it. Somebody may have changed it before it could be read, so a text that is not
   * that of the last time is not believed before it was read twice: the next look loads it once more.
   */
  const readRules = async () => {
    const found = await readKernelRules(table)
    const known = believed.get(bank) ?? found
    const isBelieved = found !== undefined && (found === known || found === suspect)
    suspect = isBelieved ? undefined : found
    rules = isBelieved ? found : ''
    if (isBelieved) believed.set(bank, found)
  }

  const ensure = async (policies: readonly PeerPolicy[]): Promise<void> => {
    const at = now()
    const wanted = elementsOf(policies, at)
    await load(wholeTable(options, bank, changeText(table, new Map(), wanted, [], at)))
    held = new Map([...wanted].map(([address, { mark }]) => [address, mark]))
    await readRules()
  }

  const change = async (wanted: Elements, gone: readonly string[]): Promise<void> => {
    const attempt = async () => {
      const text = changeText(table, held, wanted, gone, now())
      if (text !== '') await load(text)
    }
    try {
      await attempt()
    } catch (error) {
      // Someone else changed an element: what the kernel really holds is looked up once.
      const kernel = await readKernelTable(table, now())
      if (!kernel) throw error
      held = new Map([...kernel.elements].map(([address, { mark }]) => [address, mark]))
      await attempt()
    }
    for (const address of gone) held.delete(address)
    for (const [address, { mark }] of wanted) held.set(address, mark)
  }

  const apply = async (
    set: readonly PeerPolicy[],
    gone: readonly Pick<PeerPolicy, 'ipv4' | 'ipv6'>[],
  ): Promise<void> => {
    const wanted = elementsOf(set, now())
    const absent = [...gone, ...set].flatMap(({ ipv4, ipv6 }) => [ipv4, ipv6]).filter((ip) => !wanted.has(ip))
    await change(wanted, absent)
  }

  /** Answers what was wrong. */
  const heal = async (policies: readonly PeerPolicy[]): Promise<string[]> => {
    const kernel = await readKernelTable(table, now())
    if (!kernel || kernel.rules !== rules) {
      await ensure(policies)
      return [kernel ? 'The firewall’s rules were changed' : 'The firewall’s rules were missing']
    }
    held = new Map([...kernel.elements].map(([address, { mark }]) => [address, mark]))
    const wanted = elementsOf(policies, new Date(clock() + TOLERANCE_MS))
    const wrong = new Map(
      [...wanted].filter(([address, element]) => {
        const found = kernel.elements.get(address)
        const ends = (date: Date | null | undefined) => date?.getTime() ?? Number.POSITIVE_INFINITY
        const isSameEnd =
          ends(found?.expiresAt) === ends(element.expiresAt) ||
          Math.abs(ends(found?.expiresAt) - ends(element.expiresAt)) < TOLERANCE_MS
        return found?.mark !== element.mark || !isSameEnd
      }),
    )
    const due = elementsOf(policies, now())
    const tooMany = [...kernel.elements.keys()].filter((address) => !wanted.has(address) && !due.has(address))
    if (wrong.size + tooMany.length === 0) return []
    await change(wrong, tooMany)
    return [`${wrong.size} addresses of customers were missing or wrong, ${tooMany.length} were too many`]
  }

  /** If it fails, questions go where they went before; what was loaded half is found by the next look. */
  const useBank = async (next: Bank): Promise<void> => {
    const before = bank
    bank = next
    try {
      // Without the table the next look heals all of it, with this bank.
      if ((await readKernelRules(table)) !== undefined) await load(otherBank(options, bank))
      await readRules()
    } catch (error) {
      bank = before
      throw error
    }
  }

  const inTurn = createTurns()
  return {
    /** Rules that are not loaded yet are to send questions to this bank. */
    startWithBank: (first: Bank) => {
      bank = first
    },
    ensure: (policies: readonly PeerPolicy[]) => inTurn(() => ensure(policies)),
    apply: (...change: Parameters<typeof apply>) => inTurn(() => apply(...change)),
    heal: (policies: readonly PeerPolicy[]) => inTurn(() => heal(policies)),
    isGuarding: () => inTurn(async () => (await readKernelRules(table)) === rules),
    useBank: (next: Bank) => inTurn(() => useBank(next)),
  }
}
