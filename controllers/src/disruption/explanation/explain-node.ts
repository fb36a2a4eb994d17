import { type Blocker, shortText, type UsdPerHour } from '@kerf/engine'
import type { ClusterState } from '../../state/cluster-state.ts'
import { type Assessment, blockersFor, candidateFor } from '../candidates/assessment.ts'
import type { Candidate } from '../candidates/candidate.ts'
import { type Command, type MethodName, outlineOf } from '../commands/command.ts'
import { driftBlocker } from '../methods/drift.ts'
import { eligibility } from '../methods/eligibility.ts'
import type { DisruptionPass } from '../passes/disruption-pass.ts'
import { moveOrBlocker } from './disruption-status.ts'
import { type TerminationProgress, terminationProgressOf } from './termination-progress.ts'

/** What one method makes of a node. */
export interface MethodVerdict {
  readonly method: Exclude<MethodName, 'multi-node'>
  /** Everything that is in the way; none when the method would take the node now. */
  readonly blockers: readonly Blocker[]
  /** What the method would do, as its command's text. */
  readonly move?: { readonly text: string; readonly savings: UsdPerHour }
}

/** Why a node is not being disrupted, at this moment. */
export interface NodeExplanation {
  readonly node: string
  readonly nodePool?: string
  readonly price?: UsdPerHour
  /** The command that takes the node, if one is under way. */
  readonly underWay?: string
  /** What the end of the node waits for, once it was deleted. */
  readonly departure?: TerminationProgress
  /** What is in the way of every method. */
  readonly blockers: readonly Blocker[]
  readonly methods: readonly MethodVerdict[]
}

export interface ExplainParts {
  readonly state: ClusterState
  readonly commandOf: (providerID: string) => Command | undefined
  readonly signal: AbortSignal
}

const METHODS = ['emptiness', 'static-drift', 'drift', 'single-node'] as const

/**
 * Every reason why each method leaves a node alone, by asking the methods' own questions; changes nothing. The name is
 * that of the Node or of the NodeClaim.
 */
export const explainNode = async (
  name: string,
  round: DisruptionPass,
  parts: ExplainParts,
): Promise<NodeExplanation | undefined> => {
  const assessment = round.assessments.find(
    ({ state }) => state.name === name || state.claim?.metadata.name === name || state.node?.metadata.name === name,
  )
  if (assessment === undefined) return undefined
  const { state, candidate } = assessment
  const command = parts.commandOf(state.providerID)
  const departure = terminationProgressOf(state, round)
  const methods: MethodVerdict[] = []
  for (const method of METHODS) methods.push(await verdictOf(method, assessment, round, parts))
  return {
    node: state.name,
    ...(state.nodePool === undefined ? {} : { nodePool: state.nodePool }),
    ...(candidate === undefined ? {} : { price: candidate.price }),
    ...(command === undefined ? {} : { underWay: shortText(outlineOf(command)) }),
    ...(departure === undefined ? {} : { departure }),
    blockers: assessment.blockers,
    methods,
  }
}

const verdictOf = async (
  method: (typeof METHODS)[number],
  assessment: Assessment,
  round: DisruptionPass,
  parts: ExplainParts,
): Promise<MethodVerdict> => {
  const isDrift = method === 'drift' || method === 'static-drift'
  const strictness = isDrift ? 'eventual' : 'graceful'
  const { candidate } = assessment
  const blockers: Blocker[] = [...blockersFor(assessment, strictness)]
  if (candidate === undefined) return { method, blockers }
  blockers.push(...eligibility(method, candidate, parts.state))
  const reason = isDrift ? 'Drifted' : method === 'emptiness' ? 'Empty' : 'Underutilized'
  const budget = round.budgets(reason).blocker(candidate.poolName)
  if (budget !== undefined) blockers.push(budget)
  // Whether its pods would fit elsewhere is only worth knowing of a node that could go.
  if (candidateFor(assessment, strictness) === undefined) return { method, blockers }
  if (method === 'drift') return { method, blockers: [...blockers, ...(await driftObstacles(candidate, round, parts))] }
  if (method !== 'single-node') return { method, blockers }
  const found = await consolidationObstacle(candidate, round, parts)
  if ('code' in found) return { method, blockers: [...blockers, found] }
  const move = { text: shortText(outlineOf(found)), savings: found.savings }
  return { method, blockers, move }
}

const driftObstacles = async (
  candidate: Candidate,
  round: DisruptionPass,
  { signal }: ExplainParts,
): Promise<readonly Blocker[]> => {
  if (!round.canSimulate) return [{ code: 'pools.none' }]
  const blocker = driftBlocker(await round.simulate([candidate], false, signal))
  return blocker === undefined ? [] : [blocker]
}

const consolidationObstacle = async (
  candidate: Candidate,
  round: DisruptionPass,
  { signal }: ExplainParts,
): Promise<Command | Blocker> => {
  if (!round.canSimulate) return { code: 'pools.none' }
  return moveOrBlocker(await round.consolidateAlone(candidate, signal), candidate, round)
}
