import { SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Typography } from '@mui/material'
import { Note } from '../components/note.tsx'
import { reasonText } from '../locales/reasons.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import type { Change, EditForecast, UnschedulablePod } from '../model/edit-forecast.ts'
import { showPrice } from '../model/price.ts'

/** The maximum number of pods that the table shows. */
const MOST_ROWS = 20

/** Shows which drifted nodes are not replaced, and why. */
export const KeptEffect = ({
  forecast: { kept, unschedulable },
  isDrifting,
  areAllPods,
  areBudgetsKnown,
}: {
  readonly forecast: EditForecast
  readonly isDrifting: boolean
  readonly areAllPods: boolean
  readonly areBudgetsKnown: boolean
}) => {
  const t = useT()
  const language = useLanguage()
  return (
    <>
      {kept.after > 0 && <Note tone="warning">{t('driftsKept', { count: kept.after })}</Note>}
      {isDrifting && !areAllPods && <Note tone="warning">{t('podsInPart')}</Note>}
      {isDrifting && !areBudgetsKnown && <Note tone="warning">{t('budgetsNotIncluded')}</Note>}
      {unschedulable.length > 0 && (
        <>
          <Note tone="error">{t('unschedulablePods', { count: unschedulable.length })}</Note>
          <SimpleTable
            columns={[
              { label: t('pod'), getter: ({ pod }: UnschedulablePod) => pod },
              {
                label: t('why'),
                getter: ({ reason }: UnschedulablePod) => (reason === undefined ? '' : reasonText(reason, language)),
              },
            ]}
            data={unschedulable.slice(0, MOST_ROWS) as UnschedulablePod[]}
          />
        </>
      )}
    </>
  )
}

const isAny = ({ before, after }: Change): boolean => before > 0 || after > 0

/** Shows which pending pods get nodes if the object stays as stored, and which get nodes with the edit. */
export const PendingEffect = ({
  forecast: { pending, launched },
  refusedByLimits,
}: {
  readonly forecast: EditForecast
  readonly refusedByLimits?: Change
}) => {
  const t = useT()
  const toneOf = ({ before, after }: Change) => (after > before ? 'error' : after < before ? 'success' : 'warning')
  return (
    <>
      {isAny(pending) && <Note tone={toneOf(pending)}>{t('pendingChange', { ...pending })}</Note>}
      {refusedByLimits !== undefined && isAny(refusedByLimits) && (
        <Note tone={toneOf(refusedByLimits)}>{t('limitChange', { ...refusedByLimits })}</Note>
      )}
      {isAny(launched) && <Note>{t('launchChange', { ...launched })}</Note>}
    </>
  )
}

const CostEffect = ({ cost }: { readonly cost: NonNullable<EditForecast['cost']> }) => {
  const t = useT()
  const [now, before, after] = [cost.now, cost.before, cost.after].map(showPrice)
  return (
    <>
      <Typography>{t('costChange', { before: now ?? '', after: after ?? '' })}</Typography>
      {before !== now && <Typography>{t('costWithoutChange', { cost: before ?? '' })}</Typography>}
      <Typography variant="caption">{t('costWithoutConsolidation')}</Typography>
    </>
  )
}

/** Shows the number of nodes and the cost after the edit. */
export const NodesAndCost = ({ forecast: { nodes, cost } }: { readonly forecast: EditForecast }) => {
  const t = useT()
  return (
    <>
      {nodes !== undefined && nodes.after !== nodes.now && (
        <Typography>{t('nodesChange', { now: nodes.now, after: nodes.after })}</Typography>
      )}
      {cost !== undefined && <CostEffect cost={cost} />}
    </>
  )
}
