type Event = { at: number; order: number; happen: () => void }

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** Begins something, and calls `resume` when it is over: now, or later. */
export type Wait = (resume: () => void) => void

/** What somebody does, one step after the other; each step that is yielded is waited for. */
export type Steps<T = void> = Generator<Wait, T, void>

/**
 * A clock that jumps from event to event, in milliseconds. What falls on the same moment happens in the order in which it
 * was asked for, so that a run is the same each time.
 */
export class Clock {
  now = 0
  #order = 0
  /** A binary heap: each is before both of its children, at 2i + 1 and 2i + 2. */
  readonly #events: Event[] = []

  after(ms: number, happen: () => void): void {
    const events = this.#events
    const event = { at: this.now + ms, order: this.#order++, happen }
    let place = events.length
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = events[above] as Event
      if (isBefore(parent, event)) break
      events[place] = parent
      place = above
    }
    events[place] = event
  }

  pause = (ms: number): Wait => {
    return (resume) => this.after(ms, resume)
  }

  /** Does the steps; `done` hears what they came to. */
  start<T>(steps: Steps<T>, done?: (value: T) => void): void {
    const next = () => {
      const step = steps.next()
      if (step.done) done?.(step.value)
      else step.value(next)
    }
    next()
  }

  run(until: number): void {
    for (;;) {
      const [first] = this.#events
      if (!first || first.at > until) break
      this.#removeFirst()
      this.now = first.at
      first.happen()
    }
    this.now = until
  }

  #removeFirst(): void {
    const events = this.#events
    const last = events.pop() as Event
    if (events.length === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child >= events.length) break
      if (child + 1 < events.length && isBefore(events[child + 1] as Event, events[child] as Event)) child++
      if (isBefore(last, events[child] as Event)) break
      events[place] = events[child] as Event
      place = child
    }
    events[place] = last
  }
}
