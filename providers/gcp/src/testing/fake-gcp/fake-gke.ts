import { GoogleError } from './google-error.ts'
import { CLUSTER, CLUSTER_ID, NETWORK, POD_RANGE, PROJECT, REGION, SUBNETWORK } from './names.ts'

/** A node pool of GKE, whose instance template Kerf copies. */
export interface FakeNodePool {
  readonly name: string
  readonly status: 'RUNNING' | 'RUNNING_WITH_ERROR' | 'PROVISIONING' | 'STOPPING' | 'ERROR'
  readonly config?: { readonly imageType?: string }
}

/** The fake's cluster in GKE's API. Tests may change it. */
export class FakeGke {
  version = '1.35.1-gke.1396002'
  releaseChannel: 'RAPID' | 'REGULAR' | 'STABLE' | 'EXTENDED' | 'UNSPECIFIED' | undefined = 'REGULAR'
  isPrivate = false
  locations: readonly string[] = ['a', 'b', 'c'].map((letter) => `${REGION}-${letter}`)
  nodePools: FakeNodePool[] = [
    { name: 'default-pool', status: 'RUNNING', config: { imageType: 'COS_CONTAINERD' } },
    { name: 'other', status: 'RUNNING', config: { imageType: 'COS_CONTAINERD' } },
  ]
  channels = [
    { channel: 'RAPID', defaultVersion: '1.36.0-gke.1000000', validVersions: ['1.36.0-gke.1000000'] },
    {
      channel: 'REGULAR',
      defaultVersion: '1.35.1-gke.1396002',
      validVersions: ['1.35.2-gke.1000000', '1.35.1-gke.1396002', '1.34.6-gke.1068000'],
    },
    { channel: 'STABLE', defaultVersion: '1.34.6-gke.1068000', validVersions: ['1.34.6-gke.1068000'] },
  ]

  /** @throws GoogleError if the cluster does not exist */
  checkCluster(location: string, name: string): void {
    if (location !== REGION || name !== CLUSTER)
      throw new GoogleError(404, 'notFound', `Not found: projects/${PROJECT}/locations/${location}/clusters/${name}.`)
  }

  cluster(): object {
    return {
      name: CLUSTER,
      id: CLUSTER_ID,
      location: REGION,
      locations: this.locations,
      status: 'RUNNING',
      currentMasterVersion: this.version,
      network: NETWORK.split('/').at(-1),
      subnetwork: SUBNETWORK.split('/').at(-1),
      networkConfig: { network: NETWORK, subnetwork: SUBNETWORK, defaultEnablePrivateNodes: this.isPrivate },
      ipAllocationPolicy: { useIpAliases: true, clusterSecondaryRangeName: POD_RANGE },
      workloadIdentityConfig: { workloadPool: `${PROJECT}.svc.id.goog` },
      ...(this.releaseChannel === undefined ? {} : { releaseChannel: { channel: this.releaseChannel } }),
    }
  }

  nodePool(name: string): object {
    const found = this.nodePools.find((pool) => pool.name === name)
    if (found === undefined) throw new GoogleError(404, 'notFound', `Not found: node pool "${name}".`)
    return found
  }

  createNodePool(pool: { readonly name?: string }): object {
    const { name = '' } = pool
    if (!/^[a-z]([-a-z0-9]{0,38}[a-z0-9])?$/.test(name))
      throw new GoogleError(400, 'badRequest', `Invalid value for field "node_pool.name": "${name}".`)
    if (this.nodePools.some((each) => each.name === name))
      throw new GoogleError(409, 'alreadyExists', `Already exists: node pool "${name}".`)
    this.nodePools.push({ name, status: 'PROVISIONING' })
    return { name: `operation-pool-${this.nodePools.length}`, operationType: 'CREATE_NODE_POOL', status: 'RUNNING' }
  }

  serverConfig(): object {
    return { defaultClusterVersion: this.version, channels: this.channels }
  }
}
