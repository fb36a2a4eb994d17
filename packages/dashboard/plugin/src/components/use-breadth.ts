import { useMediaQuery } from '@mui/material'

/**
 * The width of the window in four steps: a very large screen, a large screen, a small screen, or a small screen with a
 * zoom of 200 %.
 */
export type Breadth = 'vast' | 'wide' | 'middle' | 'tight'

const ORDER: readonly Breadth[] = ['tight', 'middle', 'wide', 'vast']

/** Returns whether a window is wide enough for a column. */
export const isBroadEnough = (breadth: Breadth, needs: Breadth = 'tight'): boolean =>
  ORDER.indexOf(needs) <= ORDER.indexOf(breadth)

export const useBreadth = (): Breadth => {
  const isVast = useMediaQuery('(min-width: 1600px)', { noSsr: true })
  const isWide = useMediaQuery('(min-width: 1280px)', { noSsr: true })
  const isMiddle = useMediaQuery('(min-width: 1100px)', { noSsr: true })
  return isVast ? 'vast' : isWide ? 'wide' : isMiddle ? 'middle' : 'tight'
}
