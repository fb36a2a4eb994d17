import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Typography } from '@mui/material'
import { useMemo, useState } from 'react'
import { liveItems, type LiveName, useLive } from '../cluster/live-objects.tsx'
import { useDecisions } from '../cluster/use-events.ts'
import { usePoolsAndClaims } from '../cluster/use-objects.ts'
import { DecisionsTable } from '../components/decisions-table.tsx'
import { EnglishNote } from '../components/english-note.tsx'
import { GroupList } from '../components/group-list.tsx'
import { Guard } from '../components/guard.tsx'
import { Note } from '../components/note.tsx'
import { ObservingNote } from '../components/observing-note.tsx'
import { Nothing } from '../components/panel.tsx'
import { sinceText } from '../components/pending-summary.tsx'
import { useNow } from '../components/use-now.ts'
import { eventText } from '../locales/reasons.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { decisionGroups, indexOwners } from '../model/decision-groups.ts'
import { type DecisionRow, decisionsAt, reasonCounts, type Scope } from '../model/decisions.ts'

const EVERYTHING: Scope = { kind: 'cluster' }
const MINUTE = 60_000
/** The range of the slider in minutes. API servers keep events for one hour or a few hours. */
const REACH = 360
/** The maximum number of milliseconds between a shown decision and the chosen time. */
const WINDOW = 10 * MINUTE

const OWNERS: readonly LiveName[] = ['pods', 'claims', 'nodes']

/**
 * Lists decisions by workload or NodePool and by reason. The user can open a line to see the decision about each
 * object.
 */
const Decisions = ({
  title,
  rows,
  about,
  now,
  isLoading,
}: {
  readonly title: string
  readonly rows: readonly DecisionRow[]
  readonly about: DecisionRow['about']
  readonly now: number
  readonly isLoading: boolean
}) => {
  const t = useT()
  const language = useLanguage()
  const lists = useLive(OWNERS)
  const [pods, claims, nodes] = [liveItems(lists, 'pods'), liveItems(lists, 'claims'), liveItems(lists, 'nodes')]
  const ownerOf = useMemo(() => indexOwners(pods, claims, nodes), [pods, claims, nodes])
  const groups = useMemo(
    () =>
      decisionGroups(
        rows.filter((row) => row.about === about),
        ownerOf,
      ),
    [rows, about, ownerOf],
  )
  const lines = groups.map((group) => ({
    ...group,
    counts: [
      group.about === 'pool'
        ? t('nodePool')
        : t(about === 'pod' ? 'podsCount' : 'nodesCount', { count: group.subjects }),
      sinceText(group.time, now),
      group.count > 1 ? t('times', { what: group.reason, count: group.count }) : group.reason,
    ],
    what: eventText(group, language),
    more: group.others > 0 ? t('otherReasons', { count: group.others }) : '',
    detail: '',
  }))
  return (
    <SectionBox title={title}>
      {lines.length === 0 && <Nothing>{t(isLoading ? 'loading' : 'noDecisions')}</Nothing>}
      <GroupList groups={lines}>{(group) => <DecisionsTable rows={group.rows} about={about} />}</GroupList>
    </SectionBox>
  )
}

const List = () => {
  const t = useT()
  const now = useNow(10_000)
  const { rows, isForbidden, isLoading } = useDecisions(EVERYTHING)
  const { pools } = usePoolsAndClaims()
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
        <EnglishNote />
        <ObservingNote rows={rows} pools={pools} now={now} />
        {/* A plain slider, because MUI's slider throws an error with Headlamp's palette. */}
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
            .join(' · ') || t(isLoading ? 'loading' : 'noDecisions')}
        </Typography>
      </SectionBox>
      <Decisions title={t('podDecisions')} rows={shown} about="pod" now={now} isLoading={isLoading} />
      <Decisions title={t('nodeDecisions')} rows={shown} about="node" now={now} isLoading={isLoading} />
    </>
  )
}

export const DecisionsPage = () => (
  <Guard>
    <List />
  </Guard>
)
