import { ButtonLink } from '@hedgerow/ui/button.tsx'
import { Programme, ProgrammePart, Steps } from '#features/partnership/programme.tsx'
import { brand } from '#shared/brand.ts'

const STEPS = [
  {
    title: 'Apply',
    text: 'Tell us who you are, who you sell to, and what you have in mind. A few lines will do.',
  },
  {
    title: 'We talk',
    text: 'A person reads your application and answers by email. Prices and terms are agreed in writing.',
  },
  {
    title: 'You open',
    text: 'The shop carries your name and your colours. Your customers deal with you.',
  },
]

const ResellPage = () => (
  <Programme
    path="/partnership/resell"
    lead="Sell timed WireGuard connections in a shop that carries your name, not ours."
  >
    <ProgrammePart title="How it works">
      <Steps steps={STEPS} />
    </ProgrammePart>
    <div className="mt-8">
      <ButtonLink to="/submit">Participate program</ButtonLink>
      <p className="mt-3 text-sm text-quiet-ink">
        You need an account, so that we can reply. Applying is free and commits you to nothing.
      </p>
    </div>
    <ProgrammePart title="What is yours">
      <ul className="list-disc space-y-2 pl-5 marker:text-quiet-ink">
        <li>The name of the shop, its tagline and its colours, in light and dark.</li>
        <li>The company details on every page, invoice and email, and your social links.</li>
        <li>Your customers, and your own web address.</li>
      </ul>
    </ProgrammePart>
    <ProgrammePart title="What stays the same">
      <ul className="list-disc space-y-2 pl-5 marker:text-quiet-ink">
        <li>The software: the calculator, the checkout, the profile and everything behind them.</li>
        <li>Standard WireGuard connections, which work with the apps people already have.</li>
        <li>No tracking: our pages load nothing from third parties.</li>
      </ul>
    </ProgrammePart>
    <p className="mt-10 text-quiet-ink">
      Only want to recommend {brand.name}? The other two programmes need no application.
    </p>
  </Programme>
)

export default ResellPage
