import type { Front } from '#testing/test-shop.ts'

export type Metric = { name: string; labels: Record<string, string>; value: number }

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/

const labelsIn = (text = ''): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/\b(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]),
  )

/** Everything that the shop tells Prometheus now. */
export const scrape = async ({ metricsUrl }: Pick<Front, 'metricsUrl'>): Promise<Metric[]> => {
  const text = await (await fetch(metricsUrl)).text()
  return text
    .split('\n')
    .map((line) => LINE.exec(line))
    .filter((match) => match !== null)
    .map(([, name = '', labels, value]) => ({ name, labels: labelsIn(labels), value: Number(value) }))
}

/** The value of one, by its name and the labels that matter; undefined where there is none. */
export const metric = async (
  front: Pick<Front, 'metricsUrl'>,
  name: string,
  labels: Record<string, string> = {},
): Promise<number | undefined> =>
  (await scrape(front)).find(
    (one) =>
      one.name === name && Object.entries(labels).every(([label, value]) => one.labels[label] === value),
  )?.value
