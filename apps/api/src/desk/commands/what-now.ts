import type { Restored } from '#care/backup/older-state.ts'
import { type NextNumber, type NumberSeries, SERIES } from '#sales/invoices/next-number.ts'

const COMMANDS: Readonly<Record<NumberSeries, string>> = {
  invoices: 'invoice',
  'credit-notes': 'credit-note',
  commissions: 'commission',
}

const nextNumber = (series: NumberSeries, { year, next }: NextNumber, isGiven: boolean): string[] => {
  const { one, many, numberOf } = SERIES[series]
  const [number, command] = [numberOf(year, next), COMMANDS[series]]
  if (isGiven)
    return [`     The next ${one} is ${number}. To list the numbers left out before it: ${command} next`]
  return [
    `     The next ${one} is ${number}. If ${many} were sent after the backup, they have that number or higher ones.`,
    '     Find the last one that was sent, from your mail server, a customer or your accountant, and leave those',
    `     numbers out: hedgerow-ops ${command} from --number NUMBER (the last one plus 1; too high does no harm, and is recorded)`,
  ]
}

/** Who has left, and which password, passkey or token was withdrawn since, nobody knows here. */
const waysIn = (operators: NonNullable<Restored['operators']>): string[] => [
  'Nothing works that may have been withdrawn since then. Customers choose a new password by a link that they are mailed when',
  'they log in, and add their passkeys again.',
  ...(operators.length > 0
    ? [
        'Operators’ passkeys, passwords, tokens and invitations have ended. For each who is still one, and should have that role,',
        'you first: hedgerow-ops operator link NAME. For those who have left: hedgerow-ops operator end NAME',
        `     Operators: ${operators.map(({ name, role }) => `${name} (${role})`).join(', ')}`,
      ]
    : []),
]

type Given = Readonly<Record<NumberSeries, boolean>>

/** What its operator has to do before a shop of an older state may sell again. */
export const whatNow = (
  takenAt: string,
  { key, next, operators, nodes }: Restored,
  isGiven: Given,
): string[] => [
  ...(key === 'not-tried' ? ['KEY_ENCRYPTION_KEY was not tried on its keys.'] : []),
  `What happened after ${takenAt} is not in it. Before you open the shop again:`,
  '  1. Invoices, credit notes and commission documents, which are numbered apart.',
  ...nextNumber('invoices', next.invoices, isGiven.invoices),
  ...nextNumber('credit-notes', next['credit-notes'], isGiven['credit-notes']),
  ...nextNumber('commissions', next.commissions, isGiven.commissions),
  '  2. Check your bank statement. Withdrawals and refunds that you sent by hand since then are owed again here.',
  '  3. Start the shop. It asks the gateway about open payments, sends the mails and refunds that were due,',
  '     and tells every node which connections it has.',
  '  4. Money that came in since then. The gateway repeats its callbacks for days, and the shop keeps them: payment unknown',
  '     For anything missing there, check the gateway’s dashboard from that time on. Match each payment to an',
  '     order, or refund it: hedgerow-ops payment adopt ID …',
  `  5. hedgerow-ops reconcile --since ${takenAt}`,
  '     and once more from some days earlier, for payments that were refunded since then.',
  ...(operators
    ? waysIn(operators)
    : ['Customers and operators get in as they did then, once they have logged in again.']),
  'Links to connections have ended. Keys replaced since then work again, and the new ones do not: tell the customers concerned.',
  'Accounts erased since then are back: erase them again. Nodes enrolled since then need a new token: node token NAME',
  ...(nodes.length > 0
    ? [
        'Nodes that you gave back since then are back, and get the list of their customers: before you start the shop, node remove NAME.',
        `     Nodes: ${nodes.join(', ')}`,
      ]
    : []),
]
