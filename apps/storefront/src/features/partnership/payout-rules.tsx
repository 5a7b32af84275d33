import { CURRENCIES, CURRENCY_CODES } from '@hedgerow/domain/money'
import { MINIMUM_WITHDRAWAL } from '@hedgerow/domain/partnership'
import { ProgrammePart } from '#features/partnership/programme.tsx'

/** '€250 or £250': whole units of each currency. */
export const minimumOf = (units: number): string =>
  CURRENCY_CODES.map((code) => CURRENCIES[code].symbol + units).join(' or ')

/** What is the same for both programmes that earn a share. */
export const PayoutRules = () => (
  <ProgrammePart title="How you are paid">
    <p>
      Your share goes to your partner account, one balance for each currency; nothing is converted. It is held
      for some days, in case the payment is refunded, and then available; your profile says for how many. From{' '}
      {minimumOf(MINIMUM_WITHDRAWAL)} upwards you can ask for a withdrawal in your profile. We pay it by bank
      transfer, to an IBAN or a sort code and account number, and write to you when it is done.
    </p>
    <ul className="list-disc space-y-2 pl-5 marker:text-quiet-ink">
      <li>A transaction is a completed payment. Your level follows the number of them.</li>
      <li>
        One payment counts for one partner. If it carries a promocode, that code’s owner gets the share.
      </li>
      <li>
        Nobody earns from their own payments, nor from any that are made with a card that they pay with
        themselves.
      </li>
      <li>Small orders may not count; your profile says from which price on they do.</li>
      <li>If a payment is refunded, its share is taken back.</li>
      <li>Every step stands in a statement in your profile, to the penny.</li>
      <li>If you delete your account, you give up what you have not asked for.</li>
    </ul>
  </ProgrammePart>
)
