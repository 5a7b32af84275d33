const HEADING = /^## \[(.+?)\](?: - (\d{4}-\d{2}-\d{2}))?$/

type Section = { name: string; date: string | undefined; text: string }

/** Each version's part, in the order of the file. */
export const sectionsOf = (changelog: string): Section[] => {
  const sections: Section[] = []
  for (const line of changelog.split('\n')) {
    const [, name, date] = HEADING.exec(line) ?? []
    if (name) sections.push({ name, date, text: '' })
    const current = sections.at(-1)
    if (current && !name) current.text += `${line}\n`
  }
  return sections.map((section) => ({ ...section, text: section.text.trim() }))
}

/** What it says of a version; undefined where that is nothing. */
export const sectionOf = (changelog: string, name: string): string | undefined =>
  sectionsOf(changelog).find((section) => section.name === name)?.text || undefined
