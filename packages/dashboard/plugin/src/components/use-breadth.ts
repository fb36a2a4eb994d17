import { useMediaQuery } from '@mui/material'

/** The width of a window for columns: a large screen, a small one, or one at 200 %. */
export type Breadth = 'wide' | 'middle' | 'tight'

const ORDER: readonly Breadth[] = ['tight', 'middle', 'wide']

/** Returns whether the window is wide enough. */
export const isBroadEnough = (breadth: Breadth, needs: Breadth = 'tight'): boolean =>
  ORDER.indexOf(needs) <= ORDER.indexOf(breadth)

export const useBreadth = (): Breadth => {
  const isWide = useMediaQuery('(min-width: 1280px)', { noSsr: true })
  const isMiddle = useMediaQuery('(min-width: 1100px)', { noSsr: true })
  return isWide ? 'wide' : isMiddle ? 'middle' : 'tight'
}
