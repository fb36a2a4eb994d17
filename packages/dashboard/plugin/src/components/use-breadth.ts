import { useMediaQuery } from '@mui/material'

/** The width of the window in three steps: a large screen, a small screen, or a small screen with a zoom of 200 %. */
export type Breadth = 'wide' | 'middle' | 'tight'

const ORDER: readonly Breadth[] = ['tight', 'middle', 'wide']

/** Returns whether a window is wide enough for a column. */
export const isBroadEnough = (breadth: Breadth, needs: Breadth = 'tight'): boolean =>
  ORDER.indexOf(needs) <= ORDER.indexOf(breadth)

export const useBreadth = (): Breadth => {
  const isWide = useMediaQuery('(min-width: 1280px)', { noSsr: true })
  const isMiddle = useMediaQuery('(min-width: 1100px)', { noSsr: true })
  return isWide ? 'wide' : isMiddle ? 'middle' : 'tight'
}
