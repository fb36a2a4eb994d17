import { ownValue } from '@kerf/apis'
import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { useMemo } from 'react'
import { Pod } from '../cluster/classes.ts'
import type { LiveName } from '../cluster/live-objects.tsx'
import { usePodDecisions } from '../cluster/use-events.ts'
import { useKindList } from '../cluster/use-list.ts'
import { useReportedDecisions } from '../cluster/use-reported.ts'
import { Guard } from '../components/guard.tsx'
import { PodLink, PoolLink } from '../components/links.tsx'
import { Nothing } from '../components/panel.tsx'
import { ShortText, TwoLines } from '../components/short-text.tsx'
import { Age } from '../components/show-time.tsx'
import { Chip } from '../components/status-chip.tsx'
import { useNow } from '../components/use-now.ts'
import { WithPolicies } from '../components/with-policies.tsx'
import { useT } from '../locales/use-t.ts'
import type { PolicyObjects } from '../model/browser-policies.ts'
import { newestByPod } from '../model/decisions.ts'
import { emptyKey } from '../model/list-state.ts'
import { type PendingPod, pendingPods } from '../model/pending-pods.ts'
import {
  type CeilingRow,
  ceilingRows,
  type CommitmentRow,
  commitmentRows,
  podsAtCeiling,
  type PolicyRow,
  policyRows,
} from '../model/policies.ts'
import { reportedRefusals } from '../model/reported.ts'

/** Milliseconds between two requests to Kerf. */
const EVERY = 10_000
const PODS: readonly LiveName[] = ['pods']

const CEILING_TONES = { open: 'success', reached: 'warning', exceeded: 'error' } as const

const COMMITMENT_TONES = { Active: 'success', Pending: '', Ended: 'warning' } as const

const AcceptedChip = ({ accepted }: { readonly accepted: PolicyRow['accepted'] | undefined }) => {
  const t = useT()
  if (accepted === undefined) return <Chip text={t('policyState.unread')} tone="" detail="" />
  const detail = [accepted.reason, accepted.message].filter((text) => text !== '').join(': ')
  return accepted.status === 'True' ? (
    <Chip text={t('policyState.applied')} tone="success" detail={detail} />
  ) : (
    <Chip text={t('policyState.refused')} tone="error" detail={detail} />
  )
}

interface PoliciesProps {
  readonly rows: readonly PolicyRow[]
  /** The current effect of sections that the conditions of the policy do not describe, by the name of the section. */
  readonly uses: Readonly<Record<string, string>>
}

const Policies = ({ rows, uses }: PoliciesProps) => {
  const t = useT()
  return (
    <SimpleTable
      columns={[
        {
          label: t('nodePool'),
          getter: ({ pool }: PolicyRow) => (pool === undefined ? t('allNodePools') : <PoolLink name={pool} />),
        },
        { label: t('section'), getter: ({ section }: PolicyRow) => section },
        {
          label: t('policy'),
          getter: ({ kind, policy }: PolicyRow) => <ShortText text={`${kind} ${policy}`} />,
        },
        { label: t('status'), getter: ({ accepted }: PolicyRow) => <AcceptedChip accepted={accepted} /> },
        {
          label: t('doesNow'),
          getter: ({ section, accepted, now }: PolicyRow) => (
            <TwoLines
              text={[ownValue(uses, section) ?? '', ...now, accepted?.message ?? '']
                .filter((text) => text !== '')
                .join('. ')}
            />
          ),
          gridTemplate: 2,
        },
      ]}
      data={[...rows]}
    />
  )
}

const Ceilings = ({ rows }: { readonly rows: readonly CeilingRow[] }) => {
  const t = useT()
  return (
    <SimpleTable
      columns={[
        { label: t('resource'), getter: ({ name }: CeilingRow) => name },
        { label: t('ceiling'), getter: ({ ceiling }: CeilingRow) => ceiling },
        { label: t('inUse'), getter: ({ used }: CeilingRow) => used },
        { label: t('headroom'), getter: ({ headroom }: CeilingRow) => headroom },
        {
          label: t('status'),
          getter: ({ state }: CeilingRow) => (
            <Chip text={t(`ceilingState.${state}`)} tone={CEILING_TONES[state]} detail="" />
          ),
        },
      ]}
      data={[...rows]}
    />
  )
}

const Commitments = ({ rows }: { readonly rows: readonly CommitmentRow[] }) => {
  const t = useT()
  return (
    <SimpleTable
      columns={[
        { label: t('commitment'), getter: ({ name }: CommitmentRow) => <ShortText text={name} /> },
        { label: t('unit'), getter: ({ unit }: CommitmentRow) => unit },
        { label: t('covers'), getter: ({ covers }: CommitmentRow) => covers },
        { label: t('inUse'), getter: ({ used }: CommitmentRow) => used },
        { label: t('unused'), getter: ({ unused }: CommitmentRow) => unused },
        {
          label: t('status'),
          getter: ({ state }: CommitmentRow) =>
            state === '' ? '' : <Chip text={t(`commitmentState.${state}`)} tone={COMMITMENT_TONES[state]} detail="" />,
        },
      ]}
      data={[...rows]}
    />
  )
}

const Waiting = () => {
  const t = useT()
  const { items, isLoading } = useKindList(Pod, { fieldSelector: 'spec.nodeName=' })
  const { rows: decisions } = usePodDecisions()
  const now = useNow(EVERY)
  const reported = useReportedDecisions(now)
  const rows = useMemo(() => {
    const pods = (items ?? []).map(({ jsonData }) => jsonData)
    return podsAtCeiling(pendingPods(pods, newestByPod(decisions), reportedRefusals(reported, pods)))
  }, [items, decisions, reported])
  if (items === null) return <Nothing>{t(emptyKey(false, isLoading))}</Nothing>
  if (rows.length === 0) return <Nothing>{t('nothingWaitsForCeiling')}</Nothing>
  return (
    <SimpleTable
      columns={[
        {
          label: t('name'),
          getter: ({ name, namespace }: PendingPod) => (
            <ShortText text={name}>
              <PodLink name={name} namespace={namespace} />
            </ShortText>
          ),
        },
        { label: t('namespace'), getter: ({ namespace }: PendingPod) => namespace },
        { label: t('pendingFor'), getter: ({ since }: PendingPod) => <Age of={since} /> },
        { label: t('message'), getter: ({ message }: PendingPod) => <TwoLines text={message} />, gridTemplate: 2 },
      ]}
      data={[...rows]}
    />
  )
}

const Page = ({ clusterPolicies, poolPolicies }: PolicyObjects) => {
  const t = useT()
  const policies = useMemo(() => [...clusterPolicies, ...poolPolicies], [clusterPolicies, poolPolicies])
  const rows = useMemo(() => policyRows(policies), [policies])
  const ceilings = useMemo(() => ceilingRows(policies), [policies])
  const commitments = useMemo(() => commitmentRows(policies), [policies])
  const use = (name: string, used: string, limit: string): string => `${name}: ${t('limit', { used, limit })}`
  const uses = {
    ceilings: ceilings.map(({ name, used, ceiling }) => use(name, used, ceiling)).join(', '),
    commitments: commitments.map(({ name, used, covers }) => use(name, used, covers)).join(', '),
  }
  return (
    <>
      <SectionBox title={t('policies')}>
        {rows.length === 0 ? <Nothing>{t('noPolicies')}</Nothing> : <Policies rows={rows} uses={uses} />}
      </SectionBox>
      <SectionBox title={t('ceilings')}>
        {ceilings.length === 0 ? <Nothing>{t('noCeilings')}</Nothing> : <Ceilings rows={ceilings} />}
      </SectionBox>
      {commitments.length > 0 && (
        <SectionBox title={t('commitments')}>
          <Commitments rows={commitments} />
        </SectionBox>
      )}
      <SectionBox title={t('waitForCeiling')}>
        <Waiting />
      </SectionBox>
    </>
  )
}

/**
 * Shows which policy applies to which NodePool, the current effect of each policy, and how much of the ceilings and
 * commitments is used. Also shows which pods are pending because of a ceiling.
 */
export const PoliciesPage = () => (
  <Guard first={PODS}>
    <Box sx={{ minWidth: 0 }}>
      <WithPolicies>{({ objects }) => <Page {...objects} />}</WithPolicies>
    </Box>
  </Guard>
)
