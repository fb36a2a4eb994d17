import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box } from '@mui/material'
import { useMemo } from 'react'
import { useClaimPods } from '../cluster/use-objects.ts'
import { useT } from '../locales/use-t.ts'
import { claimPhases, medians, type Phase, type PhaseName } from '../model/lifecycle.ts'
import { objectLabel } from '../model/read.ts'
import { showDuration } from './show-time.tsx'
import { useNow } from './use-now.ts'

const COLOURS: Readonly<Record<PhaseName, string>> = {
  waiting: 'warning.main',
  launching: 'info.main',
  registering: 'primary.main',
  initializing: 'success.main',
  draining: 'warning.dark',
  terminating: 'error.main',
}

/** Shows the phases of a NodeClaim with their durations, compared with the median of its NodePool. */
export const LifecycleSection = ({ claim }: { readonly claim: unknown }) => {
  const t = useT()
  const now = useNow(5_000)
  const { claims, podsOf } = useClaimPods()
  const pool = objectLabel(claim, 'karpenter.sh/nodepool')
  const found = claimPhases(claim, podsOf(claim))
  const usual = useMemo(
    () =>
      medians(
        claims.filter((each) => objectLabel(each, 'karpenter.sh/nodepool') === pool),
        podsOf,
      ),
    [claims, podsOf, pool],
  )
  const phaseLength = ({ from, to }: Phase): number => Math.max(0, (to ?? now) - from)
  const total = found.reduce((sum, phase) => sum + phaseLength(phase), 0)
  return (
    <SectionBox title={t('lifecycle')}>
      <Box aria-hidden sx={{ display: 'flex', height: 12, my: 1, borderRadius: 1, overflow: 'hidden' }}>
        {found.map((phase) => (
          <Box
            key={phase.name}
            title={t(`phase.${phase.name}`)}
            sx={{ width: `${total === 0 ? 0 : (phaseLength(phase) / total) * 100}%`, bgcolor: COLOURS[phase.name] }}
          />
        ))}
      </Box>
      <SimpleTable
        emptyMessage={t('none')}
        columns={[
          {
            label: t('phase'),
            getter: ({ name }: Phase) => (
              <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
                <Box aria-hidden sx={{ width: 10, height: 10, borderRadius: '50%', bgcolor: COLOURS[name] }} />
                {t(`phase.${name}`)}
              </Box>
            ),
          },
          {
            label: t('took'),
            getter: (phase: Phase) =>
              phase.to === undefined
                ? t('lasts', { time: showDuration(phaseLength(phase)) })
                : showDuration(phaseLength(phase)),
          },
          {
            label: t('poolMedian'),
            getter: ({ name }: Phase) => {
              const median = usual.get(name)
              return median === undefined
                ? '–'
                : t('medianOf', { time: showDuration(median.milliseconds), count: median.count })
            },
          },
        ]}
        data={[...found]}
      />
    </SectionBox>
  )
}
