/** As browsers' translators do it: each text is taken out, and what it says stands in elements of the translator's. */
export const translatePage = (): void => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    if (!text.textContent?.trim()) continue
    const translation = document.createElement('font')
    translation.append(document.createElement('font'))
    translation.firstElementChild?.append(text.textContent)
    text.parentNode?.replaceChild(translation, text)
  }
}
