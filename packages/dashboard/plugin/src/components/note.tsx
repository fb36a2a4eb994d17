import { Alert } from '@mui/material'
import type { ReactNode } from 'react'

/** Shows a note about what a page shows or cannot show. */
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
