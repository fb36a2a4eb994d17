import type { Pod } from '@kerf/apis'
import { explainPod, type PodExplanation } from '@kerf/engine'
import { Loader } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useEffect, useMemo, useState } from 'react'
import { useInstanceTypes } from '../cluster/use-instance-types.ts'
import { useClusterObjects } from '../cluster/use-objects.ts'
import { reasonText } from '../locales/reasons.ts'
import type { Translate } from '../locales/translate.ts'
import { useLanguage, useT } from '../locales/use-t.ts'
import { browserCluster } from '../model/cluster-snapshot.ts'
import { type PendingState, pendingState, schedulerName } from '../model/pending-pods.ts'
import { podProblems, poolVerdicts } from '../model/pool-verdicts.ts'
import { errorMessage, textAt } from '../model/read.ts'
import { FunnelSummary, FunnelView, type RaiseView, VerdictTable } from './funnel.tsx'
import { Note } from './note.tsx'
import { usePoliciesInForce } from './use-policies-in-force.ts'
import { type LoadedPolicies, WithPolicies } from './with-policies.tsx'

/**
 * The maximum number of pods that are planned together with the given one. It is large enough to show competition for
 * nodes, and small enough for a page.
 */
const MOST_PODS = 300

const podUid = (pod: Pod): string => pod.metadata.uid ?? `${pod.metadata.namespace}/${pod.metadata.name}`

const stateText = (state: PendingState, pod: unknown, t: Translate): string => {
  switch (state) {
    case 'gated':
      return t('gated')
    case 'daemon':
      return t('podOfDaemonSet')
    case 'nominated':
      return t('nominatedFor', { node: textAt(pod, 'status', 'nominatedNodeName') ?? '' })
    case 'untried':
      return t('notTried', { scheduler: schedulerName(pod) })
    case 'unschedulable':
      return t('loading')
    case 'unknown':
      return t('notKnown')
    case 'none':
      return t('notPending')
  }
}

interface ExplainPodProps {
  readonly uid: string
  readonly raiseView: RaiseView
}

const Explained = ({ uid, raiseView, loaded }: ExplainPodProps & { readonly loaded: LoadedPolicies }) => {
  const t = useT()
  const language = useLanguage()
  const { objects, forbidden, notKnown, areAllPods, isLoading } = useClusterObjects()
  const inForce = usePoliciesInForce(loaded, objects.pools)
  const { instanceTypes, vocabulary, from } = useInstanceTypes(objects)
  const [explanation, setExplanation] = useState<PodExplanation | 'no pod' | { readonly problem: string }>()
  const cluster = useMemo(
    () => browserCluster(objects, instanceTypes, notKnown, inForce.policies),
    [objects, instanceTypes, notKnown, inForce.policies],
  )
  const missing = [...forbidden, ...inForce.forbidden]
  const isWaiting = isLoading || inForce.isLoading
  useEffect(() => {
    if (from === 'asking' || isWaiting) return undefined
    // Runs after the page is rendered, because planning may take a moment.
    const timer = setTimeout(() => {
      const pod = [...cluster.pending, ...cluster.untried].find((each) => podUid(each) === uid)
      if (pod === undefined) return setExplanation('no pod')
      const others = cluster.pending.filter((each) => each !== pod).slice(0, MOST_PODS - 1)
      try {
        setExplanation(explainPod(cluster.snapshot, [...others, pod], pod, { vocabulary, planBudget: 0 }))
      } catch (error) {
        setExplanation({ problem: errorMessage(error) })
      }
    }, 0)
    return () => clearTimeout(timer)
  }, [cluster, uid, from, isWaiting, vocabulary])
  if (explanation === undefined) return <Loader title={t('loading')} />
  const pod = objects.pods.find((each) => textAt(each, 'metadata', 'uid') === uid)
  const state = pendingState(pod)
  if (explanation === 'no pod') return <Note>{stateText(state, pod, t)}</Note>
  if ('problem' in explanation) return <Note tone="error">{explanation.problem}</Note>
  return (
    <>
      {state === 'untried' && <Note>{stateText(state, pod, t)}</Note>}
      {from === 'seen' && <Note>{t('seenOnly')}</Note>}
      {missing.length > 0 && <Note tone="warning">{t('forbidden', { what: missing.join(', ') })}</Note>}
      {!areAllPods && <Note tone="warning">{t('podsInPart')}</Note>}
      <FunnelSummary explanation={explanation} raiseView={raiseView} />
      {explanation.funnels.length === 0 &&
        explanation.reasons.map((reason) => {
          const sentence = reasonText(reason, language)
          return (
            <Note key={sentence} tone="warning">
              {sentence}
            </Note>
          )
        })}
      {podProblems(explanation).length === 0 && (
        <VerdictTable
          verdicts={poolVerdicts(explanation, objects, instanceTypes, (reason) => reasonText(reason, language))}
        />
      )}
      <FunnelView explanation={explanation} />
    </>
  )
}

/** Explains why a pod is pending. The engine computes the reason in the browser, from the objects that the user is allowed to list. */
export const ExplainPod = (props: ExplainPodProps) => (
  <WithPolicies>{(loaded) => <Explained {...props} loaded={loaded} />}</WithPolicies>
)
