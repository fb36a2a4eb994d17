import { Box, Tooltip } from '@mui/material'
import type { ReactNode } from 'react'

/**
 * Shows a text of any length within the column's width. A long text is truncated, and a tooltip shows it completely.
 */
export const ShortText = ({ text, children }: { readonly text: string; readonly children?: ReactNode }) => (
  <Tooltip title={text}>
    {/* A grid with one column requests no width of its own, so a long text does not widen the table. */}
    <Box component="span" sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', minWidth: '9ch' }}>
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {children ?? text}
      </Box>
    </Box>
  </Tooltip>
)

/** Shows at most two lines of a text. A tooltip shows it completely. */
export const TwoLines = ({ text }: { readonly text: string }) => (
  <Box
    component="span"
    title={text}
    sx={{
      display: '-webkit-box',
      WebkitLineClamp: 2,
      WebkitBoxOrient: 'vertical',
      overflow: 'hidden',
      overflowWrap: 'anywhere',
    }}
  >
    {text}
  </Box>
)
