import { matchesRequirements, type SelectorRequirement, selectorRequirementProblem } from '@kerf/apis'
import { clusterApiLabels } from '../names.ts'
import type { ClusterAPINodeClass } from '../node-class/cluster-api-node-class.ts'
import type { MemberProblem } from './member-problem.ts'

/** How a node class selects MachineDeployments by their labels. */
export interface Selection {
  /** Whether the node class has its own selector. If not, it selects by the member label. */
  readonly isOwn: boolean
  matches(labels: Readonly<Record<string, string>>): boolean
}

const byMemberLabel: Selection = { isOwn: false, matches: (labels) => labels[clusterApiLabels.member] === '' }

const OPERATORS: readonly SelectorRequirement['operator'][] = ['In', 'NotIn', 'Exists', 'DoesNotExist']

/**
 * Returns the selector of a node class (`providers/cluster-api/docs/spec/cluster-api.md#members`). The CRD accepts any text in it. If Kerf
 * cannot parse the selector, the class selects nothing, and the result contains the problems.
 */
export const readSelection = (nodeClass: ClusterAPINodeClass): Selection | readonly MemberProblem[] => {
  const { matchLabels = {}, matchExpressions = [] } = nodeClass.spec?.scalableResourceSelector ?? {}
  const requirements: SelectorRequirement[] = []
  const wrong: string[] = []
  const add = (requirement: SelectorRequirement): void => {
    const problem = selectorRequirementProblem(requirement)
    if (problem === undefined) requirements.push(requirement)
    else wrong.push(problem)
  }
  for (const [key, value] of Object.entries(matchLabels)) add({ key, operator: 'In', values: [value] })
  for (const { key, operator: text, values = [] } of matchExpressions) {
    const operator = OPERATORS.find((each) => each === text)
    if (operator === undefined)
      wrong.push(`operator ${JSON.stringify(text)} on ${JSON.stringify(key)} is not one of ${OPERATORS.join(', ')}`)
    else add({ key, operator, values })
  }
  if (wrong.length > 0) return wrong.map((detail) => invalid(nodeClass, detail))
  if (requirements.length === 0) return byMemberLabel
  return { isOwn: true, matches: (labels) => matchesRequirements(requirements, labels) }
}

const invalid = (nodeClass: ClusterAPINodeClass, detail: string): MemberProblem => ({
  reason: 'SelectorInvalid',
  consequence: 'not-used',
  object: { kind: 'ClusterAPINodeClass', name: nodeClass.metadata.name },
  detail: `spec.scalableResourceSelector cannot be read: ${detail}`,
  remedy: 'correct it',
})
