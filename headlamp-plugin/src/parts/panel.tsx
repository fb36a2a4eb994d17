import { Link } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Paper, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useT } from '../locales/use-t.ts'

/** Lines of a panel: all panels of the overview together fill one screen of 1440 by 900. */
export const MOST_ROWS = 5
/** A cell that answers a question is shown whole, on several lines: `&&` is stronger than what the row says of its cells. */
export const WHOLE = { '&&': { whiteSpace: 'normal' } } as const

/** A part of a page with its name, and where to find what is behind it. */
export const Panel = ({
  title,
  to,
  toText,
  children,
}: {
  readonly title: string
  /** The route behind it. */
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

/** A line of a panel: cells beside each other, cut where there is no room, whole on hover. */
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
      // A link beside words must not be told from them by its colour alone (WCAG 1.4.1).
      '& a': { textDecoration: 'underline' },
    }}
  >
    {children}
  </Box>
)

/** A cell whose text is cut where there is no room: whole on hover, with what else there is to say. */
export const Cell = ({ children, more = '' }: { readonly children: string; readonly more?: string }) => (
  <span title={more === '' || more === children ? children : `${children}\n${more}`}>{children}</span>
)

export const PanelList = ({ children }: { readonly children: ReactNode }) => (
  <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
    {children}
  </Box>
)

/** How many lines a panel has no room for, and where they are. */
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
