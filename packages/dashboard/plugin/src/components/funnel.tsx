import type { FunnelStage, PodExplanation, Remedy } from '@kerf/engine'
import { SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Typography } from '@mui/material'
import type { ComponentType } from 'react'
import { constraintText, reasonText, remedyText } from '../locales/reasons.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import type { PoolVerdict } from '../model/pool-verdicts.ts'
import { PoolLink } from './links.tsx'

const Stage = ({ stage, of }: { readonly stage: FunnelStage; readonly of: number }) => (
  <Box
    sx={{
      display: 'grid',
      gridTemplateColumns: 'minmax(12rem, 2fr) minmax(6rem, 3fr) 5rem',
      gap: 1,
      alignItems: 'center',
    }}
  >
    <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
      {constraintText(stage.constraint, useLanguage())}
    </Typography>
    <Box
      sx={{
        height: 10,
        borderRadius: 1,
        width: `${of === 0 ? 0 : Math.max(stage.offeringsLeft === 0 ? 0 : 1, (stage.offeringsLeft / of) * 100)}%`,
        bgcolor: stage.offeringsLeft === 0 ? 'error.main' : 'primary.main',
      }}
    />
    <Typography variant="body2" align="right">
      {stage.offeringsLeft}
    </Typography>
  </Box>
)

/** Renders the button that proposes sufficient limits for a NodePool. */
export type RaiseView = ComponentType<NonNullable<Remedy['raise']>>

/**
 * Shows the node on which the pod can run. If there is none, shows each change that would make the pod schedulable by
 * itself.
 */
export const FunnelSummary = ({
  explanation: { place, remedies },
  raiseView: Raise,
}: {
  readonly explanation: PodExplanation
  readonly raiseView: RaiseView
}) => {
  const t = useT()
  const language = useLanguage()
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 1, width: '100%' }}>
      {place.kind === 'node' && <Typography>{t('fitsOn', { node: place.node })}</Typography>}
      {place.kind === 'claim' && (
        <Typography>
          {t('wouldLaunch', { type: place.instanceType, zone: place.zone, pool: place.nodePool })}
        </Typography>
      )}
      {remedies.length > 0 && (
        <Box>
          <Typography variant="subtitle2">{t(remedies.length === 1 ? 'thisWouldHelp' : 'whatWouldHelp')}</Typography>
          <ul style={{ margin: 0 }}>
            {remedies.map(({ kind, text, raise }) => (
              <li key={text}>
                {kind === 'drop' ? t('drop', { what: text }) : remedyText({ text }, language)}{' '}
                {raise !== undefined && <Raise {...raise} />}
              </li>
            ))}
          </ul>
        </Box>
      )}
    </Box>
  )
}

/**
 * Shows, for each NodePool, how many offerings remain after each constraint of a pod, down to the first constraint
 * that leaves none. `kerf explain pod` prints the same facts.
 */
export const FunnelView = ({ explanation: { funnels } }: { readonly explanation: PodExplanation }) => {
  const t = useT()
  const language = useLanguage()
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 1, width: '100%' }}>
      {funnels.map(({ nodePool, stages, reason }) => (
        <Box key={nodePool}>
          <Typography
            variant="subtitle2"
            component="div"
            sx={{ overflowWrap: 'anywhere', '& a': { textDecoration: 'underline' } }}
          >
            <PoolLink name={nodePool} />{' '}
            {reason === undefined ? t('couldLaunch') : reasonText({ ...reason, subject: '' }, language)}
          </Typography>
          {stages.map((stage, index) => (
            <Stage key={`${index}-${stage.constraint}`} stage={stage} of={stages[0]?.offeringsLeft ?? 0} />
          ))}
        </Box>
      ))}
    </Box>
  )
}

/**
 * Shows a row for each pool with the first constraint that leaves no offerings and the amount that was missing, or with
 * the reason why the pool launches no nodes.
 */
export const VerdictTable = ({ verdicts }: { readonly verdicts: readonly PoolVerdict[] }) => {
  const t = useT()
  const language = useLanguage()
  const name = (constraint: string | undefined) =>
    constraint === undefined ? t('couldLaunch') : constraintText(constraint, language)
  return (
    <SimpleTable
      emptyMessage={t('none')}
      columns={[
        { label: t('nodePool'), getter: (row: PoolVerdict) => <PoolLink name={row.nodePool} /> },
        {
          label: t('refusedBy'),
          getter: ({ constraint, leftOut }: PoolVerdict) =>
            leftOut === undefined ? name(constraint) : t(`leftOut.${leftOut}`),
        },
        { label: t('nearestMiss'), getter: ({ miss, detail }: PoolVerdict) => miss ?? detail ?? '' },
      ]}
      data={[...verdicts]}
    />
  )
}
