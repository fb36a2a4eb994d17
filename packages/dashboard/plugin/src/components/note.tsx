import { Alert } from '@mui/material'
import type { ReactNode } from 'react'

/** Shows a notice about what a page can or cannot show. */
export const Note = ({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'warning' | 'error' | 'success'
  readonly children: ReactNode
}) => (
  <Alert severity={tone} variant="outlined" sx={{ my: 1 }}>
    {children}
  </Alert>
)
