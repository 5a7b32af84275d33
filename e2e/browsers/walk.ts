import { until } from '@hedgerow/testing/until'
import type { Browser, Element } from './web-driver.ts'

/** What its person's browser, or another program in it, does to each page. */
export type Change = 'translated' | 'enlarged'

const PATIENCE_MS = 20_000
/** A press before the page's script runs comes to nothing: after so long it is repeated. */
const PRESS_MS = 4_000

const FIND = `
  const [selector, words] = arguments
  const say = (element) => (element.getAttribute('aria-label') ?? element.textContent).replace(/\\s+/g, ' ').trim()
  return [...document.querySelectorAll(selector)].find((element) =>
    (element.matches('option') || element.checkVisibility({ visibilityProperty: true })) && !element.disabled && (!words || say(element) === words))`

const CHANGES: Record<Change, string> = {
  // As browsers' translators do it: each text is taken out, and what it says stands in elements of the translator's.
  translated: `
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const text of texts) {
      if (!text.textContent.trim() || text.parentElement.closest('font, option, textarea')) continue
      const outer = document.createElement('font')
      const inner = document.createElement('font')
      inner.textContent = text.textContent
      outer.append(inner)
      text.replaceWith(outer)
    }`,
  enlarged: `document.documentElement.style.fontSize = '32px'`,
}

/** A person at that browser, who presses and types what is there to be seen. */
export const walkIn = (browser: Browser, changes: readonly Change[]) => {
  let presses = 0
  const change = async () => {
    for (const name of changes) await browser.run(CHANGES[name])
  }
  /** As soon as it is there. */
  const find = (selector: string, words = '', withinMs = PATIENCE_MS): Promise<Element> =>
    until(async () => {
      await change()
      const found = await browser.run<Element | null>(FIND, selector, words)
      if (!found) throw new Error(`There is no ${selector} to be seen that says “${words}”`)
      return found
    }, withinMs)
  /** Once more if the element has been replaced, or was covered, meanwhile. */
  const act = (selector: string, words: string, does: (element: Element) => Promise<void>) =>
    until(async () => {
      await does(await find(selector, words))
      return true
    }, PATIENCE_MS)
  // WebKitGTK presses only what is in view.
  const bringIntoView = (element: Element) =>
    browser.run("arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })", element)
  const press = (selector: string, words = '') =>
    act(selector, words, async (element) => {
      await bringIntoView(element)
      await browser.click(element)
    })
  const at = async (path: RegExp) => {
    await until(async () => path.test(await browser.run<string>('return location.pathname')), PATIENCE_MS)
  }
  return {
    get presses() {
      return presses
    },
    find,
    at,
    /** A picture with it in the middle. */
    picture: async (selector: string) => {
      await bringIntoView(await find(selector))
      return browser.picture()
    },
    opens: async (url: string) => {
      await browser.go(url)
      await change()
    },
    press: async (selector: string, words = '') => {
      presses++
      await press(selector, words)
    },
    pressUntil: async (selector: string, words: string, effect: { selector: string; words: string }) => {
      presses++
      await until(async () => {
        await press(selector, words)
        return find(effect.selector, effect.words, PRESS_MS)
      }, PATIENCE_MS)
    },
    type: (name: string, text: string) =>
      act(`[name="${name}"]`, '', (element) => browser.type(element, text)),
  }
}
