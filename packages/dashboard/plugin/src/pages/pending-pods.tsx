import { ownValue } from '@kerf/apis'
import { Dialog, SectionBox, SimpleTable, Table } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Button, DialogContent, Typography } from '@mui/material'
import { useMemo, useState } from 'react'
import { Pod } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import type { LiveName } from '../cluster/live-objects.tsx'
import { useComputedRefusals } from '../cluster/use-computed-refusals.ts'
import { usePodDecisions } from '../cluster/use-events.ts'
import { useKindList } from '../cluster/use-list.ts'
import { useReportedDecisions } from '../cluster/use-reported.ts'
import { EnglishNote } from '../components/english-note.tsx'
import { ExplainPod } from '../components/explain-pod.tsx'
import { fixedColumn, NARROW_GAPS } from '../components/fixed-column.ts'
import { GroupList } from '../components/group-list.tsx'
import { Guard } from '../components/guard.tsx'
import { NodeLink, PodLink, PoolLink } from '../components/links.tsx'
import { Note } from '../components/note.tsx'
import { sinceText, useReasonText } from '../components/pending-summary.tsx'
import { NameText, ShortText, TwoLines } from '../components/short-text.tsx'
import { Age } from '../components/show-time.tsx'
import { type Breadth, isBroadEnough, useBreadth } from '../components/use-breadth.ts'
import { useNow } from '../components/use-now.ts'
import { RaiseLimits } from '../editor/raise-limits.tsx'
import { reasonText } from '../locales/reasons.ts'
import type { Translate } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { newestByPod } from '../model/decisions.ts'
import { emptyKey } from '../model/list-state.ts'
import { constraintForCode, mergeGroups, pendingGroups } from '../model/pending-groups.ts'
import { type PendingPod, pendingPods } from '../model/pending-pods.ts'
import { type Refusal, reportedRefusals } from '../model/reported.ts'

/** Milliseconds between two requests to Kerf. */
const EVERY = 10_000
/** The lists that load first: pending pods are shown before the other lists are loaded. */
const PODS: readonly LiveName[] = ['pods']

/** The minimum window width for a column. Columns that are not listed are always shown. */
const NEEDS: Readonly<Record<string, Breadth>> = {
  workload: 'wide',
  cpu: 'vast',
  memory: 'vast',
  nominated: 'vast',
}

type Columns = Parameters<typeof Table<PendingPod>>[0]['columns']

/** Returns the columns with the pod and the button that explains it. */
const subjectColumns = (t: Translate, explain: (pod: PendingPod) => void): Columns => [
  {
    id: 'name',
    header: t('name'),
    accessorFn: ({ name }) => name,
    Cell: ({ row: { original } }) => (
      <NameText text={original.name}>
        <PodLink name={original.name} namespace={original.namespace} />
      </NameText>
    ),
    gridTemplate: 'minmax(min-content, max-content)',
  },
  {
    id: 'namespace',
    header: t('namespace'),
    accessorFn: ({ namespace }) => namespace,
    Cell: ({ row: { original } }) => <ShortText text={original.namespace} />,
    filterVariant: 'multi-select',
    gridTemplate: 'minmax(min-content, auto)',
  },
  {
    id: 'explain',
    header: t('why'),
    accessorFn: () => '',
    Cell: ({ row: { original } }) => (
      <Button
        size="small"
        aria-label={`${t('explain')} ${original.namespace}/${original.name}`}
        onClick={() => explain(original)}
      >
        {t('explain')}
      </Button>
    ),
    gridTemplate: 'min-content',
    enableSorting: false,
    enableColumnFilter: false,
  },
]

/** Returns the columns with the reason and how long the pod has been pending. */
const reasonColumns = (t: Translate): Columns => [
  {
    id: 'workload',
    header: t('workload'),
    accessorFn: ({ workload }) => workload,
    Cell: ({ row: { original } }) => <NameText text={original.workload} />,
    gridTemplate: 'minmax(min-content, max-content)',
  },
  {
    id: 'reason',
    header: t('reason'),
    accessorFn: ({ reason }) => reason,
    Cell: ({ row: { original } }) => <ShortText text={original.reason} />,
    filterVariant: 'multi-select',
    gridTemplate: 'minmax(min-content, auto)',
  },
  {
    id: 'type',
    header: t('type'),
    accessorFn: ({ type }) => type,
    filterVariant: 'multi-select',
    gridTemplate: 'min-content',
  },
  { id: 'from', header: t('from'), accessorFn: ({ from }) => from, gridTemplate: 'min-content' },
  {
    id: 'message',
    header: t('message'),
    accessorFn: ({ message }) => message,
    Cell: ({ row: { original } }) => <TwoLines text={original.message} />,
    gridTemplate: 'minmax(12ch, 2.5fr)',
  },
  {
    id: 'waiting',
    header: t('pendingFor'),
    accessorFn: ({ since }) => -(since ?? 0),
    Cell: ({ row: { original } }) => <Age of={original.since} />,
    gridTemplate: 'min-content',
    enableColumnFilter: false,
  },
]

/** Returns the columns with the pod's requests and its nominated node. */
const placeColumns = (t: Translate): Columns => [
  { id: 'cpu', header: t('cpu'), accessorFn: ({ cpu }) => cpu, gridTemplate: 'min-content' },
  { id: 'memory', header: t('memory'), accessorFn: ({ memory }) => memory, gridTemplate: 'min-content' },
  {
    id: 'nominated',
    header: t('nominatedNode'),
    accessorFn: ({ nominated }) => nominated ?? '',
    Cell: ({ row: { original } }) => (
      <ShortText text={original.nominated ?? ''}>
        <NodeLink name={original.nominated} />
      </ShortText>
    ),
    gridTemplate: 'minmax(min-content, 1fr)',
  },
]

/** Shows one group for the pods of a workload that are pending for the same reason, with the reason for each NodePool. */
const Groups = ({
  pods,
  now,
  explain,
}: {
  readonly pods: readonly PendingPod[]
  readonly now: number
  readonly explain: (pod: PendingPod) => void
}) => {
  const t = useT()
  const language = useLanguage()
  const reasonOf = useReasonText()
  const groups = useMemo(
    () =>
      mergeGroups(pendingGroups(pods), reasonOf).map((group) => ({
        ...group,
        owner: `${group.namespace}/${group.workload.slice(group.workload.indexOf('/') + 1)}`,
        counts: [t('podsCount', { count: group.pods.length }), sinceText(group.since, now)],
        what: reasonOf(group),
        detail: group.message,
      })),
    [pods, t, reasonOf, now],
  )
  return (
    <GroupList groups={groups}>
      {({ pods: members, refusals, message }) => (
        <>
          {refusals.length === 0 ? (
            <Typography variant="body2">{message}</Typography>
          ) : (
            <SimpleTable
              columns={[
                {
                  label: t('nodePool'),
                  getter: ({ nodePool }: Refusal) => <PoolLink name={nodePool || undefined} />,
                },
                { label: t('refusedBy'), getter: ({ code }: Refusal) => t(`constraint.${constraintForCode(code)}`) },
                {
                  label: t('nearestMiss'),
                  getter: ({ reason }: Refusal) => reasonText(reason, language),
                  gridTemplate: 2,
                },
              ]}
              data={[...refusals]}
            />
          )}
          <Box component="ul" sx={{ m: 0, mt: 1, p: 0, listStyle: 'none', display: 'grid', gap: 0.5 }}>
            {members.map((pod) => (
              <Box component="li" key={pod.id} sx={{ display: 'flex', alignItems: 'center', gap: 2, minWidth: 0 }}>
                <Box sx={{ flex: 1, minWidth: 0 }}>
                  <ShortText text={pod.name}>
                    <PodLink name={pod.name} namespace={pod.namespace} />
                  </ShortText>
                </Box>
                <Button
                  size="small"
                  aria-label={`${t('whatWouldHelpShort')} ${pod.namespace}/${pod.name}`}
                  onClick={() => explain(pod)}
                >
                  {t('whatWouldHelpShort')}
                </Button>
              </Box>
            ))}
          </Box>
        </>
      )}
    </GroupList>
  )
}

const List = () => {
  const t = useT()
  const { items, error, isLoading } = useKindList(Pod, { fieldSelector: 'spec.nodeName=' })
  const { rows: decisions } = usePodDecisions()
  const [asked, setAsked] = useState<PendingPod>()
  const now = useNow(EVERY)
  const reported = useReportedDecisions(now)
  const computed = useComputedRefusals((items ?? []).length > 0)
  const rows = useMemo(() => {
    const pods = (items ?? []).map(({ jsonData }) => jsonData)
    return pendingPods(pods, newestByPod(decisions), reportedRefusals(reported, pods), computed)
  }, [items, decisions, reported, computed])
  const breadth = useBreadth()
  const columns = useMemo(
    () =>
      [...subjectColumns(t, setAsked), ...reasonColumns(t), ...placeColumns(t)].filter(({ id }) =>
        isBroadEnough(breadth, ownValue(NEEDS, id ?? '')),
      ),
    [t, breadth],
  )
  return (
    <SectionBox title={t('pendingPods')}>
      {isForbidden(error) && <Note tone="warning">{t('forbidden', { what: 'pods' })}</Note>}
      <EnglishNote />
      <Groups pods={rows} now={now} explain={setAsked} />
      <Box sx={{ ...NARROW_GAPS, ...fixedColumn(1) }}>
        <Table<PendingPod>
          emptyMessage={t(items === null ? emptyKey(false, isLoading) : 'nothingPending')}
          loading={isLoading}
          rowsPerPage={[15, 50, 100]}
          data={rows as PendingPod[]}
          getRowId={({ id }) => id}
          columns={columns}
        />
      </Box>
      {asked !== undefined && (
        <Dialog
          open
          maxWidth="lg"
          fullWidth
          title={`${t('whyPending')}: ${asked.namespace}/${asked.name}`}
          onClose={() => setAsked(undefined)}
        >
          <DialogContent>
            <ExplainPod uid={asked.id} raiseView={RaiseLimits} />
          </DialogContent>
        </Dialog>
      )}
    </SectionBox>
  )
}

export const PendingPodsPage = () => (
  <Guard first={PODS}>
    <List />
  </Guard>
)
