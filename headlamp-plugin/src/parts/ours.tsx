import { Box } from '@mui/material'
import type { ReactNode } from 'react'

const STYLE = {
  // Where the keyboard is, on every control of the host's too: the heads of its tables do not show it.
  '& a:focus-visible, & button:focus-visible, & summary:focus-visible, & [tabindex]:focus-visible, & [role="button"]:focus-visible':
    { outline: '2px solid currentColor', outlineOffset: '1px' },
  // The head of a column goes on in another line where it has no room, and ends in no dots.
  '& .Mui-TableHeadCell-Content-Wrapper': { whiteSpace: 'normal', overflow: 'visible' },
}

/** What is ours on a page, with what the host's components lack. */
export const Ours = ({ children }: { readonly children: ReactNode }) => (
  <Box className="kerf" sx={STYLE}>
    {children}
  </Box>
)
