import { labelValueProblem, qualifiedNameProblem, type Taint, type TaintEffect } from '@kerf/apis'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { type DeploymentProblem, deploymentProblem, type Reading } from './problem.ts'

const EFFECTS: readonly TaintEffect[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/**
 * Reads the taints with which the MachineDeployment's Nodes register, from its annotation
 * (`providers/cluster-api/docs/spec/cluster-api.md#taints`).
 */
export const readDeclaredTaints = (deployment: MachineDeployment): Reading<readonly Taint[]> => {
  const value: Taint[] = []
  const problems: DeploymentProblem[] = []
  for (const part of (deployment.annotations[clusterApiAnnotations.taints] ?? '').split(',')) {
    if (part.trim() === '') continue
    const taint = parseTaint(part.trim())
    if (typeof taint !== 'string') value.push(taint)
    else problems.push(invalidTaint(deployment, part, taint))
  }
  return { value, problems }
}

/** Returns the taint, or a description of the error. */
const parseTaint = (text: string): Taint | string => {
  const colon = text.lastIndexOf(':')
  if (colon < 0) return 'the effect after a colon is missing'
  const effect = EFFECTS.find((known) => known === text.slice(colon + 1).trim())
  if (effect === undefined) return `the effect is not one of ${EFFECTS.join(', ')}`
  const [key = '', ...rest] = text.slice(0, colon).split('=')
  const value = rest.length === 0 ? undefined : rest.join('=').trim()
  const problem = qualifiedNameProblem(key.trim()) ?? (value === undefined ? undefined : labelValueProblem(value))
  if (problem !== undefined) return problem
  return { key: key.trim(), ...(value === undefined || value === '' ? {} : { value }), effect }
}

const invalidTaint = (deployment: MachineDeployment, found: string, detail: string): DeploymentProblem =>
  deploymentProblem(deployment, {
    reason: 'TaintInvalid',
    consequence: 'left-out',
    key: clusterApiAnnotations.taints,
    found,
    detail,
    remedy: 'write taints as key=value:Effect, with commas between them',
  })
