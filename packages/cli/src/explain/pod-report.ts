import { type FunnelStage, type PodExplanation, type PoolFunnel, reasonSentence, remedySentence } from '@kerf/engine'
import { type Style, table } from '@kerf/provider-kit/terminal'
import { podName } from '../plan/plan-document.ts'
import { launchedLine } from './launched-line.ts'

/** Removes the pool's name from the start of a sentence. The first column of the table already shows it. */
const withoutSubject = (pool: string, sentence: string): string => sentence.replace(`nodepool/${pool}: `, '')

const verdict = ({ nodePool, reason }: PoolFunnel): string =>
  reason === undefined ? 'could launch a node for it' : withoutSubject(nodePool, reasonSentence(reason))

const stagesText = (stages: readonly FunnelStage[]): string =>
  stages.map(({ constraint, offeringsLeft }) => `${constraint} ${offeringsLeft}`).join(' → ')

const headline = (explanation: PodExplanation, runsOn: string | undefined): string => {
  const name = podName(explanation.pod)
  const { place } = explanation
  const now = runsOn === undefined ? name : `${name} runs on ${runsOn}; planned again, it`
  switch (place.kind) {
    case 'node':
      return runsOn === place.node
        ? `${name} runs on ${runsOn} and would be scheduled there again`
        : `${now} would run on the node ${place.node}`
    case 'claim':
      return `${now} would run on a new node of NodePool ${place.nodePool}: ${place.instanceType} (${place.capacityType}) in ${place.zone}`
    case 'none':
      return runsOn === undefined ? `${name} is unschedulable` : `${now} would be unschedulable`
  }
}

/** The node in the output of `kerf plan` that would be launched for the pod. */
export interface PlannedNode {
  /** The number of this node in the column NEW of the plan. */
  readonly number: number
  /** The number of all new nodes in the plan. */
  readonly of: number
  readonly otherPods: readonly string[]
}

/** The node on which a pod runs or will run. */
export interface PodNode {
  /** The node on which the pod runs now. */
  readonly runsOn: string | undefined
  /** If the pod's node is still being launched: the step that is not complete yet, and why. */
  readonly awaits: string | undefined
  /** The owners for whose expected pods Kerf launched the planned node, as `Kind/namespace/name`. */
  readonly launchedFor: readonly string[]
  /** The new node for this pod in a plan of all pending pods. */
  readonly newNode: PlannedNode | undefined
}

/** Maximum number of pods that a line lists. */
const NAMED = 3

const newNodeLine = ({ number, of, otherPods }: PlannedNode): string => {
  const named = otherPods.slice(0, NAMED).join(', ')
  const more = otherPods.length > NAMED ? ` and ${otherPods.length - NAMED} more` : ''
  return `new node ${number} of ${of} in kerf plan, ${otherPods.length === 0 ? 'alone' : `with ${named}${more}`}`
}

/** Returns the text that `kerf explain pod` prints for people. */
export const podReport = (
  explanation: PodExplanation,
  { runsOn, awaits, launchedFor, newNode }: PodNode,
  style: Style,
): string => {
  const lines = [style('bold', headline(explanation, runsOn))]
  if (awaits !== undefined) lines.push(`  ${awaits}`)
  const launched = launchedLine(launchedFor)
  if (launched !== undefined) lines.push(`  ${launched}`)
  if (newNode !== undefined) lines.push(`  ${newNodeLine(newNode)}`)
  const { place, reasons, funnels, remedies } = explanation
  if (place.kind !== 'none') for (const reason of reasons) lines.push(`  ${reasonSentence(reason)}`)
  if (funnels.length > 0) {
    const [head = '', ...rows] = table(
      funnels,
      [
        { title: 'NODEPOOL', value: (row) => row.nodePool },
        { title: 'VERDICT', value: verdict },
        { title: 'OFFERINGS LEFT AFTER EACH CONSTRAINT', value: (row) => stagesText(row.stages) },
      ],
      style.width,
    )
    lines.push('', style('gray', head), ...rows)
  }
  const reported = new Set(funnels.map(({ nodePool }) => `nodepool/${nodePool}`))
  const others = place.kind === 'none' ? reasons.filter(({ subject }) => !reported.has(subject)) : []
  if (others.length > 0) lines.push('', ...others.map((reason) => `  ${reasonSentence(reason)}`))
  if (remedies.length > 0) {
    lines.push(
      '',
      style('bold', 'Any one of these would make it schedulable'),
      ...remedies.map((remedy) => `  ${remedySentence(remedy)}`),
    )
  } else if (place.kind === 'none')
    lines.push('', 'No single change of the pod, of a limit or of a policy would make it schedulable.')
  return `${lines.join('\n')}\n`
}
