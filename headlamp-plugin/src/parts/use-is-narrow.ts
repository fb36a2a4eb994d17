import { useMediaQuery } from '@mui/material'

/** Whether the window has no room for the columns that matter least. */
export const useIsNarrow = (): boolean => useMediaQuery('(max-width: 1279px)', { noSsr: true })
