import { Box } from '@mui/material'
import type { ReactNode } from 'react'
import { useLanguage } from '../locales/use-t.ts'
import { StaleNote } from './stale-note.tsx'

const STYLE = {
  // Shows the keyboard focus on every control, because Headlamp's table headers do not show it.
  '& a:focus-visible, & button:focus-visible, & summary:focus-visible, & [tabindex]:focus-visible, & [role="button"]:focus-visible':
    { outline: '2px solid currentColor', outlineOffset: '1px' },
  // Column titles wrap instead of being truncated.
  '& .Mui-TableHeadCell-Content-Wrapper': { whiteSpace: 'normal', overflow: 'visible' },
}

/** Wraps the plugin's part of a page in styles that Headlamp's components lack. */
export const Ours = ({ children }: { readonly children: ReactNode }) => (
  <Box className="kerf" lang={useLanguage()} sx={STYLE}>
    <StaleNote />
    {children}
  </Box>
)
