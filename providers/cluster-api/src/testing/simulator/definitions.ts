import { groupVersion, type KubeObject, kinds, type ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { CLUSTER_API_GROUP } from '../../names.ts'
import type { ClusterApiVersion } from '../../objects/api-version.ts'
import { type ClusterApiKinds, clusterApiKinds } from '../../objects/kinds.ts'

/** A rule by which a MachineSet replaces unhealthy Machines. */
export interface MachineHealthCheckOnWire extends KubeObject {
  readonly spec: {
    readonly clusterName: string
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> }
    readonly checks?: {
      readonly nodeStartupTimeoutSeconds?: number
      readonly unhealthyNodeConditions?: readonly {
        readonly type: string
        readonly status: string
        readonly timeoutSeconds: number
      }[]
    }
  }
}

/** Cluster API's kinds that the simulator supports. MachineHealthChecks use the v1beta2 format. */
export interface SimulatedKinds extends ClusterApiKinds {
  readonly MachineHealthCheck: ResourceKind<MachineHealthCheckOnWire>
}

export const simulatedKinds = (version: ClusterApiVersion): SimulatedKinds => ({
  ...clusterApiKinds(version),
  MachineHealthCheck: {
    group: CLUSTER_API_GROUP,
    version,
    kind: 'MachineHealthCheck',
    plural: 'machinehealthchecks',
    namespaced: true,
  },
})

/**
 * Installs Cluster API's kinds in an API server, in one version, with their subresources but without their schemas. It does not simulate
 * the webhooks of Cluster API. The suite for real API servers is in providers/cluster-api/tests.
 */
export const installClusterApi = async (admin: KubeClient, version: ClusterApiVersion): Promise<void> => {
  for (const { group, kind, plural } of Object.values<ResourceKind>({ ...simulatedKinds(version) })) {
    const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
    const isScaled = kind === 'MachineDeployment' || kind === 'MachineSet'
    await admin.create(kinds.CustomResourceDefinition, {
      apiVersion: groupVersion(kinds.CustomResourceDefinition),
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
        scope: 'Namespaced',
        versions: [
          {
            name: version,
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            subresources: { status: {}, ...(isScaled ? { scale } : {}) },
          },
        ],
      },
    })
  }
}
