import { LabelVocabulary, labelDomain, labels, labelValueProblem, qualifiedNameProblem, setOwnValue } from '@kerf/apis'
import { clusterApiAnnotations, clusterApiLabels, clusterApiVocabulary } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import { type DeploymentProblem, deploymentProblem, type Reading } from './problem.ts'

type Labels = Readonly<Record<string, string>>

const vocabulary = new LabelVocabulary(clusterApiVocabulary)

/**
 * Returns the labels of the MachineDeployment's future Nodes: those that Cluster API copies from the template, overridden by those of the
 * labels annotation (`providers/cluster-api/docs/spec/cluster-api.md#labels`). Omits invalid labels.
 */
export const readNodeLabels = (deployment: MachineDeployment): Reading<Labels> => {
  const declared = deploymentDeclaredLabels(deployment)
  const { [clusterApiLabels.member]: _, ...merged } = {
    ...copiedLabels(deployment.templateLabels),
    ...declared.value,
  }
  return { value: merged, problems: declared.problems }
}

/** Returns the labels that Cluster API copies from a Machine to its Node. */
const copiedLabels = (template: Labels): Labels =>
  Object.fromEntries(Object.entries(template).filter(([key]) => isCopied(key)))

const isCopied = (key: string): boolean => {
  // Cluster API uses the part before the slash, or the whole key if it has no slash.
  const domain = key.includes('/') ? labelDomain(key) : key
  return (
    domain === 'node-role.kubernetes.io' ||
    isWithin(domain, 'node-restriction.kubernetes.io') ||
    isWithin(domain, 'node.cluster.x-k8s.io')
  )
}

const isWithin = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`)

const deploymentDeclaredLabels = (deployment: MachineDeployment): Reading<Labels> => {
  const found: Record<string, string> = {}
  const problems: DeploymentProblem[] = []
  for (const part of (deployment.annotations[clusterApiAnnotations.labels] ?? '').split(',')) {
    if (part.trim() === '') continue
    const split = part.indexOf('=')
    const key = vocabulary.normalize((split < 0 ? part : part.slice(0, split)).trim())
    const value = split < 0 ? undefined : part.slice(split + 1).trim()
    const problem = labelProblem(deployment, part, key, value)
    if (problem !== undefined) problems.push(problem)
    else if (value !== undefined) setOwnValue(found, key, value)
  }
  return { value: found, problems }
}

const labelProblem = (
  deployment: MachineDeployment,
  part: string,
  key: string,
  value: string | undefined,
): DeploymentProblem | undefined => {
  const annotation = clusterApiAnnotations.labels
  const common = { consequence: 'left-out', key: annotation, found: part } as const
  const detail = value === undefined ? 'this part has no "="' : (qualifiedNameProblem(key) ?? labelValueProblem(value))
  if (detail !== undefined) {
    const remedy = 'write labels as key=value, with commas between them'
    return deploymentProblem(deployment, { ...common, reason: 'LabelInvalid', detail, remedy })
  }
  if (key !== labels.nodePool && !vocabulary.isRestricted(key)) return undefined
  return deploymentProblem(deployment, {
    ...common,
    reason: 'LabelRestricted',
    detail: `${key} is set by Kerf or by the kubelet`,
    remedy: 'remove the label from the annotation',
  })
}
