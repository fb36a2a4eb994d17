import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Typography } from '@mui/material'
import { useMemo, useState } from 'react'
import { useDecisions } from '../cluster/use-events.ts'
import { useT } from '../locales/use-t.ts'
import { decisionsAt, reasonCounts, type Scope } from '../model/decisions.ts'
import { DecisionsTable } from '../parts/decisions-table.tsx'
import { Guard } from '../parts/guard.tsx'
import { Note } from '../parts/note.tsx'
import { useNow } from '../parts/use-now.ts'

const EVERYTHING: Scope = { kind: 'cluster' }
const MINUTE = 60_000
/** The range of the slider in minutes. API servers keep events for an hour or a few. */
const REACH = 360
/** Milliseconds before the chosen time within which a decision still counts. */
const WINDOW = 10 * MINUTE

const List = () => {
  const t = useT()
  const now = useNow(10_000)
  const { rows, isForbidden } = useDecisions(EVERYTHING)
  const [ago, setAgo] = useState(0)
  const shown = useMemo(
    () => (ago === 0 ? rows : decisionsAt(rows, now - ago * MINUTE, WINDOW)),
    [rows, ago, ago === 0 ? 0 : now],
  )
  const timeOf = (minutes: number): string =>
    minutes === 0 ? t('now') : new Date(now - minutes * MINUTE).toLocaleTimeString()
  return (
    <>
      <SectionBox title={t('decisions')}>
        {isForbidden && <Note tone="warning">{t('eventsForbidden')}</Note>}
        {/* Not MUI's slider: it fails on the host's palette. */}
        <Box component="label" sx={{ display: 'flex', gap: 2, alignItems: 'center', py: 1 }}>
          <span>{t('time')}</span>
          <input
            type="range"
            min={-REACH}
            max={0}
            step={5}
            value={-ago}
            aria-valuetext={timeOf(ago)}
            onChange={({ target }) => setAgo(-Number(target.value))}
            style={{ flex: 1 }}
          />
          <output style={{ minWidth: '6rem' }}>{timeOf(ago)}</output>
        </Box>
        <Typography variant="body2" sx={{ py: 1 }}>
          {reasonCounts(shown)
            .slice(0, 8)
            .map(({ reason, count }) => `${reason}: ${count}`)
            .join(' · ') || t('noDecisions')}
        </Typography>
      </SectionBox>
      <SectionBox title={t('podDecisions')}>
        <DecisionsTable rows={shown} about="pod" />
      </SectionBox>
      <SectionBox title={t('nodeDecisions')}>
        <DecisionsTable rows={shown} about="node" />
      </SectionBox>
    </>
  )
}

export const DecisionsPage = () => (
  <Guard>
    <List />
  </Guard>
)
