import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Paper, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useT } from '../locales/use-t.ts'

/**
 * Maximum number of lines in a panel. It is chosen so that all panels of the overview fit on one screen of 1440 by 900
 * pixels.
 */
export const MOST_ROWS = 5
/** Shows the whole text of a cell, on several lines if necessary. `&&` overrides the row's style for cells. */
export const WHOLE = { '&&': { whiteSpace: 'normal' } } as const

/** `&&` overrides the row's style for cells. */
const TWO_LINES = {
  '&&': {
    display: '-webkit-box',
    WebkitLineClamp: 2,
    WebkitBoxOrient: 'vertical',
    overflowWrap: 'anywhere',
    whiteSpace: 'normal',
  },
} as const

/** Shows a section of a page with a title and a link to the details. */
export const Panel = ({
  title,
  to,
  toText,
  children,
}: {
  readonly title: string
  /** The name of the route to the details. */
  readonly to?: string
  readonly toText?: string
  readonly children: ReactNode
}) => (
  <Paper variant="outlined" component="section" aria-label={title} sx={{ p: 1.5, minWidth: 0, overflow: 'hidden' }}>
    <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 1, mb: 0.5 }}>
      <Typography variant="subtitle1" component="h2">
        {title}
      </Typography>
      {to !== undefined && (
        <Typography variant="body2" component="span">
          <Link routeName={to}>{toText}</Link>
        </Typography>
      )}
    </Box>
    {children}
  </Paper>
)

/** Shows a line of a panel. Cells that are too long are truncated. Hovering shows the whole text. Names belong in a `NameCell`. */
export const PanelRow = ({ columns, children }: { readonly columns: string; readonly children: ReactNode }) => (
  <Box
    component="li"
    sx={{
      display: 'grid',
      gridTemplateColumns: columns,
      columnGap: 1.5,
      alignItems: 'baseline',
      py: '3px',
      fontSize: '0.85rem',
      '& > *': { minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
      // Colour alone must not mark a link within text (WCAG 1.4.1).
      '& a': { textDecoration: 'underline' },
    }}
  >
    {children}
  </Box>
)

/** Shows a cell that may be truncated. The tooltip shows the complete text and further details. */
export const Cell = ({ children, more = '' }: { readonly children: string; readonly more?: string }) => (
  <span title={more === '' || more === children ? children : `${children}\n${more}`}>{children}</span>
)

/** Shows the name of an object on up to two lines, so that an ordinary name is not truncated. Hovering shows `title`. */
export const NameCell = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Box component="span" title={title} sx={TWO_LINES}>
    {children}
  </Box>
)

/** Shows a cell with up to two lines. The tooltip shows the complete text. */
export const TallCell = ({ children }: { readonly children: string }) => (
  <NameCell title={children}>{children}</NameCell>
)

export const PanelList = ({ children }: { readonly children: ReactNode }) => (
  <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
    {children}
  </Box>
)

/** Shows how many lines the panel omits, with a link to them. */
export const More = ({ count, to }: { readonly count: number; readonly to: string }) => {
  const t = useT()
  return count > 0 ? (
    <Nothing>
      <Link routeName={to}>{t('andMore', { count })}</Link>
    </Nothing>
  ) : null
}

export const Nothing = ({ children }: { readonly children: ReactNode }) => (
  <Typography variant="body2" color="text.secondary" role="status">
    {children}
  </Typography>
)
