import { Dialog, SectionBox, SimpleTable, Table } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Accordion, AccordionDetails, AccordionSummary, Box, Button, DialogContent, Typography } from '@mui/material'
import { useMemo, useState } from 'react'
import { type AnyObject, Pod } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import { useDecisions } from '../cluster/use-events.ts'
import { useReportedDecisions } from '../cluster/use-reported.ts'
import type { Translate } from '../locales/translate.ts'
import { useT } from '../locales/use-t.ts'
import { newestByPod, type Scope } from '../model/decisions.ts'
import { constraintOf, pendingGroups } from '../model/pending-groups.ts'
import { type PendingPod, pendingPods } from '../model/pending-pods.ts'
import { type Refusal, reportedRefusals } from '../model/reported.ts'
import { ExplainPod } from '../parts/explain-pod.tsx'
import { Guard } from '../parts/guard.tsx'
import { NodeLink, PodLink, PoolLink } from '../parts/links.tsx'
import { Note } from '../parts/note.tsx'
import { sinceText, useReasonText } from '../parts/pending-summary.tsx'
import { Age } from '../parts/show-time.tsx'
import { useNow } from '../parts/use-now.ts'

/** Milliseconds between two questions to Kerf. */
const EVERY = 10_000
/** Beyond these the table below has the pods one by one. */
const MOST_GROUPS = 20
const EVERYTHING: Scope = { kind: 'cluster' }

type Columns = Parameters<typeof Table<PendingPod>>[0]['columns']

/** Which pod, and the button that explains it. */
const subjectColumns = (t: Translate, explain: (pod: PendingPod) => void): Columns => [
  {
    id: 'name',
    header: t('name'),
    accessorFn: ({ name }) => name,
    Cell: ({ row: { original } }) => <PodLink name={original.name} namespace={original.namespace} />,
    gridTemplate: 1.5,
  },
  {
    id: 'namespace',
    header: t('namespace'),
    accessorFn: ({ namespace }) => namespace,
    filterVariant: 'multi-select',
    gridTemplate: 'min-content',
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

/** Why it is pending, and since when. */
const reasonColumns = (t: Translate): Columns => [
  { id: 'workload', header: t('workload'), accessorFn: ({ workload }) => workload, gridTemplate: 'auto' },
  {
    id: 'reason',
    header: t('reason'),
    accessorFn: ({ reason }) => reason,
    filterVariant: 'multi-select',
    gridTemplate: 'auto',
  },
  { id: 'from', header: t('from'), accessorFn: ({ from }) => from, gridTemplate: 'min-content' },
  {
    id: 'message',
    header: t('message'),
    accessorFn: ({ message }) => message,
    Cell: ({ row: { original } }) => (
      <Box
        component="span"
        title={original.message}
        sx={{ display: '-webkit-box', WebkitLineClamp: 2, WebkitBoxOrient: 'vertical', overflow: 'hidden' }}
      >
        {original.message}
      </Box>
    ),
    gridTemplate: 2.5,
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

/** What it requests and where it is nominated for. */
const placeColumns = (t: Translate): Columns => [
  { id: 'cpu', header: t('cpu'), accessorFn: ({ cpu }) => cpu, gridTemplate: 'min-content' },
  { id: 'memory', header: t('memory'), accessorFn: ({ memory }) => memory, gridTemplate: 'min-content' },
  {
    id: 'nominated',
    header: t('nominatedNode'),
    accessorFn: ({ nominated }) => nominated ?? '',
    Cell: ({ row: { original } }) => <NodeLink name={original.nominated} />,
    gridTemplate: 'auto',
  },
]

/** One fact told once: the pods of a workload that are pending for the same reason, with what each NodePool lacks. */
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
  const reasonOf = useReasonText()
  const groups = useMemo(() => pendingGroups(pods), [pods])
  return (
    <Box sx={{ mb: 2 }}>
      {groups.slice(0, MOST_GROUPS).map((group) => {
        const { id, namespace, workload, pods: members, since, refusals, message } = group
        const [first] = members
        return (
          <Accordion key={id} disableGutters variant="outlined" TransitionProps={{ unmountOnExit: true }}>
            <AccordionSummary>
              <Box
                sx={{
                  display: 'grid',
                  gridTemplateColumns: 'minmax(10rem, 1.5fr) 6rem 7rem minmax(10rem, 3fr)',
                  gap: 2,
                  width: '100%',
                }}
              >
                <Typography variant="body2" noWrap title={`${namespace}/${workload}`}>
                  {`${namespace}/${workload.slice(workload.indexOf('/') + 1)}`}
                </Typography>
                <Typography variant="body2">{t('podsCount', { count: members.length })}</Typography>
                <Typography variant="body2">{sinceText(since, now)}</Typography>
                <Typography variant="body2" noWrap title={message}>
                  {reasonOf(group)}
                </Typography>
              </Box>
            </AccordionSummary>
            <AccordionDetails>
              {refusals.length === 0 ? (
                <Typography variant="body2">{message}</Typography>
              ) : (
                <SimpleTable
                  columns={[
                    {
                      label: t('nodePool'),
                      getter: ({ nodePool }: Refusal) => <PoolLink name={nodePool || undefined} />,
                    },
                    { label: t('refusedBy'), getter: ({ code }: Refusal) => t(`constraint.${constraintOf(code)}`) },
                    { label: t('nearestMiss'), getter: ({ text }: Refusal) => text },
                  ]}
                  data={[...refusals]}
                />
              )}
              {first !== undefined && (
                <Button size="small" onClick={() => explain(first)}>
                  {t('whatWouldHelpShort')}
                </Button>
              )}
              <Typography variant="caption" component="p">
                {members.map(({ name }) => name).join(', ')}
              </Typography>
            </AccordionDetails>
          </Accordion>
        )
      })}
      {groups.length > MOST_GROUPS && (
        <Typography variant="caption">{t('andMore', { count: groups.length - MOST_GROUPS })}</Typography>
      )}
    </Box>
  )
}

const List = () => {
  const t = useT()
  const { items, error } = Pod.useList({ fieldSelector: 'spec.nodeName=' }) as {
    readonly items: AnyObject[] | null
    readonly error?: unknown
  }
  const { rows: decisions } = useDecisions(EVERYTHING)
  const [asked, setAsked] = useState<PendingPod>()
  const now = useNow(EVERY)
  const reported = useReportedDecisions(now)
  const rows = useMemo(() => {
    const pods = (items ?? []).map(({ jsonData }) => jsonData)
    return pendingPods(pods, newestByPod(decisions), reportedRefusals(reported, pods))
  }, [items, decisions, reported])
  return (
    <SectionBox title={t('pendingPods')}>
      {isForbidden(error) && <Note tone="warning">{t('forbidden', { what: 'pods' })}</Note>}
      <Groups pods={rows} now={now} explain={setAsked} />
      <Table<PendingPod>
        emptyMessage={t(items === null ? 'notKnown' : 'nothingPending')}
        loading={items === null && !isForbidden(error)}
        rowsPerPage={[15, 50, 100]}
        data={rows as PendingPod[]}
        getRowId={({ id }) => id}
        columns={[...subjectColumns(t, setAsked), ...reasonColumns(t), ...placeColumns(t)]}
      />
      {asked !== undefined && (
        <Dialog
          open
          maxWidth="lg"
          fullWidth
          title={`${t('whyPending')}: ${asked.namespace}/${asked.name}`}
          onClose={() => setAsked(undefined)}
        >
          <DialogContent>
            <ExplainPod uid={asked.id} />
          </DialogContent>
        </Dialog>
      )}
    </SectionBox>
  )
}

export const PendingPodsPage = () => (
  <Guard>
    <List />
  </Guard>
)
