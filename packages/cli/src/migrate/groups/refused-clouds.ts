import { CliError } from '@kerf/provider-kit/command-line'
import { isLoose, type Loose, looseAt, textMapOf, textOf } from '@kerf/provider-kit/documents'

const gke = (where: string): CliError =>
  new CliError(
    `${where} is of Google Kubernetes Engine, which Kerf has no provider for: its node pools are not read. Node groups of EC2 and EKS are, node pools of AKS, and templates of Cluster Autoscaler's KWOK provider`,
  )

/**
 * Refuses exports of GKE, which Kerf does not support.
 *
 * @throws CliError if the document is such an export
 */
export const refuseOtherClouds = (document: Loose, at: string): void => {
  const link = textOf(document['selfLink']) ?? ''
  if (link.includes('container.googleapis.com') || (isLoose(document['config']) && 'initialNodeCount' in document))
    throw gke(at)
  if (document['kind'] !== 'Node') return
  const labels = textMapOf(looseAt(document, 'metadata', 'labels'))
  const name = textOf(looseAt(document, 'metadata', 'name')) ?? ''
  if (labels['cloud.google.com/gke-nodepool'] !== undefined) throw gke(`node ${name}`)
}

/**
 * Refuses a Cluster Autoscaler whose cloud provider is GKE.
 *
 * @throws CliError if the provider is `gce` or `gke`
 */
export const refuseOtherProvider = (provider: string | undefined, object: string): void => {
  if (provider === 'gce' || provider === 'gke') throw gke(`${object} with --cloud-provider=${provider}`)
}
