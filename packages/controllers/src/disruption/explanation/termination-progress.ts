import { finalizers, findCondition, type KubeObject, type Milliseconds, parseTime } from '@kerf/apis'
import type { Blocker, TerminationBlocker } from '@kerf/engine'
import { DeadlineError, terminationDeadline } from '../../nodeclaim/deadline.ts'
import { isWaitingEviction, podKey } from '../../pod/pod-predicates.ts'
import type { StateNode } from '../../state/state-node.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'

/** The progress of a node's termination. */
export interface TerminationProgress {
  readonly since: Milliseconds
  /** When the pods of the node are deleted by force. Absent if the node has no terminationGracePeriod. */
  readonly deadline?: Milliseconds
  /** Why the current stage of the termination has not ended. May be empty. */
  readonly waitsFor: readonly Blocker[]
}

type Leaving = Pick<StateNode, 'node' | 'claim' | 'pods'>

/** Returns the progress, or undefined if the node is not being deleted or Kerf does not manage it. */
export const describeTermination = (
  leaving: Leaving,
  pass: Pick<DisruptionPass, 'now' | 'podBlockers'>,
): TerminationProgress | undefined => {
  const { node, claim } = leaving
  const isOurs = claim !== undefined || node?.metadata.finalizers?.includes(finalizers.termination) === true
  const since = parseTime(claim?.metadata.deletionTimestamp) ?? parseTime(node?.metadata.deletionTimestamp)
  if (since === undefined || !isOurs) return undefined
  const deadline = readDeadline(claim)
  if (typeof deadline === 'object') return { since, waitsFor: [deadline] }
  return {
    since,
    ...(deadline === undefined ? {} : { deadline }),
    waitsFor: currentStage(leaving, pass),
  }
}

const readDeadline = (claim: StateNode['claim']): Milliseconds | TerminationBlocker | undefined => {
  try {
    return claim === undefined ? undefined : terminationDeadline(claim)
  } catch (error) {
    if (error instanceof DeadlineError) return { code: 'deadline.unreadable', problem: error.message }
    throw error
  }
}

const currentStage = (
  { node, claim, pods }: Leaving,
  pass: Pick<DisruptionPass, 'now' | 'podBlockers'>,
): readonly Blocker[] => {
  const foreign = [node, claim].flatMap((object) => foreignFinalizers(object) ?? [])
  if (foreign.length > 0) return foreign
  const waiting = pods.filter((pod) => isWaitingEviction(pod, pass.now))
  if (waiting.length > 0) {
    const kept = pass.podBlockers(waiting)
    const names = waiting.map(podKey).filter((name) => !kept.some(({ pod }) => pod === name))
    return names.length === 0 ? kept : [...kept, { code: 'pods.leaving', pods: names }]
  }
  if (claim === undefined) return []
  if (findCondition(claim, 'InstanceTerminating')?.status === 'True') return [{ code: 'instance.ending' }]
  return findCondition(claim, 'VolumesDetached')?.status === 'Unknown' ? [{ code: 'volumes.attached' }] : []
}

/** Returns the finalizers of other programs that still block the deletion of the object after Kerf has removed its own finalizer. */
const foreignFinalizers = (object: KubeObject | undefined): TerminationBlocker | undefined => {
  const { name = '', deletionTimestamp, finalizers: present = [] } = object?.metadata ?? {}
  if (object === undefined || deletionTimestamp === undefined) return undefined
  if (present.length === 0 || present.includes(finalizers.termination)) return undefined
  return {
    code: 'finalizers.foreign',
    kind: object.kind === 'Node' ? 'Node' : 'NodeClaim',
    name,
    finalizers: present,
  }
}
