import '#features/manual/manual.css'
import type { ReactNode } from 'react'
import type { Guide } from '#features/manual/guide.ts'
import { Picture, type PictureProps } from '#features/manual/picture.tsx'
import { TROUBLES } from '#features/manual/troubles.tsx'
import { Page, Paragraphs } from '#features/manual/words.tsx'

/** Every part of a guide's page, in the order in which a person comes to it. */
const PARTS = [
  { id: 'need', title: 'What you need' },
  { id: 'set-up', title: 'Set it up' },
  { id: 'check', title: 'Check it' },
  { id: 'kill-switch', title: 'Kill switch' },
  { id: 'dns', title: 'DNS leaks' },
  { id: 'at-start', title: 'After a restart' },
  { id: 'trouble', title: 'It doesn’t connect' },
  { id: 'remove', title: 'Remove it' },
] as const

type PartId = (typeof PARTS)[number]['id']

const Contents = () => (
  <nav aria-label="On this page" className="mt-8 border-y border-line py-2">
    <ul className="flex flex-wrap gap-x-6">
      {PARTS.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`} className="link inline-flex min-h-11 items-center">
            {title}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

const Part = ({ id, children }: { id: PartId; children: ReactNode }) => (
  <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-6 pt-12">
    <h2 id={`${id}-title`} tabIndex={-1} className="mb-4 text-xl sm:text-2xl">
      {PARTS.find((part) => part.id === id)?.title}
    </h2>
    {children}
  </section>
)

/** Text with the drawing of what it is about: beside it where there is room, below it on a phone. */
const Illustrated = ({ picture, children }: { picture?: PictureProps | undefined; children: ReactNode }) => (
  <div className="illustrated">
    <div className="min-w-0 max-w-measure text-quiet-ink">{children}</div>
    {picture && (
      <div>
        <Picture {...picture} />
      </div>
    )}
  </div>
)

const Steps = ({ steps }: Pick<Guide, 'steps'>) => (
  <ol className="space-y-8">
    {steps.map(({ title, text, picture }, position) => (
      <li key={title} className="flex gap-4">
        <span
          aria-hidden="true"
          className="grid size-9 shrink-0 place-items-center rounded-full border border-hedge font-semibold text-hedge tabular-nums"
        >
          {position + 1}
        </span>
        <div className="min-w-0 flex-1">
          <h3 className="mt-1 mb-1 text-lg">{title}</h3>
          <Illustrated picture={picture}>{text}</Illustrated>
        </div>
      </li>
    ))}
  </ol>
)

const Troubles = ({ troubles }: Pick<Guide, 'troubles'>) => (
  <>
    <p className="max-w-measure text-quiet-ink">
      The likeliest causes come first. If none of these helps, write to us: <Page to="/support">support</Page>{' '}
      if you have an account, <Page to="/contact">contact</Page> if not. Say what the app shows as “Latest
      handshake”.
    </p>
    <dl className="mt-6 grid gap-x-12 gap-y-6 md:grid-cols-2">
      {[...troubles, ...TROUBLES].map(({ title, text }) => (
        <div key={title} className="min-w-0">
          <dt className="font-semibold">{title}</dt>
          <dd className="mt-1 text-quiet-ink">{text}</dd>
        </div>
      ))}
    </dl>
  </>
)

/** A guide below its heading. */
export const GuideView = ({ guide }: { guide: Guide }) => (
  <>
    <Contents />
    <Part id="need">
      <ul className="max-w-measure list-disc space-y-2 pl-5 text-quiet-ink">
        {guide.needs.map((need, index) => (
          <li key={index}>{need}</li>
        ))}
      </ul>
    </Part>
    <Part id="set-up">
      <Steps steps={guide.steps} />
    </Part>
    <Part id="check">
      <div className="max-w-measure text-quiet-ink">
        <Paragraphs>
          <p>
            Open <Page to="/check">Am I protected?</Page> on a device that uses the tunnel. It says whether
            you are going through one of our servers, and which address websites see.
          </p>
        </Paragraphs>
      </div>
    </Part>
    <Part id="kill-switch">
      <Illustrated picture={guide.killSwitchPicture}>{guide.killSwitch}</Illustrated>
    </Part>
    <Part id="dns">
      <div className="max-w-measure space-y-3 text-quiet-ink">
        <p>
          Before a page opens, your device looks up its name, and the resolver that answers knows where you
          are going. Your file sets our resolver, which can be reached only through the tunnel.
        </p>
        <div>{guide.dns}</div>
        <p>
          <Page to="/check">Am I protected?</Page> shows whether our resolver is answering.
        </p>
      </div>
    </Part>
    <Part id="at-start">
      <div className="max-w-measure text-quiet-ink">{guide.atStart}</div>
    </Part>
    <Part id="trouble">
      <Troubles troubles={guide.troubles} />
    </Part>
    <Part id="remove">
      <div className="max-w-measure space-y-3 text-quiet-ink">
        <div>{guide.remove}</div>
        <p>Your connection runs on until its last day, and you can add it again from its ticket.</p>
      </div>
    </Part>
  </>
)
