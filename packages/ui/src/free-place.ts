type Box = Pick<DOMRect, 'top' | 'bottom' | 'left' | 'right'>

const MARGIN_PX = 16
const STEP_PX = 8

/** How far above the lower edge of the window a box covers none of these, as low as it can; undefined where there is no room. */
export const freePlace = (box: Box, taken: readonly Box[], windowHeight: number): number | undefined => {
  const height = box.bottom - box.top
  const beside = taken.filter(({ left, right }) => left < box.right && right > box.left)
  for (let above = MARGIN_PX; above + height + MARGIN_PX <= windowHeight; above += STEP_PX) {
    const bottom = windowHeight - above
    if (!beside.some((one) => one.top < bottom && one.bottom > bottom - height)) return above
  }
  return undefined
}
