import { type Blocker, blockerSentence } from '@kerf/engine'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useEffect, useMemo, useState } from 'react'
import { askKerf } from '../cluster/controller.ts'
import { useDecisions, useNodeJoin } from '../cluster/use-events.ts'
import { useNodeObjects, useReadable } from '../cluster/use-reported.ts'
import { blockerRemedyText, blockerText } from '../locales/reasons.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { blockingDecisions } from '../model/blocking-decisions.ts'
import type { Scope } from '../model/decisions.ts'
import { objectRows, reportedRows } from '../model/kept-rows.ts'
import { nodeAndClaim } from '../model/node-join.ts'
import { objectBlockers } from '../model/object-blockers.ts'
import { at, objectName, textAt } from '../model/read.ts'
import { Note } from './note.tsx'
import { reportedBlockerText } from './reported-blocker-text.ts'
import { useNow } from './use-now.ts'

interface Row {
  readonly method: string
  readonly why: string
  readonly remedy: string
}

const EVERY = 10_000
const useNames = (node: string | undefined, claim: string | undefined): Scope =>
  useMemo(() => ({ kind: 'node', names: new Set([node, claim].filter((each) => each !== undefined)) }), [node, claim])

/**
 * Shows why a node is not consolidated or disrupted in another way. Kerf reports every blocker of every disruption method. For Karpenter's
 * own controller, the latest events are shown.
 */
export const NodeBlockersSection = ({ kind, name }: { readonly kind: 'Node' | 'NodeClaim'; readonly name: string }) => {
  const t = useT()
  const language = useLanguage()
  const { node, claim } = nodeAndClaim(kind, name, useNodeJoin())
  const cluster = K8s.useCluster() ?? ''
  const now = useNow(EVERY)
  const [answer, setAnswer] = useState<unknown>('asking')
  useEffect(() => {
    let isOver = false
    void askKerf(cluster, `/kerf/v1/nodes/${encodeURIComponent(name)}`).then((found) => {
      if (!isOver) setAnswer(found)
    })
    return () => {
      isOver = true
    }
  }, [cluster, name, now])
  const { rows: decisions } = useDecisions(useNames(node, claim))
  const readable = useReadable()
  const objects = useNodeObjects()
  const underWay = textAt(answer, 'underWay')
  const isAsking = answer === 'asking' || (at(answer, 'methods') === undefined && objects.isLoading)
  const isReported = answer !== undefined
  const isFromObjects = at(answer, 'methods') === undefined
  const blockers = isFromObjects ? objectBlockers({ node, claim, ...objects }, now) : []
  const sentences = blockers.map(blockerSentence)
  const ofClaim = objects.claims.find((each) => objectName(each) === claim)
  const kept = isFromObjects ? objectRows(blockers, ofClaim) : reportedRows(answer)
  const textOf = (blocker: unknown, make: typeof blockerText): string =>
    isFromObjects ? make(blocker as Blocker, language) : reportedBlockerText(blocker, readable, language, make)
  const rows: readonly Row[] = [
    ...kept.map(({ method, blocker, move }) => ({
      method,
      why: move === undefined ? textOf(blocker, blockerText) : '',
      remedy: move ?? textOf(blocker, blockerRemedyText),
    })),
    ...(isFromObjects ? blockingDecisions(decisions, sentences) : []).map(({ reason, message, count, others }) => ({
      method: count > 1 ? `${reason} (${count})` : reason,
      why: others > 0 ? `${message} (${t('otherReasons', { count: others })})` : message,
      remedy: '',
    })),
  ]
  const ofEveryMethod = kept.filter(({ method }) => method === '').length
  return (
    <SectionBox title={t('whyKept')}>
      {isFromObjects && !isAsking && objects.unread.length > 0 && (
        <Note tone="warning">{t('forbidden', { what: objects.unread.join(', ') })}</Note>
      )}
      {isFromObjects && !isAsking && objects.isPart && <Note tone="warning">{t('podsInPart')}</Note>}
      {ofEveryMethod > 1 && <Note>{t('keptByAll', { count: ofEveryMethod })}</Note>}
      {underWay !== undefined && <Note tone="warning">{t('underWay', { what: underWay })}</Note>}
      <SimpleTable
        emptyMessage={isAsking ? t('loading') : t(isReported ? 'noBlockers' : 'noBlockersKnown')}
        columns={[
          { label: t('method'), getter: ({ method }: Row) => method || t('everyMethod') },
          { label: t('why'), getter: ({ why, remedy }: Row) => why || t('wouldBeDisrupted', { what: remedy }) },
          { label: t('remedy'), getter: ({ why, remedy }: Row) => (why === '' ? '' : remedy) },
        ]}
        data={[...rows]}
      />
    </SectionBox>
  )
}
