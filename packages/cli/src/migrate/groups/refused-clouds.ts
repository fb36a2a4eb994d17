import { CliError } from '@kerf/provider-kit/command-line'
import { asText, asTextMap, isLoose, type Loose, looseAt } from '@kerf/provider-kit/documents'
import type { ProviderSource } from './provider-sources.ts'
import { readGroupsText } from './source-texts.ts'

/** Values of Cluster Autoscaler's flag `--cloud-provider` for GKE. */
const NAMES = ['gce', 'gke']

const isRead = (sources: readonly ProviderSource[]): boolean =>
  sources.some(({ cloudProviders }) => cloudProviders.some((name) => NAMES.includes(name)))

const gke = (where: string): CliError =>
  new CliError(
    `${where} is of Google Kubernetes Engine, which Kerf has no provider for: its node pools are not read. ${readGroupsText}`,
  )

/**
 * Refuses exports of GKE if no migration source reads them.
 *
 * @throws CliError if the document is such an export
 */
export const refuseOtherClouds = (document: Loose, at: string, sources: readonly ProviderSource[]): void => {
  if (isRead(sources)) return
  const link = asText(document['selfLink']) ?? ''
  if (link.includes('container.googleapis.com') || (isLoose(document['config']) && 'initialNodeCount' in document))
    throw gke(at)
  if (document['kind'] !== 'Node') return
  const labels = asTextMap(looseAt(document, 'metadata', 'labels'))
  const name = asText(looseAt(document, 'metadata', 'name')) ?? ''
  if (labels['cloud.google.com/gke-nodepool'] !== undefined) throw gke(`node ${name}`)
}

/**
 * Refuses a Cluster Autoscaler whose cloud provider is GKE.
 *
 * @throws CliError if the provider is `gce` or `gke`
 */
export const refuseOtherProvider = (
  provider: string | undefined,
  object: string,
  sources: readonly ProviderSource[],
): void => {
  if (provider !== undefined && NAMES.includes(provider) && !isRead(sources))
    throw gke(`${object} with --cloud-provider=${provider}`)
}
