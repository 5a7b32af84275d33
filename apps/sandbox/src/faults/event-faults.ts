import type { Delays } from '#delays.ts'
import type { FaultInjector } from '#faults/fault-injector.ts'
import { type Faults, type ShareName, shareOf } from '#faults/faults.ts'
import { type Html, html } from '#pages/html.ts'

type Needs = {
  faults: FaultInjector
  delays: Delays
  /** After the time that an outcome takes here. */
  later(work: () => void): void
}

type Sends = { once(): Promise<void>; copy(): void; forged(): void }

/** How long an event that is to come out of order waits for another to go first. */
const HELD_MS = 1_000

/**
 * Sends an event as the switches have it: lost, late, out of order, repeated, after a badly signed copy. The subject is
 * the same in all events of one payment. Answers whether it goes out at all.
 */
export const createEventSends = ({ faults, delays, later }: Needs) => {
  type Send = () => Promise<void>
  let held: Send | undefined
  const release = (): void => {
    const send = held
    held = undefined
    void send?.()
  }
  const sendNow = (send: Send): void => void send().then(release)
  /** Lets the next event go first, if there is one soon. */
  const hold = (send: Send): void => {
    if (held) {
      sendNow(send)
      return
    }
    held = send
    delays.after(HELD_MS, () => held === send && release())
  }

  return (subject: string, endpoint: string, { once, copy, forged }: Sends): boolean => {
    const { duplicateCallbacks, lateFromMs, lateToMs } = faults.switches
    const draw = faults.draws.forNext(subject, `event to ${endpoint}`)
    const isStruck = (name: ShareName): boolean => {
      const isHit = draw(name) < shareOf(faults.switches[name])
      if (isHit && (name !== 'duplicateRate' || duplicateCallbacks > 0)) faults.count(name)
      return isHit
    }
    if (isStruck('dropCallbacks')) return false
    if (isStruck('forgeCallbacks')) forged()
    const lateMs = isStruck('lateCallbacks') ? lateFromMs + draw('lateness') * (lateToMs - lateFromMs) : 0
    const copies = isStruck('duplicateRate') ? duplicateCallbacks : 0
    const send: Send = () => {
      for (let sent = 0; sent < copies; sent++) copy()
      return once()
    }
    const isHeld = isStruck('reorderCallbacks')
    if (lateMs > 0) delays.after(lateMs, () => void send())
    else later(() => (isHeld ? hold : sendNow)(send))
    return true
  }
}

/** The switches that a vendor with events heeds; the others are the first gateway's. */
const EVENT_FAULTS = {
  dropCallbacks: 'Events lost',
  reorderCallbacks: 'Events out of order',
  forgeCallbacks: 'Badly signed copy first',
  duplicateRate: 'Events repeated',
  duplicateCallbacks: 'Extra copies of each',
  lateCallbacks: 'Events late',
  lateFromMs: 'Late by at least, in ms',
  lateToMs: 'Late by at most, in ms',
  wrongSums: 'Answers with another sum before it is paid',
  failCalls: 'Calls answered with 500',
  hangCalls: 'Calls never answered',
  hangStatus: 'Questions never answered',
  dropCallsBeforeAccept: 'Connection broken before the call is accepted',
  dropCallsAfterAccept: 'Accepted, but the answer is lost',
} satisfies Partial<Record<keyof Faults, string>>
type EventFault = keyof typeof EVENT_FAULTS

export const eventFaultForm = (place: string, faults: Faults): Html => html`
<h2 id="faults">Faults</h2>
<p class="quiet">What share of events and calls they strike: 0 is never, 1 is always.</p>
<form class="sheet faults" method="post" action="${place}/faults"><div class="pair">${Object.entries(
  EVENT_FAULTS,
).map(
  ([name, label]) => html`
<div><label for="${name}">${label}</label>
<input type="number" id="${name}" name="${name}" value="${shareOf(faults[name as EventFault])}" min="0" step="any"></div>`,
)}</div><button>Set faults</button> <button class="second" name="clear" value="yes">Clear all</button></form>`
