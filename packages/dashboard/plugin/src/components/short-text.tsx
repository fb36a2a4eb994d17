import { Box, Tooltip } from '@mui/material'
import { forwardRef, type ReactNode } from 'react'

/** Truncates a text that is wider than its column. */
const Cut = forwardRef<HTMLElement, { readonly minWidth: string | number; readonly children: ReactNode }>(
  ({ minWidth, children, ...others }, ref) => (
    // A grid with the column `minmax(0, 1fr)` requests no width for its content, so a long text does not widen the
    // table.
    <Box
      component="span"
      ref={ref}
      sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', minWidth }}
      {...others}
    >
      <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {children}
      </Box>
    </Box>
  ),
)
Cut.displayName = 'Cut'

/**
 * Shows a text of any length within the column's width. A long text is truncated, and a tooltip shows it completely.
 */
export const ShortText = ({ text, children }: { readonly text: string; readonly children?: ReactNode }) => (
  <Tooltip title={text}>
    <Cut minWidth="9ch">{children ?? text}</Cut>
  </Tooltip>
)

/**
 * The width up to which a name is never truncated. On an ordinary screen, it leaves space for the other columns. In a
 * narrow window, the other columns scroll, so names get more space. They need it because the names of a Deployment's
 * pods differ only in their last letters.
 */
const NAME_WIDTH = { xs: '26ch', lg: '20ch' } as const

/**
 * Shows the name of a row. The column is at least as wide as the name, up to `NAME_WIDTH`, and wider if the other columns
 * leave space. A longer name is truncated, and a tooltip shows it completely.
 */
export const NameText = ({ text, children }: { readonly text: string; readonly children?: ReactNode }) => (
  <Tooltip title={text}>
    <Box
      component="span"
      data-name={text}
      sx={{
        display: 'block',
        // An invisible copy of the name makes the column wide enough.
        '&::before': {
          content: 'attr(data-name)',
          display: 'block',
          height: 0,
          maxWidth: NAME_WIDTH,
          overflow: 'hidden',
          visibility: 'hidden',
          whiteSpace: 'nowrap',
        },
      }}
    >
      <Cut minWidth={0}>{children ?? text}</Cut>
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
