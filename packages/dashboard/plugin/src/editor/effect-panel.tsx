import { SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Typography } from '@mui/material'
import { useEffect, useState } from 'react'
import { useInstanceTypes } from '../cluster/use-instance-types.ts'
import { useClusterObjects } from '../cluster/use-objects.ts'
import { ClaimLink, NodeLink } from '../components/links.tsx'
import { Note } from '../components/note.tsx'
import { reasonText } from '../locales/reasons.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { classChange } from '../model/class-change.ts'
import { type Change, type ChangeEffect, poolChange, type UnschedulablePod } from '../model/pool-change.ts'
import type { DriftingClaim } from '../model/pool-drift.ts'
import { showPrice } from '../model/price.ts'
import { type Fields, textAt } from '../model/read.ts'

const MOST_ROWS = 20

const Drifting = ({ rows }: { readonly rows: readonly Partial<DriftingClaim>[] }) => {
  const t = useT()
  return (
    <SimpleTable
      columns={[
        { label: t('nodeClaim'), getter: ({ claim }: Partial<DriftingClaim>) => <ClaimLink name={claim} /> },
        { label: t('node'), getter: ({ node }: Partial<DriftingClaim>) => <NodeLink name={node || undefined} /> },
        { label: t('reason'), getter: ({ cause }: Partial<DriftingClaim>) => cause ?? '' },
      ]}
      data={rows.slice(0, MOST_ROWS) as Partial<DriftingClaim>[]}
    />
  )
}

const PoolEffect = ({ edited }: { readonly edited: Fields }) => {
  const t = useT()
  const language = useLanguage()
  const { objects, notKnown, areAllPods, isLoading } = useClusterObjects()
  const { instanceTypes, vocabulary, from } = useInstanceTypes(objects)
  const [effect, setEffect] = useState<ChangeEffect | { readonly problem: string }>()
  useEffect(() => {
    if (isLoading || from === 'asking') return undefined
    // Waits until the user stops typing, because a plan for many pods takes time.
    const timer = setTimeout(() => {
      const stored = objects.pools.find(
        (pool) => textAt(pool, 'metadata', 'name') === textAt(edited, 'metadata', 'name'),
      )
      const status = (stored as Fields | undefined)?.['status']
      try {
        setEffect(
          poolChange(
            { ...edited, ...(status === undefined ? {} : { status }) },
            objects,
            instanceTypes,
            vocabulary,
            notKnown,
          ),
        )
      } catch (error) {
        setEffect({ problem: error instanceof Error ? error.message : String(error) })
      }
    }, 400)
    return () => clearTimeout(timer)
  }, [edited, objects, instanceTypes, vocabulary, notKnown, from, isLoading])
  if (effect === undefined) return <Typography>{t('loading')}</Typography>
  if (notKnown.has('claims')) return <Note tone="warning">{t('driftNotKnown')}</Note>
  if ('problem' in effect) return <Note tone="warning">{effect.problem}</Note>
  const { drifting, already, undone, kept, nodes, unschedulable, exceeded } = effect
  return (
    <>
      <Note tone={drifting.length === 0 ? 'success' : 'warning'}>
        {drifting.length === 0 ? t('driftsNothing') : t('drifts', { count: drifting.length })}
      </Note>
      {drifting.length > 0 && <Drifting rows={drifting} />}
      {already.length > 0 && <Note>{t('driftsAlready', { count: already.length })}</Note>}
      {undone.length > 0 && <Note tone="success">{t('driftsNoMore', { count: undone.length })}</Note>}
      {kept.after > 0 && <Note tone="warning">{t('driftsKept', { count: kept.after })}</Note>}
      {drifting.length > 0 && !areAllPods && <Note tone="warning">{t('podsInPart')}</Note>}
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
      {exceeded.length > 0 && <Note tone="warning">{t('limitsExceeded', { what: exceeded.join(', ') })}</Note>}
      <PendingEffect effect={effect} />
      {nodes !== undefined && nodes.after !== nodes.now && (
        <Typography>{t('nodesChange', { now: nodes.now, after: nodes.after })}</Typography>
      )}
      <CostEffect cost={effect.cost} />
      {from === 'seen' && <Note>{t('seenOnly')}</Note>}
    </>
  )
}

const isAny = ({ before, after }: Change): boolean => before > 0 || after > 0

/** Shows which pending pods get nodes, without the edit and with it. */
const PendingEffect = ({ effect: { pending, refusedByLimits, launched } }: { readonly effect: ChangeEffect }) => {
  const t = useT()
  const toneOf = ({ before, after }: Change) => (after > before ? 'error' : after < before ? 'success' : 'warning')
  return (
    <>
      {isAny(pending) && <Note tone={toneOf(pending)}>{t('pendingChange', { ...pending })}</Note>}
      {isAny(refusedByLimits) && <Note tone={toneOf(refusedByLimits)}>{t('limitChange', { ...refusedByLimits })}</Note>}
      {isAny(launched) && <Note>{t('launchChange', { ...launched })}</Note>}
    </>
  )
}

const CostEffect = ({ cost }: { readonly cost: ChangeEffect['cost'] }) => {
  const t = useT()
  if (cost === undefined) return null
  const [now, before, after] = [cost.now, cost.before, cost.after].map(showPrice)
  return (
    <>
      <Typography>{t('costChange', { before: now ?? '', after: after ?? '' })}</Typography>
      {before !== now && <Typography>{t('costWithoutChange', { cost: before ?? '' })}</Typography>}
      <Typography variant="caption">{t('costWithoutConsolidation')}</Typography>
    </>
  )
}

const ClassEffect = ({
  original,
  edited,
  group,
  kind,
}: {
  readonly original: unknown
  readonly edited: Fields
  readonly group: string
  readonly kind: string
}) => {
  const t = useT()
  const { objects, notKnown, isLoading } = useClusterObjects()
  const { fields, drifting, effect } = classChange(original, edited, group, kind, objects.claims)
  const isConditional = effect === 'may-drift'
  if (effect !== 'none' && isLoading) return <Typography>{t('loading')}</Typography>
  if (effect !== 'none' && notKnown.has('claims')) return <Note tone="warning">{t('driftNotKnown')}</Note>
  if (effect === 'none' || drifting.length === 0) return <Note tone="success">{t('driftsNothing')}</Note>
  return (
    <>
      <Note tone="warning">
        {t(isConditional ? 'mayDrift' : 'drifts', { count: drifting.length, fields: fields.join(', ') })}
      </Note>
      <Drifting rows={drifting} />
    </>
  )
}

/** Shows what saving the text would change. The browser computes it while the user edits. */
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
        <PoolEffect edited={edited} />
      ) : kind.endsWith('NodeClass') ? (
        <ClassEffect original={original} edited={edited} group={group} kind={kind} />
      ) : (
        <Note>{t('overlayEffect')}</Note>
      )}
    </Box>
  )
}
