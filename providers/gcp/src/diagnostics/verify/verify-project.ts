import type { Clock, KubeClient } from '@kerf/runtime'
import type { GcpConnection } from '../../api/connect-gcp.ts'
import { BootstrapSource, sourcePool } from '../../bootstrap/bootstrap-source.ts'
import { ClusterFacts } from '../../discovery/cluster-facts.ts'
import { Instances } from '../../instances/instances.ts'
import { type GcpSettings, regionOfLocation } from '../../settings/gcp-settings.ts'
import { classFindings } from './class-findings.ts'
import {
  failed,
  isCredentialRefusal,
  type ProjectFinding,
  passed,
  refused,
  type Subject,
  skipped,
  warned,
} from './finding.ts'
import { actAsFinding, roleFinding } from './permission-findings.ts'
import { pricesFinding } from './prices-finding.ts'

export interface VerifiedProject extends Pick<GcpConnection, 'api' | 'iam' | 'billing'> {
  readonly settings: GcpSettings
  readonly clock: Clock
  /** The client of the cluster. Undefined if there is none. */
  readonly client: KubeClient | undefined
}

const LOCATION = 'correct CLUSTER_NAME, CLUSTER_LOCATION or NODE_LOCATION; "gcloud container clusters list" prints them'

/** Runs a check whose calls may fail. */
const attempt = async (
  subject: Subject,
  whenMissing: string,
  signal: AbortSignal,
  run: () => Promise<ProjectFinding>,
): Promise<ProjectFinding> => {
  try {
    return await run()
  } catch (error) {
    signal.throwIfAborted()
    return refused(subject, error, whenMissing)
  }
}

const clusterFinding = ({ api, settings }: VerifiedProject, signal: AbortSignal): Promise<ProjectFinding> => {
  const subject = { check: 'the GKE cluster can have nodes of Kerf', object: `cluster ${settings.clusterName}` }
  return attempt(subject, LOCATION, signal, async () => {
    const { version, zones, podRange, releaseChannel } = await api.gke.cluster(signal)
    const seen = `version ${version}, channel ${releaseChannel ?? 'none'}, zones ${zones.join(', ')}`
    return podRange === undefined
      ? failed(subject, `${seen}; it is not VPC-native`, 'use a VPC-native cluster: pods need alias addresses')
      : passed(subject, `${seen}, pods in range ${podRange}`)
  })
}

/**
 * Checks whether Kerf can read the template of the source node pool. Prints no part of the template, because it contains credentials of the
 * cluster.
 */
const sourceFinding = ({ api, settings, clock }: VerifiedProject, signal: AbortSignal): Promise<ProjectFinding> => {
  const subject = {
    check: 'the start of nodes can be copied from a node pool',
    object: `cluster ${settings.clusterName}`,
  }
  const remedy =
    'gcloud container node-pools create default-pool --num-nodes 0; DEFAULT_NODEPOOL_TEMPLATE_NAME names another pool'
  return attempt(subject, remedy, signal, async () => {
    const { clusterName: cluster, clusterLocation, defaultNodepoolTemplateName: pool } = settings
    const source = new BootstrapSource(api, clock, { cluster, region: regionOfLocation(clusterLocation), pool })
    await source.metadata(signal)
    return passed(subject, `node pool ${sourcePool(await api.gke.nodePools(signal), pool)}`)
  })
}

const typesFinding = ({ api, settings }: VerifiedProject, signal: AbortSignal): Promise<ProjectFinding> => {
  const region = regionOfLocation(settings.clusterLocation)
  const subject = { check: 'the region has instance types', object: `region ${region}` }
  return attempt(subject, 'correct CLUSTER_LOCATION', signal, async () => {
    const types = await api.compute.zonalTypes(region, signal)
    const zones = [...new Set(types.map(({ zone }) => zone))].toSorted()
    const count = new Set(types.map(({ facts }) => facts.name)).size
    return count === 0
      ? failed(subject, 'none', 'correct CLUSTER_LOCATION')
      : passed(subject, `${count} in ${zones.join(', ')}`)
  })
}

const instancesFinding = (
  { api, settings, clock }: VerifiedProject,
  facts: Pick<ClusterFacts, 'regionZones'>,
  signal: AbortSignal,
): Promise<ProjectFinding> => {
  const { clusterName, clusterLocation: location } = settings
  const subject = { check: 'the instances of the cluster can be listed', object: `cluster ${clusterName}` }
  return attempt(subject, LOCATION, signal, async () => {
    const instances = new Instances({ compute: api.compute, cluster: facts, clock, clusterName, location })
    return passed(subject, `${(await instances.list(signal)).length} of NodePools`)
  })
}

const channelsFinding = ({ api, settings }: VerifiedProject, signal: AbortSignal): Promise<ProjectFinding> => {
  const subject = { check: 'release channels can be read', object: `location ${settings.clusterLocation}` }
  return attempt(subject, LOCATION, signal, async () => {
    const channels = await api.gke.releaseChannels(signal)
    return channels.length === 0
      ? warned(subject, 'none', 'do not use spec.imageSelectorTerms[].channel here')
      : passed(subject, channels.map(({ name, defaultVersion }) => `${name} ${defaultVersion}`).join(', '))
  })
}

/**
 * Checks whether a project has everything that Kerf needs, without changing anything. Uses the caller's credentials, which are the
 * controller's in a pod and the user's elsewhere.
 *
 * @throws the signal's reason
 */
export const verifyProject = async (
  project: VerifiedProject,
  signal: AbortSignal,
): Promise<readonly ProjectFinding[]> => {
  const { api, iam, billing, settings, client, clock } = project
  const { projectID, clusterLocation, defaultNodepoolServiceAccount: configured, gcpCurrentPrices: isOn } = settings
  const credentials: Subject = { check: 'Google Cloud accepts the credentials', object: `project ${projectID}` }
  const rest: Subject = { check: 'permissions, cluster, types, prices, images and node classes', object: 'the project' }
  let first: ProjectFinding
  let ofProject: string | undefined
  try {
    ofProject = await api.compute.defaultServiceAccount(signal)
    first = passed(credentials, `default service account ${ofProject ?? 'none'}`)
  } catch (error) {
    signal.throwIfAborted()
    first = refused(credentials, error, 'correct PROJECT_ID; "gcloud projects list" prints the IDs')
    if (isCredentialRefusal(error)) return [first, skipped(rest, 'Google Cloud does not accept the credentials')]
  }
  const region = regionOfLocation(clusterLocation)
  // ClusterFacts reads the version of the API server from the cluster, so it needs a client.
  const facts = client === undefined ? undefined : new ClusterFacts({ api, client, clock }, region)
  const zones = { regionZones: (inner: AbortSignal) => api.compute.zones(region, inner) }
  const findings = await Promise.all([
    roleFinding(iam, projectID, signal),
    actAsFinding(iam, configured === '' ? ofProject : configured, signal),
    clusterFinding(project, signal),
    sourceFinding(project, signal),
    typesFinding(project, signal),
    instancesFinding(project, zones, signal),
    channelsFinding(project, signal),
    pricesFinding(billing, { region, isOn }, signal),
    classFindings(client, facts?.images, signal),
  ])
  return [first, ...findings.flat()]
}
