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
      Your share goes to your partner account, which has a balance for each currency. Nothing is converted. It
      is held for some days in case the payment is refunded, and is then available. Your profile says for how
      many days. From {minimumOf(MINIMUM_WITHDRAWAL)} upwards you can request a withdrawal in your profile. We
      pay it by bank transfer, to an IBAN or a sort code and account number, and email you when it is done.
    </p>
    <ul className="list-disc space-y-2 pl-5 marker:text-quiet-ink">
      <li>
        A transaction is a completed payment. Your level follows the number of them. Each counts once its
        purchase can no longer be cancelled, 16 days after it was paid at the earliest.
      </li>
      <li>
        One payment counts for one partner. If it carries a promocode, that code’s owner gets the share.
      </li>
      <li>Nobody earns from their own payments, or from payments made with a card they use themselves.</li>
      <li>Small orders may not count. Your profile shows the price from which they do.</li>
      <li>If a payment is refunded, its share is taken back.</li>
      <li>A statement in your profile shows every step, to the penny.</li>
      <li>If you delete your account, you give up anything you have not withdrawn.</li>
    </ul>
  </ProgrammePart>
)
