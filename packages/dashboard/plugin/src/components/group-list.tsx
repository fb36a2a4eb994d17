import { Icon } from '@iconify/react'
import { Accordion, AccordionDetails, AccordionSummary, Box, Typography } from '@mui/material'
import type { ReactNode } from 'react'
import { useT } from '../locales/use-t.ts'

/**
 * An arrow that marks a line that the user can expand. The icon is part of the plugin, because Headlamp would request an unknown icon from
 * the Internet.
 */
const OPENS = {
  body: '<path fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" d="M6 9l6 6 6-6"/>',
  width: 24,
  height: 24,
}

/** The maximum number of groups in a summary. */
const MOST_GROUPS = 20

/** One line, with a fact about several objects. */
export interface Group {
  readonly id: string
  /** The workload or NodePool that the objects belong to. */
  readonly owner: string
  /** Texts with the number of objects and the time since which the fact is true. */
  readonly counts: readonly string[]
  readonly what: string
  /** How many more reasons there are, as a text that is never truncated. Empty if there are none. */
  readonly more?: string
  /** Further details. */
  readonly detail: string
}

/** A Chinese character is as wide as two digits. */
const WIDE_CHARACTER = /[\u2e80-\uffef]/g

/**
 * Returns the width of a column of counts. It fits the longest text, so that the column starts at the same place in all
 * lines.
 */
const countWidth = (groups: readonly Group[], place: number): string => {
  const digits = groups.map(({ counts }) => (counts[place] ?? '').replace(WIDE_CHARACTER, '00').length)
  // Letters are narrower than digits.
  return `minmax(4rem, ${Math.ceil(Math.max(...digits) * 0.9)}ch)`
}

/** Shows facts as lines that the user can expand. An expanded line shows the fact for each of its objects. */
export const GroupList = <Each extends Group>({
  groups,
  children,
}: {
  readonly groups: readonly Each[]
  readonly children: (group: Each) => ReactNode
}) => {
  const t = useT()
  const shown = groups.slice(0, MOST_GROUPS)
  const widths = (shown[0]?.counts ?? []).map((_, place) => countWidth(shown, place))
  return (
    <Box sx={{ mb: 2 }}>
      {shown.map((group) => {
        const { id, owner, counts, what, more = '', detail } = group
        return (
          <Accordion key={id} disableGutters variant="outlined" TransitionProps={{ unmountOnExit: true }}>
            <AccordionSummary
              expandIcon={<Icon icon={OPENS} width="20px" height="20px" />}
              sx={{ '& .MuiAccordionSummary-content': { minWidth: 0 } }}
            >
              <Box
                sx={{
                  display: 'grid',
                  // In a narrow window, the text has its own line.
                  gridTemplateColumns: {
                    xs: `minmax(6rem, 1fr) ${widths.join(' ')}`,
                    lg: `minmax(6rem, 1.5fr) ${widths.join(' ')} minmax(14rem, 3fr)`,
                  },
                  columnGap: 2,
                  width: '100%',
                }}
              >
                <Typography variant="body2" noWrap title={owner}>
                  {owner}
                </Typography>
                {counts.map((count, place) => (
                  <Typography key={place} variant="body2" noWrap title={count}>
                    {count}
                  </Typography>
                ))}
                <Box sx={{ display: 'flex', gap: 1, minWidth: 0, gridColumn: { xs: '1 / -1', lg: 'auto' } }}>
                  <Typography
                    variant="body2"
                    noWrap
                    title={detail === '' || detail === what ? what : `${what}\n${detail}`}
                  >
                    {what}
                  </Typography>
                  {more !== '' && (
                    <Typography variant="body2" sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}>
                      {more}
                    </Typography>
                  )}
                </Box>
              </Box>
            </AccordionSummary>
            <AccordionDetails>{children(group)}</AccordionDetails>
          </Accordion>
        )
      })}
      {groups.length > MOST_GROUPS && (
        <Typography variant="caption">{t('andMore', { count: groups.length - MOST_GROUPS })}</Typography>
      )}
    </Box>
  )
}
