import { isScheduled, type UsdPerHour } from '@kerf/apis'
import { type Blocker, shortText } from '@kerf/engine'
import { launchedFor } from '../../nodeclaim/launched-for.ts'
import { isOwnedByDaemonSet } from '../../pod/pod-predicates.ts'
import type { ClusterState } from '../../state/cluster-state.ts'
import type { StateNode } from '../../state/state-node.ts'
import { type Assessment, blockersFor, candidateFor } from '../candidates/assessment.ts'
import { type Command, commandOutline } from '../commands/command.ts'
import type { DisruptionMethod, MethodExplanation } from '../methods/method.ts'
import { methods } from '../methods/methods.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { describeTermination, type TerminationProgress } from './termination-progress.ts'

/** The verdict of one disruption method on a node. */
export interface MethodVerdict {
  /** The name of the disruption method in JSON and metrics. */
  readonly method: string
  /** The name of the disruption method in texts for users. */
  readonly title: string
  /** Everything that blocks the disruption method for this node. Empty if it would disrupt the node now. */
  readonly blockers: readonly Blocker[]
  /** The action of the disruption method, in the words of the command's log message. */
  readonly move?: { readonly text: string; readonly savings?: UsdPerHour }
}

/** Why a node is not disrupted at present. */
export interface NodeExplanation {
  readonly node: string
  readonly nodePool?: string
  readonly price?: UsdPerHour
  /** The command under way that includes the node. Absent if there is none. */
  readonly underWay?: string
  /** The progress of the termination, if the node is being deleted. */
  readonly termination?: TerminationProgress
  /** The owners of the expected pods for which Kerf launched the node, as `Kind/namespace/name`. Absent for any other node. */
  readonly launchedFor?: readonly string[]
  /**
   * Set to true if the objects show no pod that has used the node: Kerf launched the node for expected pods, only daemon pods are bound to
   * it, and its NodeClaim records no earlier pod. If the controller itself also has no record of an earlier pod and plans no pod for the
   * node, it deletes the node.
   */
  readonly isUnused?: true
  /** The blockers that apply to every method. */
  readonly blockers: readonly Blocker[]
  readonly methods: readonly MethodVerdict[]
}

export interface ExplainDeps {
  readonly state: ClusterState
  readonly commandOf: (providerID: string) => Command | undefined
  readonly signal: AbortSignal
}

/**
 * Returns, for each disruption method, every reason why the method does not disrupt the node. Uses the checks of the methods and changes
 * nothing. `name` is the name of the Node or of the NodeClaim.
 */
export const explainNode = async (
  name: string,
  pass: DisruptionPass,
  deps: ExplainDeps,
): Promise<NodeExplanation | undefined> => {
  const assessment = pass.assessments.find(
    ({ state }) => state.name === name || state.claim?.metadata.name === name || state.node?.metadata.name === name,
  )
  if (assessment === undefined) return undefined
  const { state, candidate } = assessment
  const command = deps.commandOf(state.providerID)
  const termination = describeTermination(state, pass)
  const verdicts: MethodVerdict[] = []
  for (const method of methods) {
    const { explanation } = method
    if (explanation !== undefined) verdicts.push(await methodVerdict(method, explanation, assessment, pass, deps))
  }
  return {
    node: state.name,
    ...(state.nodePool === undefined ? {} : { nodePool: state.nodePool }),
    ...(candidate?.price === undefined ? {} : { price: candidate.price }),
    ...(command === undefined ? {} : { underWay: shortText(commandOutline(command)) }),
    ...(termination === undefined ? {} : { termination }),
    ...expectation(state),
    blockers: assessment.blockers,
    methods: verdicts,
  }
}

/** Returns the owners for which Kerf launched the node, and whether its pods and its NodeClaim show that no pod has used it. */
const expectation = ({ claim, pods }: StateNode): Pick<NodeExplanation, 'launchedFor' | 'isUnused'> => {
  const owners = claim === undefined ? [] : launchedFor(claim)
  if (owners.length === 0) return {}
  const isKnownUsed =
    claim?.status?.lastPodEventTime !== undefined || pods.some((pod) => isScheduled(pod) && !isOwnedByDaemonSet(pod))
  return { launchedFor: owners, ...(isKnownUsed ? {} : { isUnused: true }) }
}

const methodVerdict = async (
  method: DisruptionMethod,
  { title, simulate }: MethodExplanation,
  assessment: Assessment,
  pass: DisruptionPass,
  { state, signal }: ExplainDeps,
): Promise<MethodVerdict> => {
  const { candidate } = assessment
  const blockers: Blocker[] = [...blockersFor(assessment, method.class)]
  const verdict = { method: method.name, title, blockers }
  if (candidate === undefined) return verdict
  blockers.push(...method.eligibility(candidate, state))
  const budget = pass.budgets(method.reason).blocker(candidate.poolName)
  if (budget !== undefined) blockers.push(budget)
  // The simulation is needed only if the node may be disrupted.
  if (simulate === undefined || candidateFor(assessment, method.class) === undefined) return verdict
  const found = await simulate(candidate, pass, signal)
  if (found === undefined) return verdict
  if (!('code' in found)) {
    const { savings } = found
    return {
      ...verdict,
      move: { text: shortText(commandOutline(found)), ...(savings === undefined ? {} : { savings }) },
    }
  }
  blockers.push(found)
  return verdict
}
