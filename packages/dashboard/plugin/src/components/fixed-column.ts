import type { Theme } from '@mui/material'

/**
 * Keeps a column of a table visible while the others scroll horizontally. `place` is the position of the column, counted from 1. In
 * Headlamp's lists of objects, the first column has the checkboxes.
 */
export const fixedColumn = (place: number) => ({
  [`& thead th:nth-of-type(${place}), & tbody td:nth-of-type(${place})`]: { position: 'sticky', left: 0, zIndex: 2 },
  [`& thead th:nth-of-type(${place})`]: { backgroundColor: ({ palette }: Theme) => palette.background.muted },
  [`& tbody td:nth-of-type(${place})`]: { backgroundColor: 'background.default' },
})

/** Narrower gaps between columns than Headlamp's, so that every important column fits on an ordinary screen. */
export const NARROW_GAPS = { '& thead th, & tbody td': { px: 0.75 } }
