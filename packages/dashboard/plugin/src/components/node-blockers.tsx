import { blockerSentence } from '@kerf/engine'
import { K8s } from '@kinvolk/headlamp-plugin/lib'
import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useEffect, useMemo, useState } from 'react'
import { askKerf } from '../cluster/controller.ts'
import { useDecisions, useNodeJoin } from '../cluster/use-events.ts'
import { useNodeObjects, useReadable } from '../cluster/use-reported.ts'
import { blockerRemedyText, blockerText } from '../locales/reasons.ts'
import type { Language } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { blockingDecisions } from '../model/blocking-decisions.ts'
import type { Scope } from '../model/decisions.ts'
import { nodeAndClaim } from '../model/node-join.ts'
import { objectBlockers } from '../model/object-blockers.ts'
import { at, listAt, textAt } from '../model/read.ts'
import type { Readable } from '../model/reported.ts'
import { Note } from './note.tsx'
import { reportedBlockerText } from './reported-blocker-text.ts'
import { useNow } from './use-now.ts'

interface Row {
  readonly method: string
  readonly why: string
  readonly remedy: string
}

const answerRows = (answer: unknown, readable: Readable, language: Language): readonly Row[] => {
  const of = (method: string, blockers: readonly unknown[]): readonly Row[] =>
    blockers.map((blocker) => ({
      method,
      why: reportedBlockerText(blocker, readable, language),
      remedy: reportedBlockerText(blocker, readable, language, blockerRemedyText),
    }))
  const common = listAt(answer, 'blockers')
  const codes = new Set(common.map((each) => JSON.stringify(each)))
  return [
    ...of('', common),
    ...listAt(answer, 'methods').flatMap((verdict) => {
      const method = textAt(verdict, 'method') ?? ''
      const move = textAt(verdict, 'move', 'text')
      if (move !== undefined) return [{ method, why: '', remedy: move }]
      return of(
        method,
        listAt(verdict, 'blockers').filter((each) => !codes.has(JSON.stringify(each))),
      )
    }),
  ]
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
  const rows = isFromObjects
    ? [
        ...blockers.map((blocker) => ({
          method: blocker.code === 'budget.exhausted' ? blocker.reason : '',
          why: blockerText(blocker, language),
          remedy: blockerRemedyText(blocker, language),
        })),
        ...blockingDecisions(decisions, sentences).map(({ reason, message, count, others }) => ({
          method: count > 1 ? `${reason} (${count})` : reason,
          why: others > 0 ? `${message} (${t('otherReasons', { count: others })})` : message,
          remedy: '',
        })),
      ]
    : answerRows(answer, readable, language)
  return (
    <SectionBox title={t('whyKept')}>
      {isFromObjects && !isAsking && objects.unread.length > 0 && (
        <Note tone="warning">{t('forbidden', { what: objects.unread.join(', ') })}</Note>
      )}
      {isFromObjects && !isAsking && objects.isPart && <Note tone="warning">{t('podsInPart')}</Note>}
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
