import { labels } from '@kerf/apis'
import { clusterApiAnnotations } from '../names.ts'
import type { MachineDeployment } from '../objects/machine-deployment.ts'
import type { MachineFacts } from './machine-facts.ts'
import { type DeploymentProblem, deploymentProblem, type Reading } from './problem.ts'

type Labels = Readonly<Record<string, string>>

/** The labels that Kerf assumes on every Node if nothing declares them, as Cluster Autoscaler does. */
const ASSUMED: Labels = { [labels.arch]: 'amd64', [labels.os]: 'linux' }

export interface Platform {
  /** The labels of architecture and operating system. Both are always set. */
  readonly labels: Labels
  /** The keys of assumed labels. Plans use them, but Kerf does not write them to Nodes. */
  readonly assumed: readonly string[]
}

/**
 * Returns architecture and operating system from the first source that contains them: Nodes, the annotation, the machine template, or
 * Cluster Autoscaler's defaults (`providers/cluster-api/docs/spec/cluster-api.md#architecture-and-operating-system`).
 */
export const readPlatform = (
  deployment: MachineDeployment,
  nodeLabels: Labels,
  { observed, template }: MachineFacts,
): Reading<Platform> => {
  const found: Record<string, string> = {}
  const assumed: string[] = []
  const problems: DeploymentProblem[] = []
  const sources = [
    { key: labels.arch, seen: observed?.architecture, published: template?.architecture },
    { key: labels.os, seen: observed?.operatingSystem, published: template?.operatingSystem },
  ] as const
  for (const { key, seen, published } of sources) {
    const declared = nodeLabels[key]
    const known = seen ?? declared ?? published
    found[key] = known ?? ASSUMED[key] ?? ''
    if (known === undefined) assumed.push(key)
    if (seen !== undefined && declared !== undefined && seen !== declared) {
      problems.push(contradicted(deployment, `${key}=${declared}`, seen))
    }
  }
  return { value: { labels: found, assumed }, problems }
}

const contradicted = (deployment: MachineDeployment, found: string, seen: string): DeploymentProblem =>
  deploymentProblem(deployment, {
    reason: 'LabelContradicted',
    consequence: 'corrected',
    key: clusterApiAnnotations.labels,
    found,
    detail: `its Nodes report ${seen}`,
    remedy: 'correct the label in the annotation',
  })

/**
 * Returns a problem if Nodes have a zone that the MachineDeployment does not declare. Pods that need a zone could not be planned on its new
 * nodes.
 */
export const undeclaredZone = (
  deployment: MachineDeployment,
  declared: string | undefined,
  { observed }: MachineFacts,
): readonly DeploymentProblem[] =>
  declared !== undefined || observed?.zone === undefined
    ? []
    : [
        deploymentProblem(deployment, {
          reason: 'ZoneUndeclared',
          consequence: 'left-out',
          key: clusterApiAnnotations.labels,
          ...foundIn(deployment),
          detail: `its Nodes are in the zone ${observed.zone}, which is missing in the annotation`,
          remedy: `add ${labels.zone}=${observed.zone} to it if every machine of the deployment is in that zone; otherwise create a deployment for each zone`,
        }),
      ]

const foundIn = ({ annotations }: MachineDeployment): { readonly found?: string } => {
  const found = annotations[clusterApiAnnotations.labels]
  return found === undefined ? {} : { found }
}
