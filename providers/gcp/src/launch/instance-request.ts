import { labels, type NodeClaim } from '@kerf/apis'
import { CreateError, offeringCoordinates } from '@kerf/provider-contract'
import type { LaunchOption } from '@kerf/provider-kit'
import type { InstanceRequest } from '../api/gcp-api.ts'
import { nodePlan } from '../bootstrap/node-plan.ts'
import type { MakeMetadata } from '../bootstrap/node-start.ts'
import type { ClusterFacts } from '../discovery/cluster-facts.ts'
import { ownerProblem } from '../instances/instance-labels.ts'
import { instanceName, instanceNameProblem } from '../instances/instance-names.ts'
import type { GCENodeClass } from '../node-class/gce-node-class.ts'
import type { TypeResolver } from '../offers/type-resolver.ts'
import { instanceBody } from './instance-body.ts'

/** The inputs of an insert. */
export interface RequestedInstance {
  readonly claim: NodeClaim
  readonly nodeClass: GCENodeClass
  readonly option: LaunchOption
  /** The path of the image. */
  readonly image: string
}

/** Returns the body of an insert. @throws CreateError if Compute Engine would refuse the body */
export type MakeRequest = (requested: RequestedInstance, signal: AbortSignal) => Promise<InstanceRequest>

export interface RequestDeps {
  readonly project: string
  readonly clusterName: string
  readonly location: string
  /** The service account from the settings, or an empty string. */
  readonly serviceAccount: string
  readonly types: Pick<TypeResolver, 'facts'>
  readonly cluster: Pick<ClusterFacts, 'cluster' | 'defaultServiceAccount'>
  readonly metadata: MakeMetadata
}

/** Returns the function that builds the bodies of inserts (`providers/gcp/docs/spec/gcp.md#instance-body`). */
export const instanceRequests = (deps: RequestDeps): MakeRequest => {
  const { project, clusterName, location, types } = deps

  const serviceAccountOf = async ({ spec }: GCENodeClass, signal: AbortSignal): Promise<string> => {
    const own = spec?.serviceAccount ?? deps.serviceAccount
    const account = own === '' ? await deps.cluster.defaultServiceAccount(signal) : own
    if (account !== undefined && account !== '') return account
    throw new CreateError(
      'ServiceAccountMissing',
      `project ${project} has no default service account; set DEFAULT_NODEPOOL_SERVICE_ACCOUNT, or spec.serviceAccount of the GCENodeClass`,
    )
  }

  return async ({ claim, nodeClass, option, image }, signal) => {
    const { type, offering } = option
    const { zone, capacityType } = offeringCoordinates(type, offering)
    const nodePool = claim.metadata.labels?.[labels.nodePool] ?? ''
    const nameProblem = instanceNameProblem(claim.metadata.name)
    if (nameProblem !== undefined) throw new CreateError('InvalidInstanceName', nameProblem)
    const labelProblem = ownerProblem({ nodePool, nodeClass: nodeClass.metadata.name })
    if (labelProblem !== undefined) throw new CreateError('InvalidInstanceLabels', labelProblem)
    const facts = types.facts(type.name)
    if (facts === undefined) throw new CreateError('LaunchFailed', `the type ${type.name} is not offered any more`)
    const [cluster, serviceAccount] = await Promise.all([
      deps.cluster.cluster(signal),
      serviceAccountOf(nodeClass, signal),
    ])
    const plan = nodePlan(nodeClass, {
      ...{ project, zone, nodePool, facts, isSpot: capacityType === 'spot' },
      kubeReserved: type.overhead.kubeReserved ?? {},
    })
    return instanceBody({
      ...{ name: instanceName(claim.metadata.name), project, zone, facts, isSpot: plan.isSpot, cluster, image },
      ...{ serviceAccount, maxPods: plan.maxPods, spec: nodeClass.spec ?? {} },
      owner: { nodePool, nodeClass: nodeClass.metadata.name, cluster: clusterName, location, clusterId: cluster.id },
      metadata: await deps.metadata(plan, signal),
    })
  }
}
