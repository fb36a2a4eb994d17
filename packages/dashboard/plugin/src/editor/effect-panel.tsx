import { SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Typography } from '@mui/material'
import { useInstanceTypes } from '../cluster/use-instance-types.ts'
import { ClaimLink, NodeLink } from '../components/links.tsx'
import { Note } from '../components/note.tsx'
import { ShortText } from '../components/short-text.tsx'
import { type LoadedPolicies, WithPolicies } from '../components/with-policies.tsx'
import { useT } from '../locales/use-t.ts'
import { classChange } from '../model/class-change.ts'
import { classForecast } from '../model/class-forecast.ts'
import { type ChangeEffect, poolChange } from '../model/pool-change.ts'
import type { DriftingClaim } from '../model/pool-drift.ts'
import { type Fields, textAt } from '../model/read.ts'
import { KeptEffect, NodesAndCost, PendingEffect } from './forecast-notes.tsx'
import { useEditedObjects, useForecast } from './use-forecast.ts'

const MOST_ROWS = 20

const Drifting = ({ rows }: { readonly rows: readonly Partial<DriftingClaim>[] }) => {
  const t = useT()
  return (
    <SimpleTable
      columns={[
        {
          label: t('nodeClaim'),
          getter: ({ claim = '' }: Partial<DriftingClaim>) => (
            <ShortText text={claim}>
              <ClaimLink name={claim || undefined} />
            </ShortText>
          ),
        },
        {
          label: t('node'),
          getter: ({ node = '' }: Partial<DriftingClaim>) => (
            <ShortText text={node}>
              <NodeLink name={node || undefined} />
            </ShortText>
          ),
        },
        { label: t('reason'), gridTemplate: 'min-content', getter: ({ cause }: Partial<DriftingClaim>) => cause ?? '' },
      ]}
      data={rows.slice(0, MOST_ROWS) as Partial<DriftingClaim>[]}
    />
  )
}

const PoolEffect = ({ edited, loaded }: { readonly edited: Fields; readonly loaded: LoadedPolicies }) => {
  const t = useT()
  const { objects, notKnown, areAllPods, areBudgetsKnown, forbiddenPolicies, isLoading } = useEditedObjects(loaded)
  const { instanceTypes, vocabulary, prices, from } = useInstanceTypes(objects)
  const compute = (): ChangeEffect => {
    const stored = objects.pools.find((pool) => textAt(pool, 'metadata', 'name') === textAt(edited, 'metadata', 'name'))
    const status = (stored as Fields | undefined)?.['status']
    const after = { ...edited, ...(status === undefined ? {} : { status }) }
    return poolChange(after, objects, instanceTypes, vocabulary, notKnown, prices)
  }
  const inputs = [edited, objects, instanceTypes, vocabulary, prices, notKnown]
  const found = useForecast(isLoading || from === 'asking' ? undefined : compute, inputs)
  if (found === undefined) return <Typography>{t('loading')}</Typography>
  if (notKnown.has('claims')) return <Note tone="warning">{t('driftNotKnown')}</Note>
  if ('problem' in found) return <Note tone="warning">{found.problem}</Note>
  const { result: effect } = found
  if (effect === undefined) return null
  const { drifting, already, undone, exceeded, refusedByLimits } = effect
  return (
    <>
      <Note tone={drifting.length === 0 ? 'success' : 'warning'}>
        {drifting.length === 0 ? t('driftsNothing') : t('drifts', { count: drifting.length })}
      </Note>
      {drifting.length > 0 && <Drifting rows={drifting} />}
      {already.length > 0 && <Note>{t('driftsAlready', { count: already.length })}</Note>}
      {undone.length > 0 && <Note tone="success">{t('driftsNoMore', { count: undone.length })}</Note>}
      <KeptEffect forecast={effect} isDrifting={drifting.length > 0} {...{ areAllPods, areBudgetsKnown }} />
      {exceeded.length > 0 && <Note tone="warning">{t('limitsExceeded', { what: exceeded.join(', ') })}</Note>}
      <PendingEffect forecast={effect} refusedByLimits={refusedByLimits} />
      <NodesAndCost forecast={effect} />
      {from === 'seen' && <Note>{t('seenOnly')}</Note>}
      {forbiddenPolicies.length > 0 && (
        <Note tone="warning">{t('forbidden', { what: forbiddenPolicies.join(', ') })}</Note>
      )}
    </>
  )
}

const ClassEffect = ({
  original,
  edited,
  group,
  kind,
  loaded,
}: {
  readonly loaded: LoadedPolicies
  readonly original: unknown
  readonly edited: Fields
  readonly group: string
  readonly kind: string
}) => {
  const t = useT()
  const { objects, notKnown, areAllPods, areBudgetsKnown, forbiddenPolicies, isLoading } = useEditedObjects(loaded)
  const { instanceTypes, vocabulary, prices, from } = useInstanceTypes(objects)
  const change = classChange(original, edited, group, kind, objects.claims)
  const { fields, drifting, effect } = change
  const edit = { group, kind, before: original, after: edited, change }
  const compute = () => classForecast(edit, objects, instanceTypes, vocabulary, notKnown, prices)
  const inputs = [original, edited, objects, instanceTypes, vocabulary, prices, notKnown]
  const found = useForecast(isLoading || from === 'asking' || effect !== 'drift' ? undefined : compute, inputs)
  const isConditional = effect === 'may-drift'
  if (effect !== 'none' && isLoading) return <Typography>{t('loading')}</Typography>
  if (effect !== 'none' && notKnown.has('claims')) return <Note tone="warning">{t('driftNotKnown')}</Note>
  if (effect === 'none' || drifting.length === 0) return <Note tone="success">{t('driftsNothing')}</Note>
  const forecast = found !== undefined && 'result' in found && !isConditional ? found.result : undefined
  return (
    <>
      <Note tone="warning">
        {t(isConditional ? 'mayDrift' : 'drifts', { count: drifting.length, fields: fields.join(', ') })}
      </Note>
      <Drifting rows={drifting} />
      {forecast !== undefined && (
        <>
          <KeptEffect {...{ forecast, areAllPods, areBudgetsKnown }} isDrifting />
          <PendingEffect forecast={forecast} />
          <NodesAndCost forecast={forecast} />
          {from === 'seen' && <Note>{t('seenOnly')}</Note>}
          {forbiddenPolicies.length > 0 && (
            <Note tone="warning">{t('forbidden', { what: forbiddenPolicies.join(', ') })}</Note>
          )}
        </>
      )}
    </>
  )
}

/** Shows the effects that saving the text would have. The browser computes them while the user edits. */
export const EffectPanel = ({
  original,
  edited,
}: {
  readonly original: unknown
  readonly edited: Fields | undefined
}) => {
  const t = useT()
  const kind = textAt(original, 'kind') ?? ''
  const [group = ''] = (textAt(original, 'apiVersion') ?? '').split('/')
  return (
    <Box data-testid="kerf-effect">
      <Typography variant="subtitle1">{t('whatItWouldDo')}</Typography>
      {edited === undefined ? (
        <Typography>{t('notReadableText')}</Typography>
      ) : kind === 'NodePool' ? (
        <WithPolicies>{(loaded) => <PoolEffect edited={edited} loaded={loaded} />}</WithPolicies>
      ) : kind.endsWith('NodeClass') ? (
        <WithPolicies>{(loaded) => <ClassEffect {...{ original, edited, group, kind, loaded }} />}</WithPolicies>
      ) : (
        <Note>{t('overlayEffect')}</Note>
      )}
    </Box>
  )
}
