/** A round number not far above, so that the scale reads well and is filled. */
export const niceTop = (highest: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)))
  return ([1, 1.5, 2, 3, 4, 6, 8, 10].find((step) => step * power >= highest) ?? 10) * power
}
